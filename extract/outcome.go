package extract

import (
	"strings"

	"episodes/episode"
)

// sign is one thing in the log that speaks of the session's outcome.
type sign struct {
	outcome episode.Outcome
	source  episode.OutcomeSource
	span    episode.Span
	weight  int
	why     string
}

// outcome judges the session from the signs that the log shows: its own status
// fields first, then what its outcome sections say, then its last checks, then
// what was finished and what was left open.
func (x *extraction) outcome() {
	x.draft.outcome = episode.Unknown
	newest := x.newest()
	best, own := (*sign)(nil), false
	for _, s := range x.signs() {
		in := newest.head != nil && newest.holds(s.span[0])
		if own && !in {
			continue
		}
		if best == nil || in && !own || s.weight >= best.weight { // of equals, the last
			c := s
			best, own = &c, own || in
		}
	}
	if best == nil {
		return
	}
	x.draft.outcome, x.draft.outcomeFrom, x.draft.outcomeSpan, x.draft.outcomeWhy = best.outcome, best.source, best.span, best.why
}

func (x *extraction) signs() []sign {
	var out []sign
	add := func(o episode.Outcome, src episode.OutcomeSource, span episode.Span, weight int, why string) {
		if o == episode.Partial && x.underway(span) {
			weight = 15 // set at the start and often left so: anything that the log says of its end weighs more
		}
		if o.Known() {
			out = append(out, sign{o, src, span, weight, why})
		}
	}
	for _, b := range x.doc.meta {
		if b.labelRole.any(roleStatus, roleOutcome) {
			add(blockStatus(b), episode.Stated, b.span, 60, "front matter "+quote(b.label))
		}
	}
	work := map[episode.Outcome]int{}
	var lastWork *block
	for _, b := range x.doc.blocks {
		s := b.section
		if b.kind == codeBlock || b.kind == rowBlock || b.placeholder() || b.parent != nil || documentStatus(b) {
			continue
		}
		protocol := s.within(roleSkip)
		switch {
		case b.labelRole.has(roleOutcome) && !b.text.empty() && !protocol && s.within(roleDecision): // of the decision
		case b.labelRole.has(roleOutcome) && !b.text.empty() && !protocol:
			add(blockStatus(b), episode.Stated, b.span, 80, "label "+quote(b.label))
		case b.labelRole.has(roleStatus) && protocol:
			if b.kind == paraBlock {
				add(blockStatus(b), episode.Stated, b.span, 65, "label "+quote(b.label)+" at the end")
			}
		case b.labelRole.has(roleStatus) && !s.roles.any(roleContext, roleProblem, roleFinding):
			o := blockStatus(b)
			switch {
			case s.level <= 1 || len(b.label) > len("status") && !s.roles.any(roleTest):
				add(o, episode.Stated, b.span, 70, "label "+quote(b.label))
			case o.Known():
				work[o]++
				lastWork = b
			}
		case s.roles.has(roleOutcome) && !protocol && opensWithStatus(b):
			add(blockStatus(b), episode.Stated, b.span, 50, "under heading "+quote(s.title.s))
		case s.roles.has(roleStatus) && !protocol && s.level <= 2:
			add(blockStatus(b), episode.Stated, b.span, 55, "under heading "+quote(s.title.s))
		case s.roles.has(roleTimeline) && b.kind == itemBlock:
			if o := b.text.endStatus(); o.Known() {
				add(o, episode.Stated, b.span, 40, "end of the timeline")
			}
		case !protocol && saysAllDone(b):
			add(episode.Success, episode.Stated, b.span, 32, "says that all is done")
		case openWork(b) && !b.text.blank() && !protocol:
			add(episode.Partial, episode.Stated, b.span, 42, "label "+quote(b.label))
		case !protocol && saysDone(b):
			add(episode.Success, episode.Stated, b.span, 26, "says that the work is done")
		}
	}
	if lastWork != nil {
		o := episode.Partial
		if len(work) == 1 {
			o = blockStatus(lastWork)
		}
		add(o, episode.Stated, lastWork.span, 45, "status of the work items")
	}
	out = append(out, x.measuredSigns()...)
	return out
}

// underway reports whether a status line says only that work goes on.
func (x *extraction) underway(span episode.Span) bool {
	for _, b := range x.doc.blocks {
		if b.span[0] > span[0] {
			break
		}
		if b.span == span && b.labelRole.any(roleStatus, roleOutcome) {
			return len(b.text.words) <= 4 && x.plain(strings.ReplaceAll(b.text.s, "_", " ")).is(classUnderway)
		}
	}
	return false
}

// measuredSigns are what checks, commits and finished work show.
func (x *extraction) measuredSigns() []sign {
	var out []sign
	var lastTest *fact
	passed := false
	for _, f := range x.facts {
		if f.kind != eventFact || f.event != episode.Test {
			continue
		}
		if s := f.factSection(); s.within(roleSkip) || onlyLint(f.text) && checkOutcome(f) != episode.Failure || othersCheck(f) || s != nil && s.title.is(classLint) {
			continue // that the log itself is well-formed says nothing of its work
		}
		passed = passed || checkOutcome(f) == episode.Success
		if lastTest == nil || f.span[0] >= lastTest.span[0] {
			lastTest = f
		}
	}
	if lastTest != nil {
		weight, o := 30, checkOutcome(lastTest)
		if s := lastTest.factSection(); o == episode.Unknown && s.has(roleWorked) {
			o = episode.Success // what worked, by the heading
		}
		if o == episode.Failure {
			weight = 48 // a check that fails at the end outweighs steps marked done
			if passed {
				o = episode.Partial
			}
		}
		if o.Known() {
			out = append(out, sign{o, episode.Measured, lastTest.span, weight, "last check"})
		}
	}
	out = append(out, x.taskSigns()...)
	for _, f := range x.facts {
		if f.kind == decisionFact && !f.factSection().within(roleSkip) && x.approval(f) {
			out = append(out, sign{episode.Success, episode.Stated, f.span, 27, "a verdict that approves"})
		}
	}
	return append(out, x.boxSigns()...)
}

// taskSigns are what the rows of a table of tasks say.
func (x *extraction) taskSigns() []sign {
	var span episode.Span
	rows := map[episode.Outcome]int{}
	for _, b := range x.doc.blocks {
		if b.kind == rowBlock && !b.section.within(roleSkip) && !b.section.has(roleTest) && (b.table.names(roleItem) || b.section.has(roleAgent)) {
			for i, c := range b.table.columns {
				if i < len(b.cells) && c.roles.has(roleStatus) {
					rows[cellStatus(b.cells[i])]++
					span = b.span
				}
			}
		}
	}
	n := rows[episode.Success]
	if n == 0 {
		return nil
	}
	o := episode.Success
	if n < rows[episode.Success]+rows[episode.Partial]+rows[episode.Failure]+rows[episode.Unknown] {
		o = episode.Partial
	}
	return []sign{{o, episode.Stated, span, 28, "status of the tasks"}}
}

// boxSigns are what ticked and open boxes say: those of the criteria by which the
// work is accepted where there are some, else all that stand for work.
func (x *extraction) boxSigns() []sign {
	done, open, span := x.boxes(func(s *section) bool { return s.title.is(classCriteria) })
	if done+open == 0 {
		done, open, span = x.boxes(accepts)
	}
	switch {
	case done > 0 && open == 0:
		return []sign{{episode.Success, episode.Stated, span, 25, "every box is ticked"}}
	case done > 0:
		return []sign{{episode.Partial, episode.Stated, span, 25, "some boxes are open"}}
	}
	return nil
}

// boxes counts the ticked and the open boxes of lists in the sections asked for;
// span is that of the last one.
func (x *extraction) boxes(in func(*section) bool) (done, open int, span episode.Span) {
	for _, b := range x.doc.blocks {
		if b.kind != itemBlock || b.section.within(roleSkip) || b.section.within(rolePlan) || b.tick == noTick || b.labelRole.has(roleStatus) || !in(b.section) {
			continue
		}
		if b.tick == doneTick {
			done++
		} else {
			open++
		}
		span = b.span
	}
	return done, open, span
}

// saysAllDone reports whether a text says of all that was to be done that it is:
// "All review comments addressed".
func saysAllDone(b *block) bool {
	t := b.text
	if b.section.within(rolePlan) || b.section.within(roleProblem) || b.section.within(roleTask) || b.section.within(roleHandoff) {
		return false
	}
	if t.at(0, classMake) && (t.at(1, classAll) || t.at(2, classAll)) {
		return t.failsAt() < 0 // "Addressed all review comments"
	}
	if !t.at(0, classAll) {
		return false
	}
	for i, w := range t.words {
		if i > 10 {
			break
		}
		if i > 0 && (w.classes.has(classGood) || w.classes.has(classAddressed)) && !t.negated(i) {
			return t.failsAt() < 0
		}
	}
	return false
}

// saysDone reports whether a text says of the session's work that it is done:
// "Done. …", or a thing made where the end is told.
func saysDone(b *block) bool {
	t := b.text
	if b.tick == openTick || b.tick == badTick || b.section.within(rolePlan) || b.section.within(roleHandoff) {
		return false
	}
	if t.at(0, classGood) {
		if ss := t.sentences(); len(ss) > 1 && len(ss[0].words) == 1 {
			return true
		}
	}
	s := b.section
	if !s.any(roleOutcome, roleSummary, roleTimeline) || b.labelRole.any(roleTest, roleProblem, roleHandoff, rolePlan, roleContext, roleTask) {
		return false
	}
	return t.doneAt() >= 0 && !t.strongFail()
}

// accepts reports whether the boxes under a heading say what the session came
// to: they are its tasks, its results or the terms of its acceptance.
func accepts(s *section) bool {
	if s.roles.any(roleOutcome, roleTest, roleTask, roleDone, roleStatus, roleSummary) || s.level <= 1 {
		return true
	}
	return s.title.is(classAccept)
}

// othersCheck reports whether a check is not one of the session's own work: it
// stands where the problem is told, it was looked at rather than run, or the log
// says that its failure has nothing to do with the work.
func othersCheck(f *fact) bool {
	if s := f.factSection(); s != nil && s.roles.any(roleProblem, roleContext, roleCause, roleFinding) && !s.roles.has(roleTest) {
		return true
	}
	t := f.text
	return t.at(0, classLooked) || f.block != nil && f.block.text.at(0, classLooked) || t.is(classUnrelated)
}

// onlyLint reports whether a check looked at the form of the text alone.
func onlyLint(t text) bool {
	return t.hasWord(classLint) && !t.hasWord(classSuite)
}
