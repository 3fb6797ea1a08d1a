package rules

import (
	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// logCell is what a row of a running log tells: the longest cell that is no
// date, in a table with a column of times or under a timeline heading.
func logCell(b *doc.Block) (lex.Text, bool) {
	if b.Kind != doc.Row || !b.Table.Names(lex.RoleDate) && !b.Section.Has(lex.RoleTimeline) {
		return lex.Text{}, false
	}
	if b.Table.Names(lex.RoleProblem) || b.Table.Names(lex.RoleDecision) || b.Table.Names(lex.RoleCommit) || b.Section.Has(lex.RoleAgent) {
		return lex.Text{}, false // the columns say it, or it is work given to others
	}
	best := -1
	for i, c := range b.Cells {
		if i < len(b.Table.Columns) && b.Table.Columns[i].Roles.Any(lex.RoleDate, lex.RoleWho, lex.RoleDuration) || lex.IsClock(c.Text.Raw) {
			continue
		}
		if best < 0 || len(c.Text.Words) > len(b.Cells[best].Text.Words) {
			best = i
		}
	}
	if best < 0 || len(b.Cells[best].Text.Words) < 2 {
		return lex.Text{}, false
	}
	return b.Cells[best].Text, true
}

// logRow takes a row of a running log: a check with its result, an error, or a
// thing that was made.
func (x *extraction) logRow(b *doc.Block) {
	t, ok := logCell(b)
	if !ok || x.used[b] != nil || b.InProtocol() || b.Section.Within(lex.RolePlan) {
		return
	}
	failed := false
	for i, c := range b.Table.Columns {
		if i < len(b.Cells) && c.Roles.Any(lex.RoleStatus, lex.RoleOutcome, lex.RoleResult) {
			failed = failed || cellStatus(b.Cells[i]) == episode.Failure
		}
	}
	test := t.HasWord(lex.ClassTest)
	switch {
	case test && (t.Is(lex.ClassPass) || t.HasCount() || failed || t.StrongFail()), t.Is(lex.ClassVerify) && !t.StrongFail() && t.FailsAt() < 0:
		x.event(episode.Test, b, b.Span, b.Full(), "row of a running log")
	case failed || t.StrongFail() || t.FailsAt() >= 0 && t.DoneAt() < 0:
		x.event(episode.Error, b, b.Span, t.Raw, "row of a running log")
	case t.DoneAt() >= 0:
		x.event(episode.Milestone, b, b.Span, t.Raw, "row of a running log")
	}
}
