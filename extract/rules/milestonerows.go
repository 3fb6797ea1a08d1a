package rules

import (
	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// rowMilestone takes a row that gives a task and says that it is complete.
func (x *extraction) rowMilestone(b *doc.Block) {
	s := b.Section
	if s.Roles.Any(lex.RoleTest, lex.RoleCommit, lex.RoleFiles, lex.RoleOptions, lex.RoleConsequence, lex.RoleTimeline) || s.Within(lex.RolePlan) || s.Within(lex.RoleHandoff) {
		return
	}
	if s.Within(lex.RolePulls) && !x.plain(b.Full()).Empty() {
		x.event(episode.Milestone, b, b.Span, b.Full(), "under heading "+quote(s.Title.Raw))
		return
	}
	if !b.Table.Names(lex.RoleItem) {
		if !b.Table.Names(lex.RoleStatus) && !b.Table.Names(lex.RoleProblem) && s.Within(lex.RoleDone) && doneCell(b) >= 0 {
			i := doneCell(b)
			x.event(episode.Milestone, b, b.Span, b.Cells[i].Text.Raw, "row says "+quote(b.Cells[i].Text.Words[0].Lower))
		}
		return
	}
	for i, c := range b.Table.Columns {
		if i >= len(b.Cells) || !c.Roles.Has(lex.RoleStatus) {
			continue
		}
		if cellStatus(b.Cells[i]) == episode.Success && !priorWork(s.Title) {
			if j := countCell(b); j >= 0 {
				x.event(episode.Test, b, b.Span, b.Full(), "row tells the result of a check").state = b.Cells[j].Text.TestOutcome()
				return
			}
			x.event(episode.Milestone, b, b.Span, b.Full(), "column "+quote(c.Name)+" says done")
		}
		return
	}
}

// countCell is the cell of a row that gives the counted result of the check that
// another cell names, or -1.
func countCell(b *doc.Block) int {
	found, named := -1, false
	for i, c := range b.Cells {
		switch {
		case !c.Text.Is(lex.ClassTest):
		case found < 0 && c.Text.HasCount() && c.Text.TestOutcome().Known():
			found = i
		default:
			named = true
		}
	}
	if !named {
		return -1
	}
	return found
}

// doneCell is the cell of a row that says that something was made, or -1.
func doneCell(b *doc.Block) int {
	for i, c := range b.Cells {
		if len(c.Text.Words) > 2 && c.Text.At(0, lex.ClassMake) {
			return i
		}
	}
	return -1
}
