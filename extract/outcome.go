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
	if ss := t.sentences(); len(ss) > 1 {
		if o := x.statusOf(ss[0]); o.Known() || len(ss[0].words) > 2 {
			return o
		}
	}
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
	return tickOutcome(c.tick)
}

// tickOutcome is what a status mark alone says.
func tickOutcome(t tick) episode.Outcome {
	switch t {
	case doneTick:
		return episode.Success
	case badTick:
		return episode.Failure
	}
	return episode.Unknown
}

// blockStatus reads a status line: its words, else its mark.
func (x *extraction) blockStatus(b *block) episode.Outcome {
	if b.tick == badTick {
		return episode.Failure
	}
	if o := x.statusOf(b.text); o.Known() {
		return o
	}
	return tickOutcome(b.tick)
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
	newestFirst := x.newestFirst()
	for _, s := range x.signs() {
		if best == nil || s.weight > best.weight || s.weight == best.weight && !newestFirst { // of equals, the newest
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
			add(x.blockStatus(b), episode.Stated, b.span, 60, "front matter "+quote(b.label))
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
		case b.labelRole.has(roleOutcome) && !b.text.empty() && !protocol:
			add(x.blockStatus(b), episode.Stated, b.span, 80, "label "+quote(b.label))
		case b.labelRole.has(roleStatus) && protocol:
			if b.kind == paraBlock {
				add(x.blockStatus(b), episode.Stated, b.span, 65, "label "+quote(b.label)+" at the end")
			}
		case b.labelRole.has(roleStatus) && !s.has(roleContext):
			o := x.blockStatus(b)
			switch {
			case s.level <= 1 || len(b.label) > len("status") && !s.roles.any(roleTest):
				add(o, episode.Stated, b.span, 70, "label "+quote(b.label))
			case o.Known():
				work[o]++
				lastWork = b
			}
		case s.roles.has(roleOutcome) && !protocol:
			if x.opensWithStatus(b) {
				add(x.blockStatus(b), episode.Stated, b.span, 50, "under heading "+quote(s.title.s))
			}
		case s.roles.has(roleStatus) && !protocol && s.level <= 2:
			add(x.blockStatus(b), episode.Stated, b.span, 55, "under heading "+quote(s.title.s))
		case s.roles.has(roleTimeline) && b.kind == itemBlock:
			if o := x.endStatus(b.text); o.Known() {
				add(o, episode.Stated, b.span, 40, "end of the timeline")
			}
		case openWork(b) && !x.blank(b.text) && !protocol:
			add(episode.Partial, episode.Stated, b.span, 42, "label "+quote(b.label))
		}
	}
	if lastWork != nil {
		o := episode.Partial
		if len(work) == 1 {
			o = x.blockStatus(lastWork)
		}
		add(o, episode.Stated, lastWork.span, 45, "status of the work items")
	}
	out = append(out, x.measuredSigns()...)
	return out
}

// decisionOutcomes gives a decision that the log carries out the success that the
// session shows: its work is named among what was done, or it is the repair of a
// fault in a session that came to a good end. Nothing else is inferred.
func (x *extraction) decisionOutcomes() {
	if x.result != episode.Success {
		return
	}
	carried := map[*fact]bool{}
	for _, l := range x.links {
		if l.to == nil || l.from.kind != decisionFact || l.to.kind != eventFact {
			continue
		}
		switch {
		case l.typ == episode.Prevents && l.explicit:
			carried[l.from] = true
		case l.typ == episode.Causes && (l.to.event == episode.Commit || l.to.event == episode.Milestone):
			carried[l.from] = true
		}
	}
	for f := range carried {
		if f.dec.Outcome == episode.Unknown {
			f.dec.Outcome = episode.Success
		}
	}
}

// documentStatus reports whether a status line speaks of a document, such as a
// decision record that is accepted, and not of work.
func documentStatus(b *block) bool {
	if len(b.text.words) == 0 || len(b.text.words) > 3 {
		return false
	}
	switch b.text.words[0].s {
	case "accepted", "proposed", "superseded", "draft", "active", "open", "closed":
		return true
	}
	return false
}

// openWork reports whether a labelled line says what was left undone.
func openWork(b *block) bool {
	switch strings.ToLower(b.label) {
	case "not done", "blockers", "blocked", "still open", "not finished", "kvar", "nog open":
		return true
	}
	return false
}

// opensWithStatus reports whether a line under an outcome heading states the
// outcome itself, in its first words, rather than one thing among others.
func (x *extraction) opensWithStatus(b *block) bool {
	if b.tick != noTick && b.kind == paraBlock {
		return true
	}
	for i, w := range b.text.words {
		c := x.lex.class(w)
		if i < 3 && (c.has(classGood) || c.has(classBad) || c.has(classHalf)) && (b.kind == paraBlock || b.section.blocks[0] == b) {
			return true
		}
	}
	return false
}

// endStatus reads the status word that ends a text: "… key set - RESOLVED".
func (x *extraction) endStatus(t text) episode.Outcome {
	if n := len(t.words); n > 2 && isUpper(t.s[t.words[n-1].start:t.words[n-1].end]) {
		return x.statusOf(t.sub(t.words[n-1].start, len(t.s)))
	}
	return episode.Unknown
}

// newestFirst reports whether the dated headings of a log with many sessions go
// from new to old.
func (x *extraction) newestFirst() bool {
	first, last := "", ""
	for _, s := range x.doc.sections {
		if s.level != 2 {
			continue
		}
		if d := dayPattern.FindString(s.title.s); d != "" {
			if first == "" {
				first = d
			}
			last = d
		}
	}
	return first > last
}

// measuredSigns are what checks, commits and finished work show.
func (x *extraction) measuredSigns() []sign {
	var out []sign
	var lastTest, lastCommit *fact
	passed := false
	for _, f := range x.facts {
		if s := f.factSection(); s.within(roleSkip) || s != nil && s.title.has("lint output") {
			continue // that the log itself is well-formed says nothing of its work
		}
		passed = passed || f.kind == eventFact && f.event == episode.Test && x.testOutcome(f.text) == episode.Success
		switch {
		case f.kind != eventFact:
		case f.event == episode.Test && (lastTest == nil || f.span[0] >= lastTest.span[0]):
			lastTest = f
		case f.event == episode.Commit && (lastCommit == nil || f.span[0] >= lastCommit.span[0]):
			lastCommit = f
		}
	}
	if lastTest != nil {
		weight, o := 30, x.testOutcome(lastTest.text)
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
	if lastCommit != nil && len(out) == 0 {
		out = append(out, sign{episode.Success, episode.Measured, lastCommit.span, 20, "work was committed"})
	}
	done, open := 0, 0
	var span episode.Span
	rows := map[episode.Outcome]int{}
	for _, b := range x.doc.blocks {
		if b.kind == rowBlock && !b.section.within(roleSkip) && !b.section.has(roleTest) && (b.table.names(roleItem) || b.section.has(roleAgent)) {
			for i, c := range b.table.columns {
				if i < len(b.cells) && c.roles.has(roleStatus) {
					rows[x.cellStatus(b.cells[i])]++
					span = b.span
				}
			}
		}
	}
	if n := rows[episode.Success]; n > 0 {
		o := episode.Success
		if n < rows[episode.Success]+rows[episode.Partial]+rows[episode.Failure]+rows[episode.Unknown] {
			o = episode.Partial
		}
		out = append(out, sign{o, episode.Stated, span, 28, "status of the tasks"})
	}
	for _, b := range x.doc.blocks {
		if b.kind != itemBlock || b.section.within(roleSkip) || b.section.within(rolePlan) || b.tick == noTick {
			continue
		}
		switch b.tick {
		case doneTick:
			done++
		default:
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
		if w.s != "failed" && w.s != "failures" && w.s != "failing" {
			continue
		}
		if i+1 < len(t.words) && isNumber(t.words[i+1].s) && !strings.Contains(t.s[w.end:t.words[i+1].start], ",") { // "Failed: 0"
			if t.words[i+1].s != "0" {
				return episode.Failure
			}
		} else if i > 0 && isNumber(t.words[i-1].s) && t.words[i-1].s != "0" {
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
