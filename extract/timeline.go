package extract

import "episodes/episode"

// logCell is what a row of a running log tells: the longest cell that is no
// date, in a table with a column of times or under a timeline heading.
func logCell(b *block) (text, bool) {
	if b.kind != rowBlock || !b.table.names(roleDate) && !b.section.has(roleTimeline) {
		return text{}, false
	}
	if b.table.names(roleProblem) || b.table.names(roleDecision) || b.table.names(roleCommit) || b.section.has(roleAgent) {
		return text{}, false // the columns say it, or it is work given to others
	}
	best := -1
	for i, c := range b.cells {
		if i < len(b.table.columns) && b.table.columns[i].roles.any(roleDate, roleWho, roleDuration) || isClock(c.text.s) {
			continue
		}
		if best < 0 || len(c.text.words) > len(b.cells[best].text.words) {
			best = i
		}
	}
	if best < 0 || len(b.cells[best].text.words) < 2 {
		return text{}, false
	}
	return b.cells[best].text, true
}

// logRow takes a row of a running log: a check with its result, a fault, or a
// thing that was made.
func (x *extraction) logRow(b *block) {
	t, ok := logCell(b)
	if !ok || x.used[b] != nil || b.inProtocol() || b.section.within(rolePlan) {
		return
	}
	failed := false
	for i, c := range b.table.columns {
		if i < len(b.cells) && c.roles.any(roleStatus, roleOutcome, roleResult) {
			failed = failed || cellStatus(b.cells[i]) == episode.Failure
		}
	}
	test := t.hasWord(classTest)
	switch {
	case test && (t.is(classPass) || t.hasCount() || failed || t.strongFail()), t.is(classVerify) && !t.strongFail() && t.failsAt() < 0:
		x.event(episode.Test, b, b.span, b.full(), "row of a running log")
	case failed || t.strongFail() || t.failsAt() >= 0 && t.doneAt() < 0:
		x.event(episode.Error, b, b.span, t.s, "row of a running log")
	case t.doneAt() >= 0:
		x.event(episode.Milestone, b, b.span, t.s, "row of a running log")
	}
}
