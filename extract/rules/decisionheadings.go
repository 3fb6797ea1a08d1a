package rules

import (
	"cmp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// headingFeatures are what the rules ask of a heading.
type headingFeatures struct {
	*doc.Section
	title   lex.Text
	subject lex.Text // what the title says after a leading role word
}

// headingTaker extracts the decision that a heading states.
type headingTaker func(*extraction, *doc.Section, string)

// headingRules take the decisions that headings state.
var headingRules = []ruleOn[*headingFeatures, headingTaker]{
	{"heading names an attempt", (*headingFeatures).namesAttempt, (*extraction).takeTried},
	{"heading gives the decision", func(h *headingFeatures) bool {
		return h.Has(lex.RoleDecision) && h.Subject != "" && h.Level > 1
	}, (*extraction).takeSubject},
	{"heading gives the verdict asked for", func(h *headingFeatures) bool {
		return h.Parent.Has(lex.RoleVerdict) && h.Level == doc.BoldLevel && h.title.Verdict()
	}, (*extraction).takeVerdict},
	{"heading says that it is not done", (*headingFeatures).refuses, (*extraction).takeRefusal},
	{"heading gives a verdict", (*headingFeatures).judges, (*extraction).takeJudgement},
}

// headingDecision extracts the decision that a heading states.
func (x *extraction) headingDecision(s *doc.Section) {
	h := &headingFeatures{Section: s, title: s.Title, subject: x.plain(s.Subject)}
	if r := first(headingRules, h); r != nil {
		r.verdict(x, s, r.name)
	}
}

// refuses: "### Group 2: X — DEFERRED" and "### Phase 4: X [SKIPPED]".
func (h *headingFeatures) refuses() bool {
	n := len(h.title.Words)
	return h.Level > 1 && n > 1 && !h.RolesAbove.Any(lex.RolePlan, lex.RoleSkip) && h.title.At(n-1, lex.ClassRefuseAct)
}

// judges: "### APPROVED FOR MERGE" and "### Review by the critic (REJECTED)", a
// judgement in capitals.
func (h *headingFeatures) judges() bool {
	t := h.title
	if h.Level < 2 || h.RolesAbove.Any(lex.RolePlan, lex.RoleSkip) || h.Any(lex.RoleTest, lex.RoleStatus, lex.RoleOutcome) {
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

// decisionInHeading starts the decision that a heading states in t, and reads the
// labelled parts of its section.
func (x *extraction) decisionInHeading(s *doc.Section, t lex.Text, rule string) *fact {
	f := x.newDecision(nil, episode.Span{s.Line, s.Line}, t, rule)
	f.section = s
	x.fillFromSection(f, s)
	return f
}

// takeSubject extracts the choice that a heading gives, with what its first words say of it.
func (x *extraction) takeSubject(s *doc.Section, rule string) {
	f := x.decisionInHeading(s, x.plain(s.Subject), rule)
	if p := s.Prose; p != nil && x.used[p] == nil && !p.OpensList() {
		f.Span = episode.Span{s.Line, max(f.Span[1], p.Span[1])} // a labelled part may stand behind
		f.Content += ". " + p.Text.Raw
		x.used[p] = f
	}
}

func (x *extraction) takeVerdict(s *doc.Section, rule string) {
	f := x.newDecision(nil, episode.Span{s.Line, s.Line}, s.Title, rule)
	f.section = s
	if s.Prose != nil {
		f.Decision.Rationale = episode.Shorten(s.Prose.Text.Raw, episode.MaxContent)
		x.used[s.Prose] = f
	}
}

// takeRefusal extracts a heading that ends in "SKIPPED" or the like; its section goes on
// to say why.
func (x *extraction) takeRefusal(s *doc.Section, rule string) {
	w, from := s.Title.Words[len(s.Title.Words)-1], 0
	if lex.IsNumber(s.Title.Words[0].Lower) {
		from = s.Title.Words[1].Start // "1. Review of the index (REJECTED)"
	}
	what := s.Title.Sub(from, w.Start)
	x.decisionInHeading(s, x.plain(sentenceCase(w.Lower)+": "+strings.TrimRight(what.Raw, " [(—–-⏭⏸\ufe0f")), rule).section = s
}

func (x *extraction) takeJudgement(s *doc.Section, rule string) {
	t := s.Title
	if lex.IsNumber(t.Words[0].Lower) {
		t = t.Sub(t.Words[0].End+1, len(t.Raw))
	}
	x.decisionInHeading(s, t, rule).section = s
}

// topicOnly reports whether a heading names what the choices under it are about
// ("Technical choices", "Scope") rather than a choice.
func topicOnly(s *doc.Section) bool {
	return !slices.ContainsFunc(s.Blocks, func(b *doc.Block) bool {
		return b.LabelRoles.Any(lex.RoleReason, lex.RoleChosen, lex.RoleDecision, lex.RoleOptions, lex.RoleRejected, lex.RoleContext)
	})
}

func sentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// fillFromSection reads the labelled parts of a decision's own section.
func (x *extraction) fillFromSection(f *fact, s *doc.Section) {
	for _, b := range s.Blocks {
		switch {
		case b.LabelRoles.Any(lex.RoleChosen, lex.RoleDecision) && !b.Text.Empty():
			f.Decision.Context = cmp.Or(f.Decision.Context, f.Decision.Chosen)
			x.splitReason(f, b.Text.Raw)
			f.Span = b.Span
			x.used[b] = f
		case b.LabelRoles.Has(lex.RoleReason):
			f.Decision.Rationale = partText(b)
			x.used[b] = f
		case b.LabelRoles.Any(lex.RoleContext, lex.RoleProblem):
			f.Decision.Context = episode.Shorten(partText(b), episode.MaxContent)
		case b.LabelRoles.Any(lex.RoleOptions, lex.RoleRejected):
			addOptions(f, b)
			x.used[b] = f
		case b.LabelRoles.Any(lex.RoleStatus, lex.RoleOutcome, lex.RoleResult):
			if !documentState(b.Text) {
				f.Decision.Outcome = b.Text.StatusOf()
			}
			x.used[b] = f
		}
	}
	options(f)
}
