package rules

import (
	"cmp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// newDecision starts a decision from the text that states the choice.
func (x *extraction) newDecision(b *doc.Block, span episode.Span, t lex.Text, rule string) *fact {
	f := x.add(&fact{Fact: facts.Fact{Kind: facts.Decision, Span: span, Content: t.Raw, Rule: rule}, block: b})
	f.Decision = episode.Decision{Type: decisionType(b, t), Outcome: episode.Unknown}
	x.splitReason(f, t.Raw)
	return f
}

// splitReason cuts the reason off a text and sets Chosen and Rationale: the
// first sentence states the choice, what follows explains it.
func (x *extraction) splitReason(f *fact, s string) {
	chosen, rest := s, ""
	ss := x.plain(s).Sentences()
	if len(ss) > 1 && len(ss[0].Words) > 1 && !secondPoint(ss[1].Raw) {
		chosen = ss[0].Raw
		rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(s, " ,;:—–-"), chosen), " .;!?")
	}
	if f.Decision.Outcome == episode.Unknown {
		f.Decision.Outcome = x.ownOutcome(ss)
	}
	at, reason := x.reasonIn(chosen)
	f.Decision.Chosen = episode.Shorten(strings.Trim(chosen[:at], " ,;:—–-."), episode.MaxContent)
	reason = cmp.Or(reason, rest)
	for _, field := range lex.DateFields {
		reason, _, _ = strings.Cut(reason, field)
	}
	if r := episode.Shorten(strings.Trim(reason, " ,;:—–-"), episode.MaxContent); r != "" {
		f.Decision.Rationale = r
	}
}

// secondPoint reports whether a sentence is a further point of a list within a text,
// "(b) ...", which is no reason for the first.
func secondPoint(s string) bool {
	return len(s) > 3 && s[0] == '(' && (s[1] == 'b' || s[1] == '2') && s[2] == ')'
}

// reasonIn finds the first mark that opens a reason in a text. It returns the offset of
// the mark, or the length of the text without one, and the reason, which includes the
// mark if that is part of a purpose.
func (x *extraction) reasonIn(s string) (at int, reason string) {
	at = len(s)
	for _, p := range lex.ReasonMarks {
		i := strings.Index(s[:at], p)
		if i <= 0 || len(x.plain(s[:i]).Words) == 0 || p == lex.NameOrReason && !x.complete(s[:i]) {
			continue
		}
		if at, reason = i, s[i+len(p):]; lex.PurposeReasons.Has(p) {
			reason = strings.TrimSpace(s[i:])
		}
	}
	return at, reason
}

// complete reports whether a text can end where it does: in "a window for `since`" no
// reason begins after "for".
func (x *extraction) complete(s string) bool {
	t := x.plain(s)
	n := len(t.Words)
	return n > 0 && !t.At(n-1, lex.ClassLeadIn)
}

// ownOutcome reads how a decision turned out where its own text goes on to say so:
// "raised the limit; the job failed again". What only failed may be what the decision is against.
func (x *extraction) ownOutcome(sentences []lex.Text) episode.Outcome {
	if slices.ContainsFunc(sentences[min(1, len(sentences)):], func(t lex.Text) bool { return t.Is(lex.ClassNoGood) }) {
		return episode.Failure
	}
	return episode.Unknown
}

// addNested reads the labelled children of a decision: rationale, context, outcome. Other children are its detail.
func (x *extraction) addNested(f *fact, b *doc.Block) {
	for _, c := range b.Children {
		switch {
		case c.LabelRoles.Has(lex.RoleReason):
			f.Decision.Rationale = partText(c)
		case c.LabelRoles.Any(lex.RoleContext, lex.RoleProblem):
			f.Decision.Context = partText(c)
		case c.LabelRoles.Any(lex.RoleOutcome, lex.RoleResult, lex.RoleStatus):
			f.Decision.Outcome = decisionStatus(c)
		default:
			continue
		}
		x.used[c] = f
	}
}

// surroundings fills context, reason and outcome from the labelled lines next to a
// decision: the problem it answers, its rationale, its result.
func (x *extraction) surroundings(f *fact, b *doc.Block) {
	if f.Decision.Context == "" && b.Section.Roles.Has(lex.RoleDecision) && b.Section.Subject == "" {
		if up := b.Section.Parent; up != nil && up.Level > 1 && up.Roles.Has(lex.RoleProblem) {
			f.Decision.Context = up.Title.Raw
		}
	}
	group := b.Group()
	// Lines of one record follow each other; a second line of the same role
	// starts the next record.
	if at := slices.Index(group, b); at >= 0 {
		linesBefore(f, b, group[:at])
		x.linesAfter(f, b, group[at+1:])
	}
}

// linesBefore reads the labelled lines of a record before its decision.
func linesBefore(f *fact, b *doc.Block, lines []*doc.Block) {
	var options []*doc.Block
	for _, o := range slices.Backward(lines) {
		if o.LabelRoles&b.LabelRoles != 0 {
			break
		}
		if o.LabelRoles.Any(lex.RoleProblem, lex.RoleContext, lex.RoleCause) && !statesImpact(o) &&
			f.Decision.Context == "" && !o.Text.Empty() {
			f.Decision.Context = episode.Shorten(o.Text.Raw, episode.MaxContent)
		}
		if o.LabelRoles.Has(lex.RoleOptions) {
			options = append(options, o)
		}
	}
	for _, o := range slices.Backward(options) { // as the log counts them
		addOptions(f, o)
	}
}

// linesAfter reads those after it.
func (x *extraction) linesAfter(f *fact, b *doc.Block, lines []*doc.Block) {
	for _, o := range lines {
		if o.LabelRoles&b.LabelRoles != 0 || o.LabelRoles.Has(lex.RoleProblem) {
			break
		}
		switch {
		case o.LabelRoles.Has(lex.RoleReason) && f.Decision.Rationale == "":
			f.Decision.Rationale = partText(o)
		case o.LabelRoles.Any(lex.RoleRejected, lex.RoleOptions):
			addOptions(f, o)
			x.used[o] = f
		case (o.LabelRoles.Any(lex.RoleResult, lex.RoleStatus) || o.LabelRoles.Has(lex.RoleOutcome) && b.Section.Level > 1) && f.Decision.Outcome == episode.Unknown:
			f.Decision.Outcome = decisionStatus(o)
		}
	}
}

// decisionType gives the kind of a choice from its location and the words.
func decisionType(b *doc.Block, t lex.Text) episode.DecisionType {
	switch {
	case b != nil && recovers(b):
		return episode.Recovery
	case t.Is(lex.ClassHand):
		return episode.Routing
	case t.At(0, lex.ClassRevert):
		return episode.Recovery
	case t.FirstIs(lex.ClassTestFirst) || t.Is(lex.ClassTestAct):
		return episode.Testing
	case t.At(0, lex.ClassImplement):
		return episode.Implementation
	}
	return episode.Design
}

// recovers reports whether a block is in a place for fixes.
func recovers(b *doc.Block) bool {
	s := b.Section
	return b.LabelRoles.Any(lex.RoleFix, lex.RoleAttempt) ||
		s.Any(lex.RoleFix, lex.RoleFailed, lex.RoleConflict) || s.Within(lex.RoleProblem) && !s.Has(lex.RoleDecision)
}

// withoutCause returns the text of a fix without a cause that precedes the action:
// "caused by the backup, which holds a lock; backup moved to 04:30". It is empty if the
// text gives nothing but the cause.
func withoutCause(t lex.Text) lex.Text {
	if !t.OpensWith(lex.CauseOpeners) {
		return t
	}
	if i := strings.IndexByte(t.Raw, ';'); i >= 0 {
		return t.Sub(i, len(t.Raw))
	}
	return lex.Text{}
}
