package rules

import (
	"slices"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// rowFeatures are what the rules of work ask of a row.
type rowFeatures struct {
	*features
	state episode.Outcome // of its first column of states
	name  string          // of that column
}

// rowWorkRules say which rows report work that is complete.
var rowWorkRules = []ruleOn[*rowFeatures, taking]{
	{"table is not about what was done", func(f *rowFeatures) bool {
		return f.block.Table.Names(lex.RoleVerdict) || f.under(lex.RoleTest, lex.RoleCommit,
			lex.RoleFiles, lex.RoleOptions, lex.RoleConsequence, lex.RoleTimeline) || f.within(lex.RolePlan, lex.RoleHandoff)
	}, refuse},
	{"row of work done says what was made", (*rowFeatures).saysMade, take},
	{"column says merged", (*rowFeatures).merged, take},
	{"was done before", func(f *rowFeatures) bool {
		return slices.ContainsFunc(f.block.Cells, func(c doc.Cell) bool { return c.Text.At(0, lex.ClassEarlier) })
	}, refuse},
	{"table names no tasks", func(f *rowFeatures) bool { return !f.block.Table.Names(lex.RoleItem) }, refuse},
	{"task is not done or was before", func(f *rowFeatures) bool {
		return f.state != episode.Success
	}, refuse},
	{"column says done", func(*rowFeatures) bool { return true }, take},
}

// merged: a column of states says that what the row names was merged.
func (f *rowFeatures) merged() bool {
	for i, c := range f.block.Table.Columns {
		if i < len(f.block.Cells) && c.Roles.Has(lex.RoleStatus) &&
			f.block.Cells[i].Text.At(0, lex.ClassMerge) && cellStatus(f.block.Cells[i]) == episode.Success {
			return true
		}
	}
	return false
}

// saysMade: the table is under a heading of finished work, it has no column of states,
// and a cell of the row opens with the verb of what was made.
func (f *rowFeatures) saysMade() bool {
	if !f.under(lex.RoleDone) || f.name != "" || f.block.Table.Roles.Any(lex.RoleStatus, lex.RoleFiles) {
		return false
	}
	return slices.ContainsFunc(f.block.Cells, func(c doc.Cell) bool { return len(c.Text.Words) > 2 && c.Text.At(0, lex.ClassMake) })
}

// workRow takes a row that gives a task and says that it is complete.
func (x *extraction) workRow(b *doc.Block) {
	f := &rowFeatures{features: x.features(b)}
	for i, c := range b.Table.Columns {
		if i < len(b.Cells) && c.Roles.Has(lex.RoleStatus) {
			f.state, f.name = cellStatus(b.Cells[i]), c.Name
			break
		}
	}
	if r := first(rowWorkRules, f); r.verdict != refuse {
		x.event(episode.Milestone, b, b.Span, b.Full(), r.name)
	}
}
