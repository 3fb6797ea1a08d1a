package rules

import (
	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// rowVerdict takes a row that gives a judgement: who judged is the question, the
// other cells say why.
func (x *extraction) rowVerdict(b *doc.Block, v int) {
	t := b.Cells[v].Text
	if !t.Verdict() && !t.At(0, lex.ClassMark) || len(t.Words) > 15 {
		return
	}
	f := x.newDecision(b, b.Span, t, "column "+quote(b.Table.Columns[v].Name))
	for i, c := range b.Cells {
		switch {
		case i == v || c.Text.Empty():
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
func (x *extraction) rowRefusal(b *doc.Block) {
	for i, c := range b.Table.Columns {
		if i >= len(b.Cells) || !c.Roles.Any(lex.RoleStatus, lex.RoleResult, lex.RoleOutcome) {
			continue
		}
		t := b.Cells[i].Text
		if i == 0 || !t.At(0, lex.ClassRefuseAct) || len(t.Words) > 4 || b.InProtocol() { // states in the first column are a tally of them
			return
		}
		f := x.newDecision(b, b.Span, t, "column "+quote(c.Name)+" says "+quote(t.Words[0].Lower))
		f.Decision.Chosen = facts.Shorten(t.Raw+": "+b.Cells[0].Text.Raw, facts.MaxContent)
		if last := b.Cells[len(b.Cells)-1].Text; len(b.Cells)-1 > i {
			f.Decision.Rationale = facts.Shorten(last.Raw, facts.MaxContent)
		}
		return
	}
}

// rowDecision takes a table row whose columns say that it is a decision.
func (x *extraction) rowDecision(b *doc.Block) {
	cols := b.Table.Columns
	at := func(rs ...lex.Role) int {
		for i, c := range cols {
			if i < len(b.Cells) && c.Roles.Any(rs...) {
				return i
			}
		}
		return -1
	}
	if b.Section.Within(lex.RoleOptions) && at(lex.RoleChosen) < 0 {
		return
	}
	what := at(lex.RoleDecision, lex.RoleChosen)
	if v := at(lex.RoleVerdict); what < 0 && v >= 0 {
		x.rowVerdict(b, v)
		return
	}
	problem, repair := at(lex.RoleProblem, lex.RoleCause), false
	if what < 0 {
		if fix := at(lex.RoleFix); fix >= 0 && problem >= 0 && len(b.Cells[fix].Text.Words) > 1 && !b.Cells[fix].Text.Blank() {
			what, repair = fix, true
		}
	}
	place := "column "
	if what < 0 && at(lex.RoleReason) >= 0 { // what comes with a reason was chosen
		what = at(lex.RoleFix, lex.RoleAttempt)
	}
	if what < 0 && b.Section.Has(lex.RoleDecision) && len(cols) > 1 {
		what, place = 0, "table under "+quote(b.Section.Title.Raw)+", column "
	}
	if what < 0 && b.Section.Has(lex.RoleRefused) {
		what = 0
	}
	if what < 0 {
		x.rowRefusal(b)
		return
	}
	if what >= len(b.Cells) || b.Cells[what].Text.Empty() || b.Cells[what].Text.Blank() {
		return
	}
	choice := b.Cells[what].Text
	if repair {
		cause, act := fixOf(choice)
		if !cause.Empty() {
			x.event(episode.Error, b, b.Span, cause.Raw, "the fix names the cause").cause = true
		}
		if choice = act; choice.Empty() {
			return
		}
	}
	f := x.newDecision(b, b.Span, choice, place+quote(cols[what].Name))
	if repair {
		f.repair = true
		f.Decision.Type = episode.Recovery
		f.Decision.Context = facts.Shorten(b.Cells[problem].Text.Raw, facts.MaxContent)
	}
	for i, c := range cols {
		if i >= len(b.Cells) || i == what || b.Cells[i].Text.Empty() {
			continue
		}
		t := b.Cells[i].Text
		switch {
		case c.Roles.Has(lex.RoleReason):
			f.Decision.Rationale = facts.Shorten(t.Raw, facts.MaxContent)
		case c.Roles.Any(lex.RoleOptions, lex.RoleRejected):
			f.Decision.Options = append(f.Decision.Options, splitList(t.Raw)...)
		case c.Roles.Any(lex.RoleContext) && f.Decision.Context == "":
			f.Decision.Context = facts.Shorten(t.Raw, facts.MaxContent)
		case c.Roles.Any(lex.RoleOutcome, lex.RoleResult, lex.RoleStatus):
			f.Decision.Outcome = cellStatus(b.Cells[i])
		}
	}
	options(f)
}
