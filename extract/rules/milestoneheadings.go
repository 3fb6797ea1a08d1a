package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// sectionMilestone takes a work section whose heading says that it is complete, with
// the first sentence that says what was made.
func (x *extraction) sectionMilestone(s *doc.Section) {
	if s.Parent != nil && s.Parent.Level > 1 && s.Parent.Title.Is(lex.ClassVerify) { // what was found done
		return
	}
	if s.Level < 2 || s.RolesAbove.Any(lex.RoleSkip, lex.RolePlan) ||
		s.Roles.Any(lex.RoleCommit, lex.RoleTest, lex.RoleLesson, lex.RoleDecision, lex.RoleOutcome, lex.RoleSummary, lex.RoleHandoff) || !headingDone(s.Title) {
		return
	}
	for _, b := range s.Blocks {
		if b.Kind != doc.Paragraph || b.Label != "" || !b.Text.Repaired() || x.used[b] != nil {
			continue
		}
		f := x.event(episode.Milestone, b, b.Span,
			strings.TrimRight(s.Title.Raw+": "+b.Text.Raw, ":"), headingDoneProse)
		for _, o := range s.Blocks {
			if x.used[o] == nil && o.Kind == doc.Item {
				x.used[o] = f
			}
		}
		return
	}
	if s.HasItems && x.statesWork(s) {
		x.event(episode.Milestone, nil, episode.Span{s.Line, s.Line}, s.Title.Raw, headingDoneList).section = s
	}
}

// statesWork reports whether labels under a heading report work ("Implementation"),
// and nothing under it was taken for a piece of work yet.
func (x *extraction) statesWork(s *doc.Section) bool {
	made := false
	for _, b := range s.Blocks {
		if x.used[b] != nil {
			return false
		}
		made = made || b.LabelRoles.Any(lex.RoleDone, lex.RoleMade)
	}
	return made
}

func headingDone(t lex.Text) bool {
	if strings.Contains(t.Raw, "✅") {
		return true
	}
	for i, w := range t.Words {
		bracketed := w.Start > 0 && (t.Raw[w.Start-1] == '[' || t.Raw[w.Start-1] == '(')
		if bracketed && w.Classes.Has(lex.ClassGood) && lex.IsUpper(t.Raw[w.Start:w.End]) && i > 0 {
			return true
		}
	}
	return false
}
