package rules

import (
	"slices"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// choiceRow are what the rules ask of a table row.
type choiceRow struct {
	*doc.Block
}

// column returns the first column with one of the roles in which the row has a cell, or
// -1.
func (r *choiceRow) column(rs ...lex.Role) int {
	for i, c := range r.Table.Columns {
		if i < len(r.Cells) && c.Roles.Any(rs...) {
			return i
		}
	}
	return -1
}

func (r *choiceRow) names(rs ...lex.Role) bool { return r.column(rs...) >= 0 }

// rowChoice is how a row gives a decision: in which column, and who takes it.
type rowChoice struct {
	column func(*choiceRow) int
	take   func(*extraction, *choiceRow, int, string)
}

// in is the column with one of the roles.
func in(rs ...lex.Role) func(*choiceRow) int {
	return func(r *choiceRow) int { return r.column(rs...) }
}

// rowRules take the decisions that table rows give.
var rowRules = []ruleOn[*choiceRow, rowChoice]{
	{"column names the decision", func(r *choiceRow) bool { return r.names(lex.RoleDecision, lex.RoleChosen) },
		rowChoice{in(lex.RoleDecision, lex.RoleChosen), (*extraction).rowDecides}},
	{"column asks for a verdict", func(r *choiceRow) bool { return r.names(lex.RoleVerdict) },
		rowChoice{in(lex.RoleVerdict), (*extraction).rowVerdict}},
	{"column names the fix of a problem", (*choiceRow).fixed, rowChoice{in(lex.RoleFix), (*extraction).rowRepairs}},
}

// fixed: the row gives a problem and, in another column, what was done about it.
func (r *choiceRow) fixed() bool {
	fix := r.column(lex.RoleFix)
	return fix >= 0 && r.names(lex.RoleProblem, lex.RoleCause) && len(r.Cells[fix].Text.Words) > 1 && !r.Cells[fix].Text.Blank()
}

// unrepaired: the fix of a problem says that nothing was done about it: it is declined,
// or there was nothing to mend.
func (r *choiceRow) unrepaired() bool {
	fix := r.column(lex.RoleFix)
	return fix >= 0 && noRepair(r.Cells[fix].Text)
}

func noRepair(t lex.Text) bool {
	return t.At(0, lex.ClassRefuseAct) || t.At(0, lex.ClassEarlier)
}

// committed: the row names the commit by which its problem was mended.
func (r *choiceRow) committed() bool { return r.fixed() && r.names(lex.RoleCommit) }

// listsComments reports whether a table lists comments of a review: what is done about
// one is work, no way out of a fault of the session's own.
func (x *extraction) listsComments(t *doc.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c doc.Column) bool { return x.plain(c.Name).FirstIs(lex.ClassTracker) })
}

// fixWithCommit is the rule of work that a row gives as the fix of what a comment found,
// with its commit.
const fixWithCommit = "column names the fix of a comment beside its commit"

// rowMends extracts a fix that was committed as a piece of work.
func (x *extraction) rowMends(r *choiceRow) {
	fix := r.column(lex.RoleFix)
	x.event(episode.Milestone, r.Block, r.Span, r.Cells[fix].Text.Raw, fixWithCommit)
}

// rowDecision extracts a table row whose columns say that it is a decision.
func (x *extraction) rowDecision(b *doc.Block) {
	if b.Table.Names(lex.RolePlan) { // of risks and what is to be done about them
		return
	}
	row := &choiceRow{b}
	if row.committed() && x.listsComments(b.Table) {
		x.rowMends(row)
		return
	}
	if row.names(lex.RoleVerdict) && !row.names(lex.RoleDecision, lex.RoleChosen) && x.listsComments(b.Table) {
		return // the kind of a finding, no judgement of the session's
	}
	r := first(rowRules, row)
	if r == nil || r.verdict.take == nil {
		return
	}
	if i := r.verdict.column(row); i < len(b.Cells) {
		r.verdict.take(x, row, i, r.name)
	}
}

// rowVerdict extracts a row that gives a judgement: who judged is the question, the
// other cells say why.
func (x *extraction) rowVerdict(r *choiceRow, at int, rule string) {
	t := r.Cells[at].Text
	if !t.Verdict() || len(t.Words) > 15 {
		return
	}
	f := x.newDecision(r.Block, r.Span, t, rule)
	for i, c := range r.Cells {
		switch {
		case i == at || c.Text.Empty():
		case f.Decision.Context == "":
			f.Decision.Context = episode.Shorten(c.Text.Raw, episode.MaxContent)
			f.Decision.Chosen = episode.Shorten(f.Decision.Context+": "+f.Decision.Chosen, episode.MaxContent)
		case f.Decision.Rationale == "":
			f.Decision.Rationale = episode.Shorten(c.Text.Raw, episode.MaxContent)
		}
	}
}

// rowRepairs extracts what was done about the problem of a row.
func (x *extraction) rowRepairs(r *choiceRow, at int, rule string) {
	act := withoutCause(r.Cells[at].Text)
	if act.Empty() {
		return
	}
	f := x.newDecision(r.Block, r.Span, act, rule)
	f.Decision.Type = episode.Recovery
	f.Decision.Context = episode.Shorten(r.Cells[r.column(lex.RoleProblem, lex.RoleCause)].Text.Raw, episode.MaxContent)
	x.otherCells(f, r, at)
}

// rowDecides extracts the choice of a row.
func (x *extraction) rowDecides(r *choiceRow, at int, rule string) {
	if t := r.Cells[at].Text; !t.Blank() {
		x.otherCells(x.newDecision(r.Block, r.Span, t, rule), r, at)
	}
}

// otherCells reads what the other cells of a row say of its decision.
func (x *extraction) otherCells(f *fact, r *choiceRow, at int) {
	for i, c := range r.Table.Columns {
		if i >= len(r.Cells) || i == at || r.Cells[i].Text.Empty() {
			continue
		}
		t := r.Cells[i].Text
		switch {
		case c.Roles.Has(lex.RoleReason):
			f.Decision.Rationale = episode.Shorten(t.Raw, episode.MaxContent)
		case c.Roles.Any(lex.RoleOptions, lex.RoleRejected):
			f.Decision.Options = append(f.Decision.Options, splitList(t.Raw)...)
		case c.Roles.Has(lex.RoleContext) && f.Decision.Context == "":
			f.Decision.Context = episode.Shorten(t.Raw, episode.MaxContent)
		case c.Roles.Any(lex.RoleOutcome, lex.RoleResult, lex.RoleStatus):
			if !documentState(t) {
				f.Decision.Outcome = cellStatus(r.Cells[i])
			}
		}
	}
	options(f)
}
