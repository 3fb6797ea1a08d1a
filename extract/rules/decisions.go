package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// decisionThreshold is the score from which a block states a decision. A location
// that says "decision" is enough by itself; elsewhere the words must say it and
// the location must allow it.
const decisionThreshold = 3

// decisions takes every block that states a choice.
func (x *extraction) decisions() {
	for _, s := range x.doc.Sections {
		x.headingDecision(s)
	}
	for _, b := range x.doc.Blocks {
		if b.Kind == doc.Code || x.used[b] != nil || quiet(b) {
			continue
		}
		switch {
		case b.Kind == doc.Row:
			x.rowDecision(b)
		default:
			x.blockDecision(b)
		}
	}
	x.returnContexts()
	x.dropEmptyChoices()
}

// dropEmptyChoices drops decisions whose choice is no act: a bare status, a
// number, a commit, nothing. A verdict keeps its name, since "approved" alone
// says not of what kind it is.
func (x *extraction) dropEmptyChoices() {
	x.facts = slices.DeleteFunc(x.facts, func(f *fact) bool {
		if f.Kind != facts.Decision || !emptyChoice(x.plain(f.Decision.Chosen)) {
			return false
		}
		if f.block != nil && f.block.Text.Verdict() && f.block.LabelRoles.Any(lex.RoleVerdict, lex.RoleDecision) {
			f.Decision.Chosen = f.block.Label + ": " + f.Decision.Chosen
			return false
		}
		for s := f.factSection(); s != nil; s = s.Parent {
			if s.Has(lex.RoleVerdict) {
				f.Decision.Chosen = s.Title.Raw + ": " + f.Decision.Chosen
				return false
			}
		}
		for b, used := range x.used {
			if used == f {
				delete(x.used, b)
			}
		}
		return true
	})
}

// emptyChoice reports whether a text consists of nothing but status words, numbers and
// commits.
func emptyChoice(t lex.Text) bool {
	for _, w := range t.Words {
		c := w.Classes
		switch {
		case lex.IsNumber(w.Lower), isSHA(w.Lower, true), c.Has(lex.ClassGood), c.Has(lex.ClassBad), c.Has(lex.ClassHalf), c.Has(lex.ClassBlank), w.Lower == "null", w.Lower == "in", w.Lower == "yet", w.Lower == "fixed", w.Lower == "addressed", w.Lower == "with", w.Lower == "pr", w.Lower == "by", w.Lower == "commit":
		default:
			return false
		}
	}
	return true
}

// partText is the text of a labelled block, with the items it introduces.
func partText(b *doc.Block) string {
	if !b.Text.Empty() {
		return facts.Shorten(b.Text.Raw, facts.MaxContent)
	}
	return listText(b)
}

// listText joins the items that a block introduces.
func listText(b *doc.Block) string {
	var parts []string
	for _, c := range doc.Around(b.Introduced(), 0) {
		parts = append(parts, c.Full())
	}
	return facts.Shorten(strings.Join(parts, "; "), facts.MaxContent)
}

// blockDecision scores one block.
func (x *extraction) blockDecision(b *doc.Block) {
	if b.Text.Empty() && b.Label == "" || b.Struck {
		return
	}
	location, why := x.locationScore(b)
	if location < 0 || !b.Text.Empty() && b.Text.Blank() {
		return
	}
	words, tell := x.wordScore(b)
	if location+words < decisionThreshold {
		x.sentenceDecision(b)
		return
	}
	if tell != "" {
		why += ", " + tell
	}
	t := b.Text
	if location < decisionThreshold && b.Label == "" && b.Lead == "" {
		t = fromChoice(t)
	}
	if b.Section.Has(lex.RoleFix) && b.Section.Prose == b {
		t = actOf(t)
	}
	x.takeDecision(b, t, why)
}

// takeDecision makes a decision of a block and of what stands with it.
func (x *extraction) takeDecision(b *doc.Block, t lex.Text, why string) *fact {
	rest, opens := t.LeadIn()
	if opens {
		t = t.Sub(0, len(rest))
	}
	f := x.newDecision(b, b.Span, t, why)
	if opens && f.Decision.Rationale == "" {
		f.Decision.Rationale = listText(b)
	}
	if b.Section.Has(lex.RoleRefused) && !b.LabelRoles.Any(lex.RoleDecision, lex.RoleChosen) {
		f.Decision.Chosen = facts.Shorten(b.Section.Title.Raw+": "+f.Decision.Chosen, facts.MaxContent)
	}
	if b.Label != "" && !b.LabelRoles.Any(lex.RoleStatus, lex.RoleResult, lex.RoleOutcome, lex.RoleStrategy, lex.RoleDecision, lex.RoleChosen, lex.RoleFix, lex.RoleVerdict, lex.RoleAttempt, lex.RoleRejected) {
		// In a list of decisions, "**Use X**: Y" gives the choice and why, and
		// "**Scope**: Y" what is decided and how.
		if label := b.LabelText; t.Empty() || t.ReasonLike() || label.ActLike() || len(label.Words) >= 4 || b.Section.Has(lex.RoleVerdict) && label.Verdict() {
			f.Decision.Chosen, f.Decision.Rationale = b.Label, facts.Shorten(t.Raw, facts.MaxContent)
		} else {
			f.Decision.Context = b.Label
		}
	} else if t.Empty() {
		f.Decision.Chosen = b.Label
	}
	if b.Lead != "" && len(b.Lead) < len(t.Raw) && len(x.plain(b.Lead).Words) > 2 {
		rest := strings.Trim(strings.TrimPrefix(t.Raw, b.Lead), " .:—–-")
		f.Decision.Chosen = strings.TrimRight(b.Lead, ".:")
		if !opens { // what follows the bold part is one piece, whatever its first sentence is
			f.Decision.Rationale = facts.Shorten(rest, facts.MaxContent)
		}
	}
	if f.Decision.Context == "" && b.LabelRoles.Has(lex.RoleStatus) && !b.Section.Has(lex.RoleVerdict) {
		f.Decision.Context = reviewOf(b) // what was judged
	}
	f.repair = b.LabelRoles.Has(lex.RoleFix)
	if b.Section.Has(lex.RoleFailed) && f.Decision.Outcome == episode.Unknown {
		f.Decision.Outcome = episode.Failure
	}
	x.topicDecision(f, b)
	x.addNested(f, b)
	x.surroundings(f, b)
	neighbours(f, b.Section)
	x.namedOption(f)
	options(f)
	return f
}

// topicDecision reads an item that gives only the topic, in bold, and says below
// it what was chosen: the topic is the question, the nested line the choice.
func (x *extraction) topicDecision(f *fact, b *doc.Block) {
	topic := b.Label
	if topic == "" && b.Lead == b.Text.Raw {
		topic = b.Lead
	}
	if t := x.plain(topic); topic == "" || b.Label != "" && !b.Text.Empty() || t.ActLike() || len(t.Words) > 6 {
		return
	}
	for _, c := range b.Children {
		t := c.Text
		if x.used[f.block] == f && x.used[c] == nil && f.Decision.Context == strings.TrimRight(topic, ".:") && c.Kind == doc.Item && t.ActLike() {
			more := x.newDecision(c, c.Span, t, "nested under the topic "+quote(topic))
			more.Decision.Context = f.Decision.Context
			options(more)
			continue
		}
		if c.Kind != doc.Item || t.Empty() || c.LabelRoles.Any(lex.RoleReason, lex.RoleOptions, lex.RoleRejected, lex.RoleContext) {
			continue
		}
		if t.ChosenAt() < 0 && !t.At(0, lex.ClassAdopt) && !t.At(0, lex.ClassMake) && !c.LabelRoles.Any(lex.RoleChosen, lex.RoleDecision) {
			continue
		}
		f.Decision.Context = strings.TrimRight(topic, ".:")
		f.Decision.Rationale = ""
		x.splitReason(f, t.Raw)
		f.Span[1] = max(f.Span[1], c.Span[1])
		x.used[c] = f
	}
}

// actOf is the part of a fix from the sentence on that says what was done: what
// stands before it may retell the error ("X built the name from Y, so …. Now the
// name comes from Z").
func actOf(t lex.Text) lex.Text {
	ss := t.Sentences()
	for i, s := range ss {
		if i == 0 && s.ActLike() {
			return t
		}
		if i > 0 && (s.Has("now") || s.ActLike()) && strings.Contains(ss[0].Raw, ", so ") {
			if at := strings.Index(t.Raw, s.Raw); at > 0 {
				return t.Sub(at, len(t.Raw))
			}
		}
	}
	return t
}

// fromChoice is the part of a text from the sentence on that says the choice:
// what stands before it leads up to it.
func fromChoice(t lex.Text) lex.Text {
	ss := t.Sentences()
	for i, s := range ss {
		if s.ChosenAt() < 0 && s.Contrast() == "" {
			continue
		}
		if at := strings.Index(t.Raw, s.Raw); i > 0 && at > 0 {
			return t.Sub(at, len(t.Raw))
		}
		break
	}
	return t
}

// sentenceDecision takes the sentence of a longer text that says by itself that
// one way was taken.
func (x *extraction) sentenceDecision(b *doc.Block) {
	if !b.Text.Classes.Has(lex.ClassSettle) {
		return
	}
	ss := b.Text.Sentences()
	if len(ss) < 2 {
		return
	}
	for _, t := range ss {
		i := t.ChosenAt()
		if i < 0 || !t.At(i, lex.ClassSettle) || len(t.Words) > 40 || len(t.Words) < 4 {
			continue
		}
		f := x.newDecision(nil, t.Span(b.Span), t, "sentence says "+quote(t.Words[i].Lower))
		f.section = b.Section
		options(f)
		return
	}
}

func quote(s string) string { return `"` + facts.Shorten(s, 40) + `"` }
