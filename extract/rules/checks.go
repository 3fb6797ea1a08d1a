package rules

import (
	"fmt"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// Rules of checks that are in no table of rules.
const (
	outputCounts  = "output counts the result of a check"
	rowOfChecks   = "row stands in a table of checks"
	tableOfChecks = "table lists many checks"

	amongOthers     = "gives a result among checks"
	madeSure        = "says that it was verified"
	headingCounts   = "heading counts the result of a check"
	rowCountsResult = "row counts the result of a check"
)

// testRules say which blocks give the result of a check.
var testRules = []rule[taking]{
	{"is about the log itself", func(f *features) bool { return quiet(f.block) }, refuse},
	{"section is not about what was checked", func(f *features) bool {
		return f.within(lex.RolePlan, lex.RoleHandoff, lex.RoleLesson, lex.RoleBase) || f.under(lex.RoleTask)
	}, refuse},
	{"is still to be run", func(f *features) bool { return f.text.Is(lex.ClassNeeded) && !f.counted }, refuse},
	{"is long", func(f *features) bool {
		return f.words > 45 && !(f.labels(lex.RoleTest, lex.RoleResult) && f.passes)
	}, refuse},
	{"label says otherwise", func(f *features) bool {
		return f.labels(lex.RoleFix, lex.RoleReason, lex.RoleDecision, lex.RoleTask, lex.RoleCommit,
			lex.RoleFiles, lex.RoleProblem, lex.RoleCause, lex.RoleHandoff, lex.RolePlan, lex.RoleLesson)
	}, refuse},
	{"states a choice or a problem", func(f *features) bool {
		return f.under(lex.RoleDecision) || f.above.Any(lex.RoleProblem, lex.RoleFailed)
	}, refuse},
	{"label gives the result of an attempt", (*features).resultOfAttempt, take},
	{"says where the work stands", func(f *features) bool {
		at := f.text.Index(lex.ClassVerify)
		return at > 0 && f.text.At(at-1, lex.ClassSetup) && f.text.At(at, lex.ClassSetup) ||
			at == 0 && f.text.At(1, lex.ClassSetup) && strings.HasPrefix(f.text.Raw[f.text.Words[1].End:], ":")
	}, refuse},
	{"counts the result of a check", func(f *features) bool {
		return f.counted && (f.namesCheck || f.amongChecks || f.under(lex.RoleResult, lex.RoleOutcome) && f.quotesCode)
	}, take},
	{"gives the result of a command", func(f *features) bool { return !f.nested && f.text.CommandResult().Known() }, take},
	{"names a check that worked", func(f *features) bool {
		return f.under(lex.RoleWorked) && f.namesCheck && f.passes
	}, take},
	{madeSure, func(f *features) bool { return !f.nested && f.madeSure() }, take},
	{amongOthers, func(f *features) bool {
		return f.amongChecks && !f.nested && (f.passes || f.failing() && f.text.TestOutcome().Known()) &&
			(f.namesCheck || f.text.Is(lex.ClassLint) || f.done || f.markedFailing())
	}, take},
	{"names a command that worked", func(f *features) bool {
		return f.under(lex.RoleWorked) && f.item && !f.nested && (f.quotesCode || f.text.Is(lex.ClassCI)) &&
			(f.passes || f.text.Is(lex.ClassRan))
	}, take},
}

// markedFailing: a mark says that a check failed, of which the words say how it went.
func (f *features) markedFailing() bool {
	return f.block.Tick == doc.BadTick
}

// resultOfAttempt: the label gives the result of what was tried.
func (f *features) resultOfAttempt() bool {
	return f.labels(lex.RoleResult) && f.words > 1 && (f.done || f.counted || f.passes &&
		f.block.SiblingRole(lex.RoleAttempt, lex.RoleFix) != nil)
}

// madeSure: the text reports a check that the writer made, with its result:
// "Verified that X", "Ran the tests (pass)".
func (f *features) madeSure() bool {
	t := f.text
	switch {
	case f.within(lex.RoleSkip), f.under(lex.RoleDecision, lex.RoleFinding, lex.RoleProblem), f.words < 3:
		return false
	case t.At(1, lex.ClassSetup), t.At(2, lex.ClassSetup):
		return false // the state of the work, not whether it works
	case f.opens(lex.ClassVerify), f.opens(lex.ClassFirst) && t.At(1, lex.ClassVerify):
		return f.words <= 40 && (f.namesCheck || f.text.Is(lex.ClassRan) || f.done)
	}
	return f.opens(lex.ClassRun) && f.words <= 30 && t.HasWord(lex.ClassTest) && (f.passes || f.failing() || f.done)
}

// tests extracts verifications that show their result.
func (x *extraction) tests() {
	for _, s := range x.doc.Sections {
		if t := s.Title; s.Level > 1 && t.HasCount() && t.Is(lex.ClassTest) {
			x.event(episode.Test, nil, episode.Span{s.Line, s.Line}, t.Raw, headingCounts).section = s
		}
	}
	done := map[*doc.Table]bool{}
	for _, b := range x.doc.Blocks {
		switch {
		case x.used[b] != nil || b.Struck || b.Box && b.Tick == doc.OpenTick:
		case b.Kind == doc.Code:
			x.codeTest(b)
		case b.Kind == doc.Row:
			if s := b.Section; !done[b.Table] && s.Has(lex.RoleTest) &&
				!(b.Intro != nil && b.Intro.LabelRoles.Has(lex.RoleOptions)) && !s.Has(lex.RolePlan) && !s.Within(lex.RoleSkip) {
				done[b.Table] = x.tableTest(b)
			}
			if !done[b.Table] {
				x.logRow(b)
			}
		default:
			if rule := takes(testRules, x.features(b)); rule != "" {
				x.event(episode.Test, b, b.Span, b.Full(), rule)
			}
		}
	}
}

// codeTest extracts the result lines of a check's quoted output, where the location
// says that it is one.
func (x *extraction) codeTest(b *doc.Block) {
	if b.Section.RolesAbove.Any(lex.RolePlan, lex.RoleLesson, lex.RoleHandoff, lex.RoleBase) {
		return
	}
	among := b.Section.Has(lex.RoleTest) || b.Intro != nil && (b.Intro.Text.Is(lex.ClassTest) || b.Intro.LabelRoles.Has(lex.RoleTest))
	for i, l := range strings.Split(strings.TrimRight(b.Code, "\n"), "\n") {
		t := x.plain(lex.Collapse(l))
		if _, comment, ok := strings.Cut(l, " # "); ok && lex.Expectations.Has(x.plain(comment).First()) {
			continue // of a command that is given, not its output
		}
		if t.HasCount() && !lex.Expectations.Has(t.First()) && (among || t.Is(lex.ClassTest)) {
			line := b.Span[0] + i
			x.event(episode.Test, b, episode.Span{line, line}, t.Raw, outputCounts)
		}
	}
}

// stateColumn is the column of a table that gives the state of each row: by its name,
// else since all its cells carry a status mark; -1: none.
func stateColumn(t *doc.Table) int {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		if t.Columns[i].Roles.Any(lex.RoleStatus, lex.RoleResult) {
			return i
		}
	}
	for i := range t.Columns {
		all := true
		for _, r := range t.Rows {
			all = all && i < len(r.Cells) && r.Cells[i].Tick != doc.NoTick
		}
		if all {
			return i
		}
	}
	return -1
}

// rowStatus is what the cell of a row in a column says; unknown where it has none.
func rowStatus(b *doc.Block, column int) episode.Outcome {
	if column >= len(b.Cells) {
		return episode.Unknown
	}
	return cellStatus(b.Cells[column])
}

// tableTest extracts a table of checks when it has a state column: a short one row by
// row, a longer one as one event. It reports whether the table is dealt with.
func (x *extraction) tableTest(first *doc.Block) bool {
	tab := first.Table
	column := stateColumn(tab)
	if column < 0 {
		x.countedRows(tab)
		return true
	}
	n := map[episode.Outcome]int{}
	for _, b := range tab.Rows {
		if column < len(b.Cells) {
			n[rowStatus(b, column)]++
		}
	}
	pass, fail, rest := n[episode.Success], n[episode.Failure], n[episode.Partial]+n[episode.Unknown]
	switch {
	case pass+fail == 0:
	case len(tab.Rows) <= 6:
		for _, b := range tab.Rows {
			if b.Full() != "" && !(column < len(b.Cells) && b.Cells[column].Text.At(0, lex.ClassNeeded)) { // else the mark names nothing that passed
				x.event(episode.Test, b, b.Span, b.Full(), rowOfChecks).state = rowStatus(b, column)
			}
		}
	default:
		span := episode.Span{first.Span[0], max(first.Span[1], tab.Rows[len(tab.Rows)-1].Span[1])}
		f := x.event(episode.Test, first, span, first.Section.Title.Raw+": "+countText(pass, fail, rest), tableOfChecks)
		for _, b := range tab.Rows {
			x.used[b] = f
		}
	}
	return true
}

// countedRows extracts the rows of a table without a column of states that count the
// result of a check; of several cells that do, the last one gives it.
func (x *extraction) countedRows(tab *doc.Table) {
	for _, b := range tab.Rows {
		for _, c := range slices.Backward(b.Cells) {
			if c.Text.HasCount() {
				x.event(episode.Test, b, b.Span, b.Full(), rowCountsResult).state = c.Text.TestOutcome()
				break
			}
		}
	}
}

func countText(pass, fail, rest int) string {
	s := fmt.Sprintf("%d passed, %d failed", pass, fail)
	return s
}

// checkOutcome is how a check ended: as its row says, else as its text does. The mark before a text
// outweighs words in it that are no count.
func checkOutcome(f *fact) episode.Outcome {
	if f.state.Known() {
		return f.state
	}
	if b := f.block; b != nil && b.Kind == doc.Item && !b.Box && !f.text.HasCount() {
		if o := tickOutcome(b.Tick); o.Known() {
			return o
		}
	}
	o := f.text.TestOutcome()
	return o
}
