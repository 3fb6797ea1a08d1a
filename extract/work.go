package extract

import (
	"strings"

	"episodes/episode"
)

// handoffs takes work passed on: rows of a dispatch log, and the section that
// tells the next session what to do, as one event.
func (x *extraction) handoffs() {
	taken := map[*section]bool{}
	for _, b := range x.doc.blocks {
		if x.used[b] != nil || x.quiet(b) {
			continue
		}
		if b.kind == rowBlock && b.section.roles.has(roleAgent) {
			x.event(episode.Handoff, b, b.span, b.full(), "row of a dispatch log")
			continue
		}
		s := b.section
		if b.labelRole.has(roleHandoff) && b.kind != rowBlock && b.addressed() && (!b.text.empty() && !x.blank(b.text) || len(x.introduced(b)) > 0) {
			span, content := b.span, b.full()
			for _, c := range x.introduced(b) {
				span[1] = max(span[1], c.span[1])
				if len(content) < maxContent {
					content += "; " + c.full()
				}
			}
			x.event(episode.Handoff, b, span, content, "label "+quote(b.label))
			continue
		}
		if !s.roles.has(roleHandoff) || taken[s] || s.within(rolePlan) || b.kind == codeBlock || b.kind == rowBlock || x.blank(b.text) || b.tick == doneTick || b.struck || s.level <= 1 {
			continue
		}
		if !s.forward() {
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
func (b *block) addressed() bool {
	for _, w := range plain(b.label).words {
		switch w.s {
		case "handed", "handoff", "hand-off", "handover", "whoever", "session", "agent", "överlämning", "överlämnat", "overdracht":
			return true
		}
	}
	return false
}

// forward reports whether a handoff section is addressed to another session or
// person, not a list of this one's own next steps in the middle of its log.
func (s *section) forward() bool {
	for _, w := range s.title.words {
		switch w.s {
		case "session", "sessions", "handoff", "hand-off", "handover", "remains", "agent", "överlämning", "overdracht":
			return true
		}
	}
	return false
}

// milestones takes substantive things finished: sections and rows marked
// complete, and what a list of work done says was made.
func (x *extraction) milestones() {
	for _, s := range x.doc.sections {
		x.sectionMilestone(s)
	}
	groups := map[workGroup]*fact{}
	for _, b := range x.doc.blocks {
		if x.used[b] != nil || x.quiet(b) || b.struck || b.kind == codeBlock {
			continue
		}
		if b.kind == rowBlock {
			x.rowMilestone(b)
			continue
		}
		verb, ok := x.madeSomething(b)
		if !ok {
			continue
		}
		// One list of work done is one thing finished.
		g := workGroup{b.section, b.intro}
		if f := groups[g]; f != nil && b.kind == itemBlock {
			f.span[1] = b.span[1]
			f.content = shorten(f.content+"; "+b.full(), maxContent)
			f.text = plain(f.content)
			x.used[b] = f
			continue
		}
		content := b.full()
		if b.intro != nil && b.intro.labelRole == 0 && b.intro.label != "" {
			content = b.intro.label + ": " + content
		}
		f := x.event(episode.Milestone, b, b.span, content, "says "+quote(verb))
		if b.kind == itemBlock {
			groups[g] = f
		}
	}
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
	if !x.headingDone(s.title) {
		return
	}
	span := episode.Span{s.line, s.line}
	content := s.title.s
	for _, b := range s.blocks {
		if b.kind == paraBlock && b.label == "" && x.repaired(b.text) && x.used[b] == nil {
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
}

func (x *extraction) headingDone(t text) bool {
	if strings.Contains(t.s, "✅") {
		return true
	}
	for i, w := range t.words {
		bracketed := w.start > 0 && (t.s[w.start-1] == '[' || t.s[w.start-1] == '(')
		if bracketed && x.lex.class(w).has(classGood) && isUpper(t.s[w.start:w.end]) && i > 0 {
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
	if !b.table.names(roleItem) {
		return
	}
	for i, c := range b.table.columns {
		if i >= len(b.cells) || !c.roles.has(roleStatus) {
			continue
		}
		if x.cellStatus(b.cells[i]) == episode.Success && !priorWork(s.title) {
			x.event(episode.Milestone, b, b.span, b.full(), "column "+quote(c.name)+" says done")
		}
		return
	}
	for ; s != nil; s = s.parent {
		if s.title.has("prs created") || s.title.has("pull requests") {
			x.event(episode.Milestone, b, b.span, b.full(), "under heading "+quote(s.title.s))
			return
		}
	}
}

// names reports whether a column of the table has the role.
func (t *table) names(r role) bool {
	for _, c := range t.columns {
		if c.roles.has(r) {
			return true
		}
	}
	return false
}

// priorWork reports whether a heading speaks of what was there before.
func priorWork(t text) bool {
	return t.has("already") || t.has("prior") || t.has("previous") || t.has("earlier")
}

// routine verbs and objects are steps, not things finished.
var routineVerbs = map[string]bool{"replied": true, "posted": true, "opened": true, "closed": true, "set": true, "identified": true, "verified": true, "updated": true, "moved": true, "merged": false}

// madeSomething reports whether a block says that a substantive thing was made,
// and with which verb.
func (x *extraction) madeSomething(b *block) (string, bool) {
	t := b.text
	if len(t.words) < 3 || b.parent != nil && x.used[b.parent] != nil || b.tick == openTick || b.tick == badTick {
		return "", false
	}
	if b.labelRole.any(roleReason, roleProblem, roleCause, roleDecision, roleTask, roleFiles, roleTest, roleCommit, roleLesson, roleHandoff, rolePlan, roleContext, roleStatus, roleOptions, roleConsequence) {
		return "", false
	}
	s := b.section
	if s.within(rolePlan) || s.within(roleHandoff) || s.within(roleLesson) || s.within(roleOptions) || s.has(roleTask) || s.has(roleCommit) || s.within(roleFiles) || s.has(roleContext) || s.within(roleConsequence) {
		return "", false
	}
	if b.intro != nil && b.intro.labelRole.any(roleFiles, roleTask, roleContext, rolePlan, roleHandoff, roleTest) {
		return "", false
	}
	w := t.words[0]
	if w.code || !x.lex.class(w).has(classMake) || routineVerbs[w.s] {
		return "", false
	}
	placed := b.under(roleDone) || s.within(roleDone) || s.within(roleOutcome) || s.within(roleSummary) || s.has(roleFix) || b.labelRole.any(roleFix, roleDone, roleResult)
	return w.s, placed && b.parent == nil
}
