package extract

import (
	"fmt"
	"strings"

	"episodes/episode"
)

// tests takes verifications that show their result.
func (x *extraction) tests() {
	done := map[*table]bool{}
	for _, b := range x.doc.blocks {
		if x.used[b] != nil || b.struck {
			continue
		}
		switch b.kind {
		case codeBlock:
			x.codeTest(b)
		case rowBlock:
			if !done[b.table] && b.section.roles.has(roleTest) && !b.section.roles.any(rolePlan) && !b.section.within(roleSkip) {
				done[b.table] = x.tableTest(b)
			}
			if !done[b.table] {
				x.logRow(b)
			}
		default:
			if quiet(b) || b.section.within(rolePlan) || b.section.within(roleHandoff) || b.section.within(roleLesson) || b.section.has(roleTask) {
				continue
			}
			if why, ok := x.testText(b); ok {
				x.event(episode.Test, b, b.span, b.full(), why)
			}
		}
	}
}

// testText decides whether a block gives the result of a check.
func (x *extraction) testText(b *block) (string, bool) {
	t := b.text
	if t.empty() || b.parent != nil && x.used[b.parent] != nil || len(t.words) > 45 && !(b.labelRole.any(roleTest, roleResult) && t.is(classPass)) || (b.tick == openTick || b.tick == badTick) && !t.hasCount() && !b.labelRole.has(roleResult) {
		return "", false
	}
	if b.labelRole.any(roleFix, roleReason, roleDecision, roleTask, roleCommit, roleFiles, roleProblem, roleCause, roleHandoff, rolePlan, roleLesson) {
		return "", false
	}
	place := b.section.roles.has(roleTest) || b.labelRole.has(roleTest) || b.intro != nil && b.intro.labelRole.has(roleTest) || b.parent != nil && b.parent.labelRole.has(roleTest)
	results := b.section.roles.any(roleResult, roleOutcome)
	if b.labelRole.has(roleResult) && len(t.words) > 1 && (b.tick == doneTick || t.hasCount() || b.siblingRole(roleAttempt, roleFix) != nil && t.is(classPass)) {
		return "result of an attempt", true
	}
	counted := t.hasCount()
	pass := t.is(classPass)
	fail := t.failsAt() >= 0
	test := t.is(classTest) || b.labelText.is(classTest)
	switch {
	case counted && (test || place || results && t.hasCode()):
		return "counted result", true
	case t.at(0, classAll) && test && pass && !fail && len(t.words) <= 20:
		return "says that all checks passed", true
	case b.section.has(roleWorked) && test && pass && b.parent == nil:
		return "what worked", true
	case b.parent == nil && madeSure(b):
		return "says that it was verified", true
	case place && b.parent == nil && (pass || fail && t.testOutcome().Known()) && (test || t.is(classLint) || b.tick == doneTick):
		return "result of a check", true
	case place && b.parent == nil && statedPass(b):
		return "a state", true
	case b.section.has(roleWorked) && b.kind == itemBlock && b.parent == nil && (t.hasCode() || t.is(classCI)) && (pass || t.ranThrough()):
		return "what worked", true
	}
	return "", false
}

// stateOf is what a block says of the thing that its label names, or an item before
// its colon; empty when it names none.
func stateOf(b *block) text {
	if b.label != "" {
		return b.text
	}
	i := strings.Index(b.text.s, ": ")
	if i <= 0 || b.kind != itemBlock || len(b.text.sub(0, i).words) > 6 {
		return text{}
	}
	return b.text.sub(i+2, len(b.text.s))
}

// statedPass reports whether an item gives the result of a check in capitals:
// "Type checker: PASS (3 warnings)".
func statedPass(b *block) bool {
	if b.kind != itemBlock || b.section.level < 2 || b.labelRole.any(roleStatus, roleVerdict, roleOutcome) {
		return false
	}
	t := stateOf(b)
	return t.at(0, classMark) && t.at(0, classPass) && t.capitals(0)
}

// madeSure reports whether a text tells of a check that the writer made, with
// its result: "Verified that X", "Ran the tests (pass)".
func madeSure(b *block) bool {
	t := b.text
	if s := b.section; s.within(roleSkip) || s.any(roleDecision, roleFinding, roleProblem) || len(t.words) < 3 {
		return false
	}
	if t.at(1, classSetup) || t.at(2, classSetup) {
		return false // where the work stands, not whether it works
	}
	if t.at(0, classVerify) || t.at(0, classFirst) && t.at(1, classVerify) {
		return len(t.words) <= 40
	}
	return t.at(0, classRun) && len(t.words) <= 30 && t.hasWord(classTest) && (t.is(classPass) || t.failsAt() >= 0 || b.tick == doneTick)
}

// codeTest takes the result lines of a check's quoted output, where the place
// says that it is one.
func (x *extraction) codeTest(b *block) {
	if !b.section.roles.has(roleTest) && (b.intro == nil || !b.intro.text.is(classTest) && !b.intro.labelRole.has(roleTest)) {
		return
	}
	for i, l := range strings.Split(strings.TrimRight(b.code, "\n"), "\n") {
		t := x.plain(collapse(l))
		if !t.hasCount() || t.first() == "expected" {
			continue
		}
		line := b.span[0] + i
		x.event(episode.Test, b, episode.Span{line, line}, t.s, "output of a check")
		return
	}
}

// tickColumn is the column whose cells all carry a status mark, or -1.
func tickColumn(t *table) int {
	for i := range t.columns {
		all := true
		for _, r := range t.rows {
			all = all && i < len(r.cells) && r.cells[i].tick != noTick
		}
		if all {
			return i
		}
	}
	return -1
}

// tableTest takes a table of checks as one event when it has a state column, and
// reports whether the table is dealt with.
func (x *extraction) tableTest(first *block) bool {
	tab := first.table
	state := -1
	for i, c := range tab.columns {
		if c.roles.any(roleStatus, roleResult) {
			state = i
		}
	}
	if state < 0 {
		state = tickColumn(tab)
	}
	if state < 0 {
		return true
	}
	span := first.span
	pass, fail, rest := 0, 0, 0
	for _, b := range tab.rows {
		span[1] = b.span[1]
		if state >= len(b.cells) {
			continue
		}
		switch cellStatus(b.cells[state]) {
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
	if len(tab.rows) <= 6 {
		for _, b := range tab.rows {
			if b.full() == "" { // a mark that says of nothing that it passed
				continue
			}
			f := x.event(episode.Test, b, b.span, b.full(), "row of a table of checks")
			if state < len(b.cells) {
				f.state = cellStatus(b.cells[state])
			}
		}
		return true
	}
	f := x.event(episode.Test, first, span, first.section.title.s+": "+countText(pass, fail, rest), "table of checks")
	for _, b := range tab.rows {
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

// checkOutcome is what a check came to: as its row says, else as its text does.
func checkOutcome(f *fact) episode.Outcome {
	if f.state.Known() {
		return f.state
	}
	return f.text.testOutcome()
}
