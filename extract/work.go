package extract

import (
	"slices"
	"strings"

	"episodes/episode"
)

// handoffs takes work passed on: rows of a dispatch log, and the section that
// tells the next session what to do, as one event.
func (x *extraction) handoffs() {
	taken := map[*section]bool{}
	for _, b := range x.doc.blocks {
		if x.used[b] != nil || quiet(b) {
			continue
		}
		if b.kind == rowBlock && b.section.roles.has(roleAgent) && !x.plain(b.full()).empty() {
			x.event(episode.Handoff, b, b.span, b.full(), "row of a dispatch log")
			continue
		}
		s := b.section
		if b.labelRole.has(roleHandoff) && b.kind != rowBlock && addressed(b) && (!b.text.empty() && !b.text.blank() || len(b.introduced()) > 0) {
			span, content := b.span, b.full()
			for _, c := range b.introduced() {
				span[1] = max(span[1], c.span[1])
				if len(content) < maxContent {
					content += "; " + c.full()
				}
			}
			x.event(episode.Handoff, b, span, content, "label "+quote(b.label))
			continue
		}
		if !s.roles.has(roleHandoff) || taken[s] || s.within(rolePlan) || b.kind == codeBlock || b.kind == rowBlock || b.text.blank() || b.tick == doneTick || b.struck || s.level <= 1 {
			continue
		}
		if !forward(s) {
			continue
		}
		taken[s] = true
		span := b.span
		for _, o := range s.blocks {
			if o.span[1] > span[1] && o.span[0] <= span[1]+2 {
				span[1] = o.span[1]
			}
		}
		x.event(episode.Handoff, b, span, s.title.s+": "+b.full(), "under heading "+quote(s.title.s))
	}
}

// addressed reports whether a label hands work to somebody, rather than listing
// what comes next.
func addressed(b *block) bool {
	return b.labelText.is(classAddress)
}

// forward reports whether a handoff section is addressed to another session or
// person, not a list of this one's own next steps in the middle of its log.
func forward(s *section) bool {
	return s.title.is(classAddress)
}

// milestones takes substantive things finished: sections and rows marked
// complete, and what a list of work done says was made.
func (x *extraction) milestones() {
	for _, s := range x.doc.sections {
		x.sectionMilestone(s)
	}
	groups := map[workGroup]*fact{}
	for _, b := range x.doc.blocks {
		if x.used[b] != nil || quiet(b) || b.struck || b.kind == codeBlock {
			continue
		}
		if b.kind == rowBlock {
			x.rowMilestone(b)
			continue
		}
		if why, ok := x.thingMade(b); ok {
			g := workGroup{b.section, b.intro}
			if f := groups[g]; f != nil && b.section.has(roleMade) {
				x.addTo(f, b) // one list of things made
				continue
			}
			f := x.event(episode.Milestone, b, withDetail(b, b.span), b.full(), why)
			if b.section.has(roleMade) || !described(b) {
				groups[g] = f
			}
			continue
		}
		if t := b.text; t.at(0, classRun) && t.hasCode() && b.parent == nil && len(t.words) <= 30 && !b.section.within(rolePlan) && !b.section.within(roleHandoff) {
			x.event(episode.ToolCall, b, b.span, b.full(), "says "+quote(t.words[0].s))
			continue
		}
		verb, ok := x.madeSomething(b)
		if !ok {
			continue
		}
		// One list of work done is one thing finished.
		g := workGroup{b.section, b.intro}
		if f := groups[g]; f != nil && b.kind == itemBlock && !aloneInList(b) {
			x.addTo(f, b)
			continue
		}
		content := b.full()
		if b.intro != nil && b.intro.labelRole == 0 && b.intro.label != "" {
			content = b.intro.label + ": " + content
		}
		f := x.event(episode.Milestone, b, b.span, content, "says "+quote(verb))
		if items := b.introduced(); strings.HasSuffix(b.text.s, ":") && len(items) > 0 && len(items) <= 8 {
			f.span, f.content = withList(b, f.span, content, manyItems)
			f.content = shorten(f.content, maxContent)
			f.text = x.plain(f.content)
			for _, o := range items {
				if x.used[o] == nil {
					x.used[o] = f
				}
			}
		}
		if b.kind == itemBlock && !aloneInList(b) {
			groups[g] = f
		}
	}
	x.dropSummaries()
}

// addTo makes a block part of a fact that is a list.
func (x *extraction) addTo(f *fact, b *block) {
	f.span[1] = b.span[1]
	f.content = shorten(f.content+"; "+b.full(), maxContent)
	f.text = x.plain(f.content)
	x.used[b] = f
}

// aloneInList reports whether an item of a list of work is a thing finished by
// itself: a ticked task, or one that needs more than a few words to tell.
func aloneInList(b *block) bool {
	if b.intro != nil && b.intro.label != "" && b.intro.labelRole == 0 {
		return false // the label names the thing, its list says what was done to it
	}
	if b.label != "" && !b.ordered && !b.box {
		return false // labelled parts of one thing
	}
	return b.box || b.ordered || len(b.children) > 0 || len(b.text.words) > aFewWords
}

const aFewWords = 9

// dropSummaries drops the prose that sums up a session whose work the log tells
// in its place.
func (x *extraction) dropSummaries() {
	told := 0
	for _, f := range x.facts {
		if f.kind == eventFact && f.event == episode.Milestone && !f.sumsUp() {
			told++
		}
	}
	if told < 2 {
		return
	}
	x.facts = slices.DeleteFunc(x.facts, func(f *fact) bool {
		return f.kind == eventFact && f.event == episode.Milestone && f.sumsUp()
	})
}

// sumsUp reports whether a fact is a paragraph that sums up the session.
func (f *fact) sumsUp() bool {
	s := f.factSection()
	return f.block != nil && f.block.kind == paraBlock && s.any(roleSummary, roleOutcome, roleStatus)
}

// workGroup is one list of work done.
type workGroup struct {
	section *section
	intro   *block
}

// sectionMilestone takes a work section whose heading or status line says that
// it is complete, with the first sentence that says what was made.
func (x *extraction) sectionMilestone(s *section) {
	if s.level < 2 || s.within(roleSkip) || s.within(rolePlan) || s.roles.any(roleCommit, roleTest, roleLesson, roleDecision, roleOutcome, roleSummary, roleHandoff) {
		return
	}
	if !headingDone(s.title) {
		return
	}
	span := episode.Span{s.line, s.line}
	content := s.title.s
	for _, b := range s.blocks {
		if b.kind == paraBlock && b.label == "" && b.text.repaired() && x.used[b] == nil {
			span[1] = b.span[1]
			content += ": " + b.text.s
			f := x.event(episode.Milestone, b, span, strings.TrimRight(content, ":"), "heading says done")
			x.used[b] = f
			for _, o := range s.blocks {
				if x.used[o] == nil && o.kind == itemBlock {
					x.used[o] = f
				}
			}
			return
		}
	}
	if s.items && x.toldMade(s) {
		f := x.event(episode.Milestone, nil, span, content, "heading says done")
		f.section = s
	}
}

// toldMade reports whether labels under a heading tell of work ("Implementation"),
// and nothing under it was taken for a piece of work yet.
func (x *extraction) toldMade(s *section) bool {
	made := false
	for _, b := range s.blocks {
		if x.used[b] != nil {
			return false
		}
		made = made || b.labelRole.any(roleDone, roleMade)
	}
	return made
}

func headingDone(t text) bool {
	if strings.Contains(t.s, "✅") {
		return true
	}
	for i, w := range t.words {
		bracketed := w.start > 0 && (t.s[w.start-1] == '[' || t.s[w.start-1] == '(')
		if bracketed && w.classes.has(classGood) && isUpper(t.s[w.start:w.end]) && i > 0 {
			return true
		}
	}
	return false
}

// rowMilestone takes a row that gives a task and says that it is complete.
func (x *extraction) rowMilestone(b *block) {
	s := b.section
	if s.roles.any(roleTest, roleCommit, roleFiles, roleOptions, roleConsequence, roleTimeline) || s.within(rolePlan) || s.within(roleHandoff) {
		return
	}
	if s.within(rolePulls) && !x.plain(b.full()).empty() {
		x.event(episode.Milestone, b, b.span, b.full(), "under heading "+quote(s.title.s))
		return
	}
	if !b.table.names(roleItem) {
		if !b.table.names(roleStatus) && !b.table.names(roleProblem) && s.within(roleDone) && doneCell(b) >= 0 {
			i := doneCell(b)
			x.event(episode.Milestone, b, b.span, b.cells[i].text.s, "row says "+quote(b.cells[i].text.words[0].s))
		}
		return
	}
	for i, c := range b.table.columns {
		if i >= len(b.cells) || !c.roles.has(roleStatus) {
			continue
		}
		if cellStatus(b.cells[i]) == episode.Success && !priorWork(s.title) {
			if j := countCell(b); j >= 0 {
				x.event(episode.Test, b, b.span, b.full(), "row tells the result of a check").state = b.cells[j].text.testOutcome()
				return
			}
			x.event(episode.Milestone, b, b.span, b.full(), "column "+quote(c.name)+" says done")
		}
		return
	}
}

// countCell is the cell of a row that gives the counted result of the check that
// another cell names, or -1.
func countCell(b *block) int {
	found, named := -1, false
	for i, c := range b.cells {
		switch {
		case !c.text.is(classTest):
		case found < 0 && c.text.hasCount() && c.text.testOutcome().Known():
			found = i
		default:
			named = true
		}
	}
	if !named {
		return -1
	}
	return found
}

// doneCell is the cell of a row that says that something was made, or -1.
func doneCell(b *block) int {
	for i, c := range b.cells {
		if len(c.text.words) > 2 && c.text.at(0, classMake) {
			return i
		}
	}
	return -1
}

// thingMade takes an item of a list of things that were made, and an item that
// names a thing and says below what was done to it.
func (x *extraction) thingMade(b *block) (string, bool) {
	s := b.section
	if b.kind != itemBlock || b.parent != nil || b.tick == openTick || b.tick == badTick || s.within(rolePlan) || s.within(roleHandoff) || len(b.full()) < 8 {
		return "", false
	}
	if b.text.is(classThis) || b.text.is(classNeeded) || b.text.is(classUnderway) {
		return "", false // the log itself, or what is still to be made
	}
	if s.has(roleMade) && (b.intro == nil || b.intro.labelRole == 0 || b.intro.labelRole.has(roleMade)) {
		return "under heading " + quote(s.title.s), described(b)
	}
	if (s.has(roleFix) || s.within(roleDone)) && len(b.children) > 0 && b.labelRole == 0 && b.text.doneAt() < 0 {
		for _, c := range b.children {
			if c.kind == itemBlock && c.text.at(0, classMake) && x.used[c] == nil {
				for _, o := range b.children {
					if x.used[o] == nil {
						x.used[o] = x.used[b]
					}
				}
				return "says below that it was " + c.text.words[0].s, true
			}
		}
	}
	return "", false
}

// described reports whether an item says more than the name of a thing.
func described(b *block) bool {
	n := 0
	for _, w := range b.text.words {
		if !w.code && !strings.ContainsAny(w.s, "./_") {
			n++
		}
	}
	return n >= 2
}

// priorWork reports whether a heading speaks of what was there before.
func priorWork(t text) bool {
	return t.is(classEarlier)
}

// madeSomething reports whether a block says that a substantive thing was made,
// and with which verb.
func (x *extraction) madeSomething(b *block) (string, bool) {
	t := b.text
	if strings.HasSuffix(t.s, ": 0") || t.is(classThis) || ofEarlierSession(t) || ofEarlierSession(b.labelText) || b.intro != nil && ofEarlierSession(b.intro.text) || len(t.words) < 6 && len(t.words) > 0 && isNumber(t.words[0].s) && b.label != "" || t.at(0, classBlank) {
		return "", false // housekeeping, a figure, nothing
	}
	if l := b.labelText; b.labelRole == 0 && len(l.words) > 1 && len(t.words) > 1 && b.parent == nil && l.doneAt() == len(l.words)-1 && !l.at(0, classSession) && !l.at(len(l.words)-1, classFind) && l.words[len(l.words)-1].s != "changed" && !b.section.within(rolePlan) && !b.section.within(roleHandoff) {
		return l.words[len(l.words)-1].s, true
	}
	if l := b.labelText; b.labelRole == 0 && len(l.words) > 1 && l.at(0, classMake) && !l.at(0, classRoutine) && b.parent == nil && len(b.children) > 0 && !b.section.within(rolePlan) && !b.section.within(roleHandoff) && !b.section.within(roleLesson) {
		return l.words[0].s, true // "**Created the importer**:", with its parts below
	}
	if len(t.words) < 3 || b.parent != nil && x.used[b.parent] != nil || b.tick == openTick || b.tick == badTick {
		return "", false
	}
	if b.labelRole.any(roleReason, roleProblem, roleCause, roleDecision, roleTask, roleFiles, roleTest, roleCommit, roleLesson, roleHandoff, rolePlan, roleContext, roleStatus, roleOptions, roleConsequence) {
		return "", false
	}
	s := b.section
	if s.within(rolePlan) || s.within(roleHandoff) || s.within(roleLesson) || s.within(roleOptions) || s.within(roleDecision) || s.has(roleTask) || s.has(roleCommit) || s.within(roleFiles) || s.has(roleContext) || s.within(roleConsequence) {
		return "", false
	}
	if b.intro != nil && b.intro.labelRole.any(roleFiles, roleTask, roleContext, rolePlan, roleHandoff, roleTest) {
		return "", false
	}
	i := t.doneAt()
	if i < 0 {
		return "", false
	}
	placed := s.roles == 0 && i == 0 || b.under(roleDone) || s.within(roleDone) || s.within(roleOutcome) || s.within(roleSummary) || s.any(roleFix, roleTimeline, roleStatus, roleWorked) || b.labelRole.any(roleFix, roleDone, roleResult) || b.tick == doneTick
	return t.words[i].s, placed && b.parent == nil
}

// ofEarlierSession reports whether a text tells of another session's work: "Done in
// the previous session".
func ofEarlierSession(t text) bool {
	if !t.classes.has(classEarlier) || !t.classes.has(classSession) {
		return false
	}
	for i := range t.words {
		if t.at(i, classEarlier) && t.at(i+1, classSession) {
			return true
		}
	}
	return false
}
