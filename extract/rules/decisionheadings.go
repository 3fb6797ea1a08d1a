package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// headingTaker takes the decision that a heading states.
type headingTaker func(*extraction, *doc.Section, reason)

// headingRules take the decisions that headings state.
var headingRules = []ruleOn[*doc.Section, headingTaker]{
	{"heading of a protocol", func(s *doc.Section) bool { return s.Has(lex.RoleSkip) }, nil},
	{"heading marks the option taken", func(s *doc.Section) bool { return selectedOption(s) > 0 }, (*extraction).takeOption},
	{"heading gives the decision", func(s *doc.Section) bool { return s.Has(lex.RoleDecision) && s.Subject != "" && s.Level > 1 }, (*extraction).takeSubject},
	{"heading gives the verdict asked for", func(s *doc.Section) bool {
		return s.Parent.Has(lex.RoleVerdict) && s.Level == doc.BoldLevel && s.Title.Verdict()
	}, (*extraction).takeVerdict},
	{"heading counts a way that was tried", countsAttempt, (*extraction).takeAttempt},
	{"heading gives a verdict", judges, (*extraction).takeJudgement},
	{"topic under a heading of decisions", func(s *doc.Section) bool { return underDecisions(s) && topicOnly(s) }, nil},
	{"heading under a heading of decisions", underDecisions, (*extraction).takeListed},
}

// headingDecision takes the decision that a heading states.
func (x *extraction) headingDecision(s *doc.Section) {
	if r := first(headingRules, s); r != nil && r.verdict != nil {
		r.verdict(x, s, because(r.name, ""))
	}
}

// countsAttempt: one of several numbered headings under what worked or failed.
func countsAttempt(s *doc.Section) bool {
	return s.Numbered() && s.Parent.Any(lex.RoleWorked, lex.RoleFailed) && s.Roles&^(1<<lex.RoleWorked|1<<lex.RoleFailed|1<<lex.RoleReason) == 0 && len(s.Title.Words) > 2
}

// judges: "### APPROVED FOR MERGE" and "### Review by the critic (REJECTED)", a
// judgement in capitals.
func judges(s *doc.Section) bool {
	t := s.Title
	if s.Level < 2 || s.Within(lex.RolePlan) || s.Within(lex.RoleSkip) || s.Any(lex.RoleTest, lex.RoleStatus, lex.RoleOutcome) {
		return false
	}
	for i := range t.Words {
		opens := i == 0 || strings.HasSuffix(t.Raw[:t.Words[i].Start], "(")
		if opens && t.At(i, lex.ClassVerdict) && (t.At(i, lex.ClassApprove) || t.At(i, lex.ClassRefuse)) && t.Capitals(i) {
			return true
		}
	}
	return false
}

// underDecisions: "### 2. Use X" under "## Decisions".
func underDecisions(s *doc.Section) bool {
	return s.Parent.Has(lex.RoleDecision) && s.Roles&^(1<<lex.RoleFix|1<<lex.RoleProblem|1<<lex.RoleDecision) == 0 && s.Level > 1 && !s.Title.Empty()
}

// decisionInHeading starts the decision that a heading states in t, and reads the
// labelled parts of its section.
func (x *extraction) decisionInHeading(s *doc.Section, t lex.Text, why reason) *fact {
	f := x.newDecision(nil, episode.Span{s.Line, s.Line}, t, why)
	x.fillFromSection(f, s)
	return f
}

func (x *extraction) takeSubject(s *doc.Section, why reason) {
	x.decisionInHeading(s, x.plain(s.Subject), why)
}

func (x *extraction) takeVerdict(s *doc.Section, why reason) {
	f := x.newDecision(nil, episode.Span{s.Line, s.Line}, s.Title, why)
	f.section = s
	if s.Prose != nil {
		f.Decision.Rationale = facts.Shorten(s.Prose.Text.Raw, facts.MaxContent)
		x.used[s.Prose] = f
	}
}

func (x *extraction) takeAttempt(s *doc.Section, why reason) {
	f := x.decisionInHeading(s, s.Title.Sub(s.Title.Words[0].End, len(s.Title.Raw)), why)
	f.section, f.Decision.Outcome = s, episode.Success
	if s.Parent.Has(lex.RoleFailed) {
		f.Decision.Outcome = episode.Failure
	}
}

func (x *extraction) takeJudgement(s *doc.Section, why reason) {
	t := s.Title
	if lex.IsNumber(t.Words[0].Lower) {
		t = t.Sub(t.Words[0].End+1, len(t.Raw))
	}
	x.decisionInHeading(s, t, why).section = s
}

func (x *extraction) takeListed(s *doc.Section, why reason) {
	t := s.Title
	if len(t.Words) > 1 && lex.IsNumber(t.Words[0].Lower) {
		t = t.Sub(t.Words[0].End, len(t.Raw))
	}
	x.decisionInHeading(s, x.plain(strings.TrimLeft(t.Raw, ".): ")), why)
}

// topicOnly reports whether a heading names what the choices under it are about
// ("Technical choices", "Scope") rather than a choice.
func topicOnly(s *doc.Section) bool {
	t := s.Title
	if t.At(0, lex.ClassWhy) {
		return true // "When to split a bundle"
	}
	if len(t.Words) > 4 || lex.IsNumber(t.Words[0].Lower) || statesAct(t) || s.Subject != "" {
		return false
	}
	explained := false
	for _, b := range s.Blocks {
		if b.LabelRoles.Any(lex.RoleChosen, lex.RoleDecision) && !b.Text.Empty() && (b.Text.Blank() || b.Placeholder()) {
			return true // it is still to be chosen
		}
		explained = explained || b.LabelRoles.Any(lex.RoleReason, lex.RoleChosen, lex.RoleDecision, lex.RoleOptions, lex.RoleRejected, lex.RoleContext)
	}
	return !explained
}

// statesAct reports whether a short title states an act rather than a topic.
func statesAct(t lex.Text) bool {
	return t.At(0, lex.ClassAdopt) || t.At(0, lex.ClassMake) || t.At(0, lex.ClassChoose) || t.HasCode() || t.Contrast() != ""
}

// fillFromSection reads the labelled parts of a decision's own section.
func (x *extraction) fillFromSection(f *fact, s *doc.Section) {
	for _, b := range s.Blocks {
		switch {
		case b.LabelRoles.Any(lex.RoleChosen, lex.RoleDecision) && !b.Text.Empty():
			if f.Decision.Context == "" {
				f.Decision.Context = f.Decision.Chosen
			}
			x.splitReason(f, b.Text.Raw)
			f.Span = b.Span
			x.used[b] = f
		case b.LabelRoles.Has(lex.RoleReason):
			f.Decision.Rationale = partText(b)
			x.used[b] = f
		case b.LabelRoles.Any(lex.RoleContext, lex.RoleProblem):
			f.Decision.Context = facts.Shorten(partText(b), facts.MaxContent)
		case b.LabelRoles.Has(lex.RoleOptions) || b.LabelRoles.Has(lex.RoleRejected):
			addOptions(f, b)
			x.used[b] = f
		case b.LabelRoles.Any(lex.RoleStatus, lex.RoleOutcome, lex.RoleResult) && f.Decision.Outcome == episode.Unknown:
			f.Decision.Outcome = b.Text.StatusOf()
			x.used[b] = f
		}
	}
	options(f)
}
