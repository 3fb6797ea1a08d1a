package rules

import (
	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// rowFeatures are what the rules ask of a table row.
type rowFeatures struct {
	*doc.Block
}

// column is the first column with one of the roles in which the row has a cell, -1
// when there is none.
func (r *rowFeatures) column(rs ...lex.Role) int {
	for i, c := range r.Table.Columns {
		if i < len(r.Cells) && c.Roles.Any(rs...) {
			return i
		}
	}
	return -1
}

func (r *rowFeatures) names(rs ...lex.Role) bool { return r.column(rs...) >= 0 }

// rowChoice is how a row gives a decision: in which column, and who takes it.
type rowChoice struct {
	column func(*rowFeatures) int
	take   func(*extraction, *rowFeatures, int, reason)
}

// in is the column with one of the roles.
func in(rs ...lex.Role) func(*rowFeatures) int {
	return func(r *rowFeatures) int { return r.column(rs...) }
}

func firstColumn(*rowFeatures) int { return 0 }

// rowRules take the decisions that table rows give.
var rowRules = []ruleOn[*rowFeatures, rowChoice]{
	{"row of options", func(r *rowFeatures) bool { return r.Section.Within(lex.RoleOptions) && !r.names(lex.RoleChosen) }, rowChoice{}},
	{"column names the decision", func(r *rowFeatures) bool { return r.names(lex.RoleDecision, lex.RoleChosen) }, rowChoice{in(lex.RoleDecision, lex.RoleChosen), (*extraction).rowDecides}},
	{"column asks for a verdict", func(r *rowFeatures) bool { return r.names(lex.RoleVerdict) }, rowChoice{in(lex.RoleVerdict), (*extraction).rowVerdict}},
	{"column names the fix of a problem", (*rowFeatures).fixed, rowChoice{in(lex.RoleFix), (*extraction).rowRepairs}},
	{"column names a way beside its reason", func(r *rowFeatures) bool { return r.names(lex.RoleReason) && r.names(lex.RoleFix, lex.RoleAttempt) }, rowChoice{in(lex.RoleFix, lex.RoleAttempt), (*extraction).rowDecides}},
	{"table under a heading of decisions", func(r *rowFeatures) bool { return r.Section.Has(lex.RoleDecision) && len(r.Table.Columns) > 1 }, rowChoice{firstColumn, (*extraction).rowDecides}},
	{"table under a heading of what is not done", func(r *rowFeatures) bool { return r.Section.Has(lex.RoleRefused) }, rowChoice{firstColumn, (*extraction).rowDecides}},
	{"state says that it is not done", (*rowFeatures).refused, rowChoice{in(lex.RoleStatus, lex.RoleResult, lex.RoleOutcome), (*extraction).rowRefusal}},
}

// fixed: the row gives a problem and, in another column, what was done about it.
func (r *rowFeatures) fixed() bool {
	fix := r.column(lex.RoleFix)
	return fix >= 0 && r.names(lex.RoleProblem, lex.RoleCause) && len(r.Cells[fix].Text.Words) > 1 && !r.Cells[fix].Text.Blank()
}

// refused: the state in the row is "skipped" or the like. States in the first column
// are a tally of them.
func (r *rowFeatures) refused() bool {
	i := r.column(lex.RoleStatus, lex.RoleResult, lex.RoleOutcome)
	return i > 0 && r.Cells[i].Text.At(0, lex.ClassRefuseAct) && len(r.Cells[i].Text.Words) <= 4 && !r.InProtocol()
}

// rowDecision takes a table row whose columns say that it is a decision.
func (x *extraction) rowDecision(b *doc.Block) {
	row := &rowFeatures{b}
	r := first(rowRules, row)
	if r == nil || r.verdict.take == nil {
		return
	}
	if i := r.verdict.column(row); i < len(b.Cells) {
		r.verdict.take(x, row, i, because(r.name, b.Table.Columns[i].Name))
	}
}

// rowVerdict takes a row that gives a judgement: who judged is the question, the
// other cells say why.
func (x *extraction) rowVerdict(r *rowFeatures, at int, why reason) {
	t := r.Cells[at].Text
	if !t.Verdict() && !t.At(0, lex.ClassMark) || len(t.Words) > 15 {
		return
	}
	f := x.newDecision(r.Block, r.Span, t, why)
	for i, c := range r.Cells {
		switch {
		case i == at || c.Text.Empty():
		case f.Decision.Context == "":
			f.Decision.Context = facts.Shorten(c.Text.Raw, facts.MaxContent)
			f.Decision.Chosen = facts.Shorten(f.Decision.Context+": "+f.Decision.Chosen, facts.MaxContent)
		case f.Decision.Rationale == "":
			f.Decision.Rationale = facts.Shorten(c.Text.Raw, facts.MaxContent)
		}
	}
}

// rowRefusal takes a row whose state says that its subject was left out, with
// the reason in another cell.
func (x *extraction) rowRefusal(r *rowFeatures, at int, why reason) {
	t := r.Cells[at].Text
	f := x.newDecision(r.Block, r.Span, t, why)
	f.Decision.Chosen = facts.Shorten(t.Raw+": "+r.Cells[0].Text.Raw, facts.MaxContent)
	if last := len(r.Cells) - 1; last > at {
		f.Decision.Rationale = facts.Shorten(r.Cells[last].Text.Raw, facts.MaxContent)
	}
}

// rowRepairs takes what was done about the problem of a row.
func (x *extraction) rowRepairs(r *rowFeatures, at int, why reason) {
	act := withoutCause(r.Cells[at].Text)
	if act.Empty() {
		return
	}
	f := x.newDecision(r.Block, r.Span, act, why)
	f.repair, f.Decision.Type = true, episode.Recovery
	f.Decision.Context = facts.Shorten(r.Cells[r.column(lex.RoleProblem, lex.RoleCause)].Text.Raw, facts.MaxContent)
	x.otherCells(f, r, at)
}

// rowDecides takes the choice of a row.
func (x *extraction) rowDecides(r *rowFeatures, at int, why reason) {
	if t := r.Cells[at].Text; !t.Blank() {
		x.otherCells(x.newDecision(r.Block, r.Span, t, why), r, at)
	}
}

// otherCells reads what the other cells of a row say of its decision.
func (x *extraction) otherCells(f *fact, r *rowFeatures, at int) {
	for i, c := range r.Table.Columns {
		if i >= len(r.Cells) || i == at || r.Cells[i].Text.Empty() {
			continue
		}
		t := r.Cells[i].Text
		switch {
		case c.Roles.Has(lex.RoleReason):
			f.Decision.Rationale = facts.Shorten(t.Raw, facts.MaxContent)
		case c.Roles.Any(lex.RoleOptions, lex.RoleRejected):
			f.Decision.Options = append(f.Decision.Options, splitList(t.Raw)...)
		case c.Roles.Has(lex.RoleContext) && f.Decision.Context == "":
			f.Decision.Context = facts.Shorten(t.Raw, facts.MaxContent)
		case c.Roles.Any(lex.RoleOutcome, lex.RoleResult, lex.RoleStatus):
			f.Decision.Outcome = cellStatus(r.Cells[i])
		}
	}
	options(f)
}
