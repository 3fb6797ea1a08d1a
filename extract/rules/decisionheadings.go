package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// headingDecision takes "### Decision: X" and sections whose heading is the
// choice under a decision heading.
func (x *extraction) headingDecision(s *doc.Section) {
	if s.Has(lex.RoleSkip) {
		return
	}
	if x.optionSelected(s) {
		return
	}
	if s.Roles.Has(lex.RoleFix) && s.Subject != "" && s.Level > 1 && !headSays(s, lex.ClassRepaired) && !namesError(x.plain(s.Subject)) && !s.Within(lex.RolePlan) && len(x.plain(s.Subject).Words) > 1 {
		f := x.newDecision(nil, episode.Span{s.Line, s.Line}, x.plain(s.Subject), "heading gives the solution")
		f.section, f.repair, f.Decision.Type = s, true, episode.Recovery
		x.fillFromSection(f, s)
		neighbours(f, s)
		return
	}
	if s.Roles.Has(lex.RoleDecision) && s.Subject != "" && s.Level > 1 {
		f := x.newDecision(nil, episode.Span{s.Line, s.Line}, x.plain(s.Subject), "heading says decision")
		x.fillFromSection(f, s)
		return
	}
	if s.Parent != nil && s.Parent.Roles.Has(lex.RoleVerdict) && s.Level == doc.BoldLevel && s.Title.Verdict() {
		f := x.newDecision(nil, episode.Span{s.Line, s.Line}, s.Title, "under heading "+quote(s.Parent.Title.Raw))
		f.section = s
		if s.Prose != nil {
			f.Decision.Rationale = facts.Shorten(s.Prose.Text.Raw, facts.MaxContent)
			x.used[s.Prose] = f
		}
		return
	}
	if s.Numbered() && s.Parent.Any(lex.RoleWorked, lex.RoleFailed) && s.Roles&^(1<<lex.RoleWorked|1<<lex.RoleFailed|1<<lex.RoleReason) == 0 && len(s.Title.Words) > 2 {
		f := x.newDecision(nil, episode.Span{s.Line, s.Line}, s.Title.Sub(s.Title.Words[0].End, len(s.Title.Raw)), "a way that was tried")
		f.section = s
		x.fillFromSection(f, s)
		f.Decision.Outcome = episode.Success
		if s.Parent.Has(lex.RoleFailed) {
			f.Decision.Outcome = episode.Failure
		}
		return
	}
	if x.headingRefusal(s) || x.headingQuestion(s) || x.headingVerdict(s) {
		return
	}
	// "### 2. Use X" under "## Decisions"
	if s.Parent != nil && s.Parent.Roles.Has(lex.RoleDecision) && s.Roles&^(1<<lex.RoleFix|1<<lex.RoleProblem|1<<lex.RoleDecision) == 0 && s.Level > 1 && !s.Title.Empty() {
		if topicOnly(s) {
			return
		}
		title := s.Title
		if len(title.Words) > 1 && lex.IsNumber(title.Words[0].Lower) {
			title = title.Sub(title.Words[0].End, len(title.Raw))
		}
		f := x.newDecision(nil, episode.Span{s.Line, s.Line}, x.plain(strings.TrimLeft(title.Raw, ".): ")), "heading under a decisions heading")
		x.fillFromSection(f, s)
	}
}

// namesError reports whether what a heading gives as its fix is the name of the
// error: "Fix 1: Broken link in the manual".
func namesError(t lex.Text) bool {
	return t.FailsAt() >= 0 && !t.ActLike() && !t.Repaired() && t.Contrast() == "" && t.ChosenAt() < 0
}

// topicOnly reports whether a heading names what the choices under it are about
// ("Technical choices", "Scope") rather than a choice.
func topicOnly(s *doc.Section) bool {
	t := s.Title
	if t.At(0, lex.ClassWhy) {
		return true // "When to split a bundle"
	}
	if len(t.Words) > 4 || lex.IsNumber(t.Words[0].Lower) || t.At(0, lex.ClassAdopt) || t.At(0, lex.ClassMake) || t.At(0, lex.ClassChoose) || t.HasCode() || t.Contrast() != "" || s.Subject != "" {
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

// headingRefusal takes "### Group 2: X — DEFERRED" and "### Phase 4: X [SKIPPED]",
// where the section goes on to say why.
func (x *extraction) headingRefusal(s *doc.Section) bool {
	n := len(s.Title.Words)
	if s.Level < 2 || n < 2 || s.Within(lex.RolePlan) || !s.Title.At(n-1, lex.ClassRefuseAct) || !s.Title.Capitals(n-1) {
		return false
	}
	w := s.Title.Words[n-1]
	from := 0
	if lex.IsNumber(s.Title.Words[0].Lower) {
		from = s.Title.Words[1].Start // "1. Review of the index (REJECTED)"
	}
	what := s.Title.Sub(from, w.Start)
	f := x.newDecision(nil, episode.Span{s.Line, s.Line}, x.plain(sentenceCase(w.Lower)+": "+strings.TrimRight(what.Raw, " [(—–-⏭⏸\ufe0f")), "heading says "+quote(w.Lower))
	f.section = s
	x.fillFromSection(f, s)
	return true
}

// headingVerdict takes "### APPROVED FOR MERGE" and "### Review by the critic
// (REJECTED)": a judgement in capitals.
func (x *extraction) headingVerdict(s *doc.Section) bool {
	t := s.Title
	if s.Level < 2 || s.Within(lex.RolePlan) || s.Within(lex.RoleSkip) || s.Roles.Any(lex.RoleTest, lex.RoleStatus, lex.RoleOutcome) {
		return false
	}
	for i := range t.Words {
		if i > 0 && !strings.HasSuffix(t.Raw[:t.Words[i].Start], "(") || !t.At(i, lex.ClassVerdict) || !t.At(i, lex.ClassApprove) && !t.At(i, lex.ClassRefuse) || !t.Capitals(i) {
			continue
		}
		if lex.IsNumber(t.Words[0].Lower) {
			t = t.Sub(t.Words[0].End+1, len(t.Raw))
		}
		f := x.newDecision(nil, episode.Span{s.Line, s.Line}, t, "heading gives a verdict")
		f.section = s
		x.fillFromSection(f, s)
		return true
	}
	return false
}

// headingQuestion takes "Why X over Y?" under a decisions heading: the question
// names the choice, what stands under it are the reasons.
func (x *extraction) headingQuestion(s *doc.Section) bool {
	if !strings.HasSuffix(s.Title.Raw, "?") || !s.Parent.Within(lex.RoleDecision) || len(s.Title.Words) < 2 {
		return false
	}
	t := s.Title
	if s.Roles.Has(lex.RoleReason) {
		t = t.Sub(t.Words[0].End, len(t.Raw))
	}
	f := x.newDecision(nil, episode.Span{s.Line, s.Line}, x.plain(strings.TrimRight(t.Raw, "?")), "question under a decisions heading")
	f.section = s
	f.Decision.Context = s.Title.Raw
	x.fillFromSection(f, s)
	var why []string
	for _, b := range s.Blocks {
		if b.Kind == doc.Item && b.Parent == nil && len(why) < doc.Reach && x.used[b] == nil && b.LabelRoles == 0 {
			why = append(why, b.Full())
			x.used[b] = f
		}
	}
	if f.Decision.Rationale == "" {
		f.Decision.Rationale = facts.Shorten(strings.Join(why, "; "), facts.MaxContent)
	}
	options(f)
	return true
}

func sentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

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
