package rules

import (
	"fmt"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// tests takes verifications that show their result.
func (x *extraction) tests() {
	done := map[*doc.Table]bool{}
	for _, b := range x.doc.Blocks {
		if x.used[b] != nil || b.Struck {
			continue
		}
		switch b.Kind {
		case doc.Code:
			x.codeTest(b)
		case doc.Row:
			if !done[b.Table] && b.Section.Roles.Has(lex.RoleTest) && !b.Section.Roles.Any(lex.RolePlan) && !b.Section.Within(lex.RoleSkip) {
				done[b.Table] = x.tableTest(b)
			}
			if !done[b.Table] {
				x.logRow(b)
			}
		default:
			if quiet(b) || b.Section.Within(lex.RolePlan) || b.Section.Within(lex.RoleHandoff) || b.Section.Within(lex.RoleLesson) || b.Section.Has(lex.RoleTask) {
				continue
			}
			if why, ok := x.testText(b); ok {
				x.event(episode.Test, b, b.Span, b.Full(), why)
			}
		}
	}
}

// testText decides whether a block gives the result of a check.
func (x *extraction) testText(b *doc.Block) (string, bool) {
	t := b.Text
	if t.Empty() || b.Parent != nil && x.used[b.Parent] != nil || len(t.Words) > 45 && !(b.LabelRoles.Any(lex.RoleTest, lex.RoleResult) && t.Is(lex.ClassPass)) || (b.Tick == doc.OpenTick || b.Tick == doc.BadTick) && !t.HasCount() && !b.LabelRoles.Has(lex.RoleResult) {
		return "", false
	}
	if b.LabelRoles.Any(lex.RoleFix, lex.RoleReason, lex.RoleDecision, lex.RoleTask, lex.RoleCommit, lex.RoleFiles, lex.RoleProblem, lex.RoleCause, lex.RoleHandoff, lex.RolePlan, lex.RoleLesson) {
		return "", false
	}
	place := b.Section.Roles.Has(lex.RoleTest) || b.LabelRoles.Has(lex.RoleTest) || b.Intro != nil && b.Intro.LabelRoles.Has(lex.RoleTest) || b.Parent != nil && b.Parent.LabelRoles.Has(lex.RoleTest)
	results := b.Section.Roles.Any(lex.RoleResult, lex.RoleOutcome)
	if b.LabelRoles.Has(lex.RoleResult) && len(t.Words) > 1 && (b.Tick == doc.DoneTick || t.HasCount() || b.SiblingRole(lex.RoleAttempt, lex.RoleFix) != nil && t.Is(lex.ClassPass)) {
		return "result of an attempt", true
	}
	counted := t.HasCount()
	pass := t.Is(lex.ClassPass)
	fail := t.FailsAt() >= 0
	test := t.Is(lex.ClassTest) || b.LabelText.Is(lex.ClassTest)
	switch {
	case counted && (test || place || results && t.HasCode()):
		return "counted result", true
	case t.At(0, lex.ClassAll) && test && pass && !fail && len(t.Words) <= 20:
		return "says that all checks passed", true
	case b.Section.Has(lex.RoleWorked) && test && pass && b.Parent == nil:
		return "what worked", true
	case b.Parent == nil && madeSure(b):
		return "says that it was verified", true
	case place && b.Parent == nil && (pass || fail && t.TestOutcome().Known()) && (test || t.Is(lex.ClassLint) || b.Tick == doc.DoneTick):
		return "result of a check", true
	case place && b.Parent == nil && statedPass(b):
		return "a state", true
	case b.Section.Has(lex.RoleWorked) && b.Kind == doc.Item && b.Parent == nil && (t.HasCode() || t.Is(lex.ClassCI)) && (pass || t.RanThrough()):
		return "what worked", true
	}
	return "", false
}

// stateOf is what a block says of the thing that its label names, or an item before
// its colon; empty when it names none.
func stateOf(b *doc.Block) lex.Text {
	if b.Label != "" {
		return b.Text
	}
	i := strings.Index(b.Text.Raw, ": ")
	if i <= 0 || b.Kind != doc.Item || len(b.Text.Sub(0, i).Words) > 6 {
		return lex.Text{}
	}
	return b.Text.Sub(i+2, len(b.Text.Raw))
}

// statedPass reports whether an item gives the result of a check in capitals:
// "Type checker: PASS (3 warnings)".
func statedPass(b *doc.Block) bool {
	if b.Kind != doc.Item || b.Section.Level < 2 || b.LabelRoles.Any(lex.RoleStatus, lex.RoleVerdict, lex.RoleOutcome) {
		return false
	}
	t := stateOf(b)
	return t.At(0, lex.ClassMark) && t.At(0, lex.ClassPass) && t.Capitals(0)
}

// madeSure reports whether a text reports a check that the writer made, with
// its result: "Verified that X", "Ran the tests (pass)".
func madeSure(b *doc.Block) bool {
	t := b.Text
	if s := b.Section; s.Within(lex.RoleSkip) || s.Any(lex.RoleDecision, lex.RoleFinding, lex.RoleProblem) || len(t.Words) < 3 {
		return false
	}
	if t.At(1, lex.ClassSetup) || t.At(2, lex.ClassSetup) {
		return false // where the work stands, not whether it works
	}
	if t.At(0, lex.ClassVerify) || t.At(0, lex.ClassFirst) && t.At(1, lex.ClassVerify) {
		return len(t.Words) <= 40
	}
	return t.At(0, lex.ClassRun) && len(t.Words) <= 30 && t.HasWord(lex.ClassTest) && (t.Is(lex.ClassPass) || t.FailsAt() >= 0 || b.Tick == doc.DoneTick)
}

// codeTest takes the result lines of a check's quoted output, where the location
// says that it is one.
func (x *extraction) codeTest(b *doc.Block) {
	if !b.Section.Roles.Has(lex.RoleTest) && (b.Intro == nil || !b.Intro.Text.Is(lex.ClassTest) && !b.Intro.LabelRoles.Has(lex.RoleTest)) {
		return
	}
	for i, l := range strings.Split(strings.TrimRight(b.Code, "\n"), "\n") {
		t := x.plain(lex.Collapse(l))
		if !t.HasCount() || t.First() == "expected" {
			continue
		}
		line := b.Span[0] + i
		x.event(episode.Test, b, episode.Span{line, line}, t.Raw, "output of a check")
		return
	}
}

// tickColumn is the column whose cells all carry a status mark, or -1.
func tickColumn(t *doc.Table) int {
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

// tableTest takes a table of checks as one event when it has a state column, and
// reports whether the table is dealt with.
func (x *extraction) tableTest(first *doc.Block) bool {
	tab := first.Table
	state := -1
	for i, c := range tab.Columns {
		if c.Roles.Any(lex.RoleStatus, lex.RoleResult) {
			state = i
		}
	}
	if state < 0 {
		state = tickColumn(tab)
	}
	if state < 0 {
		return true
	}
	span := first.Span
	pass, fail, rest := 0, 0, 0
	for _, b := range tab.Rows {
		span[1] = b.Span[1]
		if state >= len(b.Cells) {
			continue
		}
		switch cellStatus(b.Cells[state]) {
		case episode.Success:
			pass++
		case episode.Failure:
			fail++
		default:
			rest++
		}
	}
	if pass+fail == 0 {
		return true
	}
	if len(tab.Rows) <= 6 {
		for _, b := range tab.Rows {
			if b.Full() == "" { // a mark that says of nothing that it passed
				continue
			}
			f := x.event(episode.Test, b, b.Span, b.Full(), "row of a table of checks")
			if state < len(b.Cells) {
				f.state = cellStatus(b.Cells[state])
			}
		}
		return true
	}
	f := x.event(episode.Test, first, span, first.Section.Title.Raw+": "+countText(pass, fail, rest), "table of checks")
	for _, b := range tab.Rows {
		x.used[b] = f
	}
	return true
}

func countText(pass, fail, rest int) string {
	s := fmt.Sprintf("%d passed, %d failed", pass, fail)
	if rest > 0 {
		s += fmt.Sprintf(", %d open", rest)
	}
	return s
}

// checkOutcome is how a check ended: as its row says, else as its text does.
func checkOutcome(f *fact) episode.Outcome {
	if f.state.Known() {
		return f.state
	}
	return f.text.TestOutcome()
}
