package rules

import (
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// errorRules decide whether a block reports an error.
var errorRules = []rule[taking]{
	// Never an error.
	{"asks a question", func(f *features) bool { return f.question }, refuse},
	{"heading says that there is none", func(f *features) bool { return f.section.Title.Blank() && !f.section.Title.Empty() }, refuse},
	{"names a ticket or supposes", func(f *features) bool { return f.label == 0 && (f.text.IsTicket() || f.text.Supposed()) }, refuse},
	{"told with the error that opens its list", func(f *features) bool { return f.item && f.introFact.isError() }, refuse},
	{"says that all is well", func(f *features) bool { return f.text.NoError() }, refuse},
	{"names the command that failed", (*features).failingCommand, refuse},
	{"was found untrue", (*features).withdrawn, refuse},
	{"is a failure that is meant", (*features).meant, refuse},
	{"label takes itself back", (*features).labelDenies, refuse},

	// The label names a problem.
	{"no problem after the label", func(f *features) bool { return f.problemLabel() && (f.blank || f.words < 2 || f.count) }, refuse},
	{"impact without a failure", (*features).harmlessImpact, refuse},
	{"field at the head of the log", func(f *features) bool { return f.problemLabel() && headField(f.block) }, refuse},
	{"label names the cause", func(f *features) bool { return f.problemLabel() && f.label.Has(lex.RoleCause) },
		takeCause},
	{"label names the problem", (*features).problemLabel, take},

	{"label names what is missing", func(f *features) bool { return f.topItem() && f.under(lex.RoleProblem) && f.labelText.Lacks() }, take},
	{"label says otherwise", func(f *features) bool { return f.label.Any(otherLabels...) }, refuse},
	{"stands with its solution", (*features).besideFix, take},

	// The section says otherwise.
	{"under a plan or options or files", func(f *features) bool {
		return f.within(lex.RolePlan, lex.RoleHandoff, lex.RoleOptions, lex.RoleConsequence, lex.RoleFiles)
	}, refuse},
	{"under a task or fix or commit", func(f *features) bool { return f.under(lex.RoleTask, lex.RoleFix, lex.RoleCommit) }, refuse},

	{"label names a failure", (*features).failureLabel, take},
	{"says that faults were found", func(f *features) bool { return !f.nested && f.words <= 40 && f.text.Found() }, take},

	// The line that introduces the list names a problem.
	{"under a label that names the problem", (*features).problemAbove, take},

	// Findings and results.

	// The heading names a problem.
	{"nothing or a repair under a problem heading", func(f *features) bool { return f.problemItem() && (f.blank || f.repaired || f.done) }, refuse},
	{"under a heading that names the problem", func(f *features) bool { return f.problemItem() && (f.failing() || f.lacks()) }, take},
	{"first words under a heading that names the cause", func(f *features) bool { return f.prose && f.causeHeading() },
		takeCause},
	{"first words under a heading that names the problem", (*features).problemProse, take},

	// The words report a failure.
	{"says that it was reported", func(f *features) bool {
		return !f.nested && f.text.Reported()
	}, take},
	{"finding that says that something failed", func(f *features) bool {
		return f.finding() && f.failing() && !f.done && f.words <= 30
	}, take},
	{"graded finding", func(f *features) bool { return f.finding() && f.graded && !f.repaired }, take},
	{"summary or context opens with an error", func(f *features) bool {
		return f.prose && f.under(lex.RoleSummary, lex.RoleContext) && f.text.OpensWithError()
	}, take},
	{"no word of failure", func(f *features) bool { return !f.failing() }, refuse},
	{"reports a repair", func(f *features) bool { return f.repaired }, refuse},
	{"stands before the decision of its section", func(f *features) bool { return beforeChoice(f.block) }, take},
	{"says that something failed", func(f *features) bool { return f.strongFail && !f.nested },
		take},
}

// cellFeatures are what the rules ask of a cell in a column of problems or causes.
type cellFeatures struct {
	column doc.Column
	table  *doc.Table
	text   lex.Text
	words  int
	fails  bool
}

// answered: another column gives the solution.
func (f *cellFeatures) answered() bool {
	return f.table.Names(lex.RoleFix) && !f.column.Roles.Has(lex.RoleCause)
}

func (f *cellFeatures) noStatement() bool {
	return f.text.Blank() || f.text.CountOnly() || f.text.IsTicket()
}

// errorCells decide whether a cell of such a column reports an error.
var errorCells = []ruleOn[*cellFeatures, taking]{
	{"column names the problem beside its solution", func(f *cellFeatures) bool { return f.answered() && f.words > 1 }, take},
	{"says nothing or a count or a ticket", func(f *cellFeatures) bool { return f.noStatement() || f.text.IsCount() }, refuse},
	{"too short for a problem", func(f *cellFeatures) bool {
		return f.words < 5 && !f.fails && (f.words < 2 || !f.table.Names(lex.RoleFiles))
	}, refuse},
	{"column names the cause", func(f *cellFeatures) bool { return f.column.Roles.Has(lex.RoleCause) }, takeCause},
	{"column names the problem", func(*cellFeatures) bool { return true }, take},
}
