package rules

import (
	"maps"
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

// decisions extracts every block that states a choice.
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
		if of := verdictName(f); of != "" {
			f.Decision.Chosen = of + ": " + f.Decision.Chosen
			return false
		}
		maps.DeleteFunc(x.used, func(_ *doc.Block, used *fact) bool { return used == f })
		return true
	})
}

// verdictName returns the label or heading that names the verdict of a decision, or "".
func verdictName(f *fact) string {
	if f.block != nil && f.block.Text.Verdict() && f.block.LabelRoles.Any(lex.RoleVerdict, lex.RoleDecision) {
		return f.block.Label
	}
	for s := f.factSection(); s != nil; s = s.Parent {
		if s.Has(lex.RoleVerdict) {
			return s.Title.Raw
		}
	}
	return ""
}

// emptyChoice reports whether a text consists of nothing but status words, numbers and
// commits.
func emptyChoice(t lex.Text) bool {
	return !slices.ContainsFunc(t.Words, func(w lex.Word) bool {
		return !lex.IsNumber(w.Lower) && !isSHA(w.Lower, true) &&
			!w.Any(lex.ClassGood, lex.ClassBad, lex.ClassHalf, lex.ClassBlank, lex.ClassFiller)
	})
}

// partText is the text of a labelled block, with the items it introduces.
func partText(b *doc.Block) string {
	if !b.Text.Empty() {
		return episode.Shorten(b.Text.Raw, episode.MaxContent)
	}
	return listText(b)
}

// listText joins the items that a block introduces.
func listText(b *doc.Block) string {
	var parts []string
	for _, c := range doc.Around(b.Introduced(), 0) {
		parts = append(parts, strings.TrimRight(c.Full(), ":"))
	}
	return episode.Shorten(strings.Join(parts, "; "), episode.MaxContent)
}

// blockDecision extracts a block whose location and words are enough for a decision.
func (x *extraction) blockDecision(b *doc.Block) {
	if b.Text.Empty() && b.Label == "" || b.Struck {
		return
	}
	s := decisionScore(x.features(b))
	if !s.enough() || !b.Text.Empty() && b.Text.Blank() {
		return
	}
	t := b.Text
	if s.location < decisionThreshold && b.Label == "" && b.Lead == "" {
		t = fromChoice(t)
	}
	if b.Section.Has(lex.RoleFix) && b.Section.Prose == b {
		t = actOf(t)
	}
	x.takeDecision(b, t, s.rule)
}

// takeDecision makes a decision of a block and its surroundings.
func (x *extraction) takeDecision(b *doc.Block, t lex.Text, rule string) *fact {
	rest, opens := t.LeadIn()
	if opens {
		t = t.Sub(0, len(rest))
	}
	f := x.newDecision(b, b.Span, t, rule)
	if opens && f.Decision.Rationale == "" {
		f.Decision.Rationale = listText(b)
	}
	if b.Section.Has(lex.RoleRefused) && !b.LabelRoles.Any(lex.RoleDecision, lex.RoleChosen) {
		f.Decision.Chosen = episode.Shorten(b.Section.Title.Raw+": "+f.Decision.Chosen, episode.MaxContent)
	}
	x.fromLabel(f, b, t)
	x.fromLead(f, b, t, opens)
	if f.Decision.Context == "" && b.LabelRoles.Has(lex.RoleStatus) && !b.Section.Has(lex.RoleVerdict) {
		f.Decision.Context = reviewOf(b) // what was judged
	}
	if b.Section.Has(lex.RoleFailed) && !b.Text.At(0, lex.ClassRevert) {
		f.Decision.Outcome = episode.Failure
	}
	x.topicDecision(f, b)
	x.addNested(f, b)
	x.surroundings(f, b)
	options(f)
	if !opens && strings.HasSuffix(t.Raw, ":") {
		x.withParts(f, b)
	}
	return f
}

// withParts completes a choice, or the reason for it, that opens the list of its parts.
func (x *extraction) withParts(f *fact, b *doc.Block) {
	parts := b.Introduced()
	if len(parts) == 0 || len(f.Decision.Options) > 0 || slices.ContainsFunc(slices.Concat(parts, b.Children), func(c *doc.Block) bool {
		return c.Kind != doc.Item || c.LabelRoles != 0 || x.used[c] != nil
	}) {
		return
	}
	x.cover(f, parts)
	opens := &f.Decision.Chosen
	if f.Decision.Rationale != "" {
		opens = &f.Decision.Rationale
	}
	*opens = episode.Shorten(strings.TrimRight(*opens, ":")+": "+listText(b), episode.MaxContent)
}

// fromLabel reads the label of a block that states a choice, where it is more than
// the name of a role. In a list of decisions, "**Use X**: Y" gives the choice and why,
// and "**Scope**: Y" what is decided and how.
func (x *extraction) fromLabel(f *fact, b *doc.Block, t lex.Text) {
	label := b.LabelText
	switch {
	case b.Label == "" || b.LabelRoles.Any(lex.RoleStatus, lex.RoleResult, lex.RoleOutcome, lex.RoleStrategy, lex.RoleDecision, lex.RoleChosen, lex.RoleFix, lex.RoleVerdict, lex.RoleAttempt, lex.RoleRejected):
		switch {
		case t.Empty():
			f.Decision.Chosen = listText(b)
			x.cover(f, b.Introduced())
		case t.Empty():
			f.Decision.Chosen = b.Label
		}
	case t.Empty() && numberedLabel().MatchString(b.Label):
		f.Decision.Chosen, f.Decision.Rationale = numberedLabel().ReplaceAllString(b.Label, ""), listText(b)
	case x.features(b).namedFix(): // the label names what was wrong
		f.Decision.Context = b.Label
	case t.Empty() || t.At(0, lex.ClassExplain) || label.ActLike() || label.Imperative() || len(label.Words) >= 4 || b.Section.Has(lex.RoleVerdict):
		f.Decision.Chosen, f.Decision.Rationale = b.Label, episode.Shorten(t.Raw, episode.MaxContent)
	default:
		f.Decision.Context = b.Label
	}
}

// fromLead reads the bold text that opens a block as the choice. The rest is kept in
// one piece, unless it opens a list.
func (x *extraction) fromLead(f *fact, b *doc.Block, t lex.Text, opens bool) {
	if b.Lead == "" || len(b.Lead) >= len(t.Raw) || len(x.plain(b.Lead).Words) < 3 {
		return
	}
	f.Decision.Chosen = strings.TrimRight(b.Lead, ".:")
	if !opens {
		f.Decision.Rationale = episode.Shorten(strings.Trim(strings.TrimPrefix(t.Raw, b.Lead), " .:—–-"), episode.MaxContent)
	}
}

// actOf returns the part of a fix that begins with the sentence on what was done: text
// before it may repeat the error ("X built the name from Y, so …. Now the name comes
// from Z").
func actOf(t lex.Text) lex.Text {
	ss := t.Sentences()
	for i, s := range ss {
		if i > 0 && s.Is(lex.ClassNow) {
			if at := strings.Index(t.Raw, s.Raw); at > 0 {
				return t.Sub(at, len(t.Raw))
			}
		}
	}
	return t
}

// fromChoice returns the part of a text that begins with the sentence of the choice: text
// before it only leads up to it.
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
