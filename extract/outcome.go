package extract

import (
	"strings"

	"episodes/episode"
)

// task finds what the session set out to do: a task label or section, else the
// title.
func (x *extraction) task() {
	for _, b := range append(append([]*block(nil), x.doc.meta...), x.doc.blocks...) {
		if b.labelRole.has(roleTask) && !b.text.empty() && !b.placeholder() && b.kind != rowBlock {
			x.taskText, x.taskSpan = shorten(b.text.s, maxContent), b.span
			return
		}
		if b.section != nil && b.section.has(roleTask) && b.kind != codeBlock && !b.text.empty() && !b.placeholder() && b.parent == nil {
			if strings.HasSuffix(b.text.s, ":") {
				continue
			}
			x.taskText, x.taskSpan = shorten(b.full(), maxContent), b.span
			return
		}
	}
	for _, s := range x.doc.sections {
		if s.level == 1 && !s.title.empty() && !strings.Contains(s.title.s, "{{") {
			x.taskText, x.taskSpan = shorten(s.title.s, maxContent), episode.Span{s.line, s.line}
			return
		}
	}
	for _, b := range x.doc.meta {
		if b.label == "title" && !b.text.empty() {
			x.taskText, x.taskSpan = shorten(b.text.s, maxContent), b.span
			return
		}
	}
}

// statusOf reads a status text. The first words decide; a text that names no
// state is unknown.
func (x *extraction) statusOf(t text) episode.Outcome {
	good, bad, half := -1, -1, -1
	for i, w := range t.words {
		if i > 11 {
			break
		}
		c := x.lex.class(w)
		neg := x.negated(t, i) || i > 0 && (t.words[i-1].s == "not" || t.words[i-1].s == "un")
		switch {
		case c.has(classHalf) && half < 0:
			half = i
		case c.has(classGood) && good < 0:
			if neg {
				if half < 0 {
					half = i
				}
			} else {
				good = i
			}
		case c.has(classBad) && bad < 0 && !neg:
			bad = i
		}
	}
	if t.has("in progress") || strings.HasPrefix(t.s, "⏳") || strings.HasPrefix(t.s, "🔄") {
		half = 0
	}
	switch {
	case half >= 0 && (good < 0 || half < good+3) && (bad < 0 || half < bad):
		if good == 0 && half > 1 && !t.has("with conditions") {
			return episode.Success
		}
		return episode.Partial
	case bad >= 0 && (good < 0 || bad < good):
		return episode.Failure
	case good >= 0:
		return episode.Success
	case strings.HasPrefix(t.s, "✅") || strings.HasPrefix(t.s, "✓"):
		return episode.Success
	case strings.HasPrefix(t.s, "❌"):
		return episode.Failure
	}
	return episode.Unknown
}

// cellStatus reads a status cell, where a mark alone says it.
func (x *extraction) cellStatus(c cell) episode.Outcome {
	if o := x.statusOf(c.text); o.Known() {
		return o
	}
	switch c.tick {
	case doneTick:
		return episode.Success
	}
	return episode.Unknown
}

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
	x.result = episode.Unknown
	var best *sign
	for _, s := range x.signs() {
		if best == nil || s.weight >= best.weight { // of equals, the later one
			c := s
			best = &c
		}
	}
	if best == nil {
		return
	}
	x.result, x.resultFrom, x.resultSpan, x.resultWhy = best.outcome, best.source, best.span, best.why
}

func (x *extraction) signs() []sign {
	var out []sign
	add := func(o episode.Outcome, src episode.OutcomeSource, span episode.Span, weight int, why string) {
		if o.Known() {
			out = append(out, sign{o, src, span, weight, why})
		}
	}
	for _, b := range x.doc.meta {
		if b.labelRole.any(roleStatus, roleOutcome) {
			add(x.statusOf(b.text), episode.Stated, b.span, 60, "front matter "+quote(b.label))
		}
	}
	work := map[episode.Outcome]int{}
	var lastWork *block
	for _, b := range x.doc.blocks {
		s := b.section
		if b.kind == codeBlock || b.kind == rowBlock || b.placeholder() {
			continue
		}
		switch {
		case b.labelRole.has(roleOutcome) && !b.text.empty() && !s.within(roleSkip):
			add(x.statusOf(b.text), episode.Stated, b.span, 80, "label "+quote(b.label))
		case b.labelRole.has(roleStatus) && b.parent == nil && !s.within(roleSkip):
			o := x.statusOf(b.text)
			switch {
			case s.level <= 1 || len(b.label) > len("status") && !s.roles.any(roleTest):
				add(o, episode.Stated, b.span, 70, "label "+quote(b.label))
			case s.level >= 2:
				if o.Known() {
					work[o]++
					lastWork = b
				}
			}
		case s.roles.any(roleOutcome) && !s.within(roleSkip) && b.parent == nil:
			add(x.statusOf(b.text), episode.Stated, b.span, 50, "under heading "+quote(s.title.s))
		case s.roles.any(roleStatus) && !s.within(roleSkip) && b.parent == nil && s.level <= 2:
			add(x.statusOf(b.text), episode.Stated, b.span, 55, "under heading "+quote(s.title.s))
		}
	}
	if lastWork != nil {
		o := episode.Partial
		if len(work) == 1 {
			o = x.statusOf(lastWork.text)
		}
		add(o, episode.Stated, lastWork.span, 45, "status of the work items")
	}
	out = append(out, x.measuredSigns()...)
	return out
}

// measuredSigns are what checks, commits and finished work show.
func (x *extraction) measuredSigns() []sign {
	var out []sign
	var lastTest, lastCommit *fact
	for _, f := range x.facts {
		switch {
		case f.kind != eventFact:
		case f.event == episode.Test && (lastTest == nil || f.span[0] >= lastTest.span[0]):
			lastTest = f
		case f.event == episode.Commit && (lastCommit == nil || f.span[0] >= lastCommit.span[0]):
			lastCommit = f
		}
	}
	if lastTest != nil {
		if o := x.testOutcome(lastTest.text); o.Known() {
			out = append(out, sign{o, episode.Measured, lastTest.span, 30, "last check"})
		}
	}
	if lastCommit != nil && len(out) == 0 {
		out = append(out, sign{episode.Success, episode.Measured, lastCommit.span, 20, "work was committed"})
	}
	done, open := 0, 0
	var span episode.Span
	for _, b := range x.doc.blocks {
		if b.kind != itemBlock || b.section.within(roleSkip) || b.section.within(rolePlan) || b.tick == noTick {
			continue
		}
		if b.tick == doneTick {
			done++
		} else {
			open++
		}
		span = b.span
	}
	if done > 0 && open == 0 {
		out = append(out, sign{episode.Success, episode.Measured, span, 25, "every box is ticked"})
	} else if done > 0 && open > 0 {
		out = append(out, sign{episode.Partial, episode.Measured, span, 25, "some boxes are open"})
	}
	return out
}

// testOutcome reads the result of a check.
func (x *extraction) testOutcome(t text) episode.Outcome {
	for i, w := range t.words {
		if (w.s == "failed" || w.s == "failures" || w.s == "failing") && i > 0 && isNumber(t.words[i-1].s) && t.words[i-1].s != "0" {
			return episode.Failure
		}
	}
	if x.failsAt(t) >= 0 && !hasCount(t) {
		return episode.Failure
	}
	if x.lex.is(t, classPass) || hasCount(t) {
		return episode.Success
	}
	return episode.Unknown
}
