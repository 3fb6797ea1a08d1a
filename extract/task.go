package extract

import (
	"strings"

	"episodes/episode"
)

// task finds what the newest session set out to do: a task label or section, else
// its title.
func (x *extraction) task() {
	newest := x.newest()
	early := newest.from + (newest.to-newest.from+1)*2/5 // a task is set at the start
	headed := 0                                          // the line of a heading that gives it
	for _, s := range x.doc.sections {
		if s.level > 1 && s.has(roleTask) && s.subject != "" && newest.holds(s.line) && s.line <= early {
			x.setTask(s.subject, episode.Span{s.line, s.line})
			headed = s.line
			break
		}
	}
	if x.toldTask(newest, early, headed) || headed > 0 {
		return
	}
	if newest.head != nil {
		x.setTask(newest.head.title.s, episode.Span{newest.from, newest.from})
		return
	}
	var title *section
	for _, s := range x.doc.sections {
		if s.level == 1 && !s.title.empty() && !strings.Contains(s.title.s, "{{") {
			title = s
			break
		}
	}
	if title == nil || numbersOnly(title.title) {
		for i := range len(x.doc.meta) + len(x.doc.blocks) {
			if b := x.doc.at(i); b.labelRole.has(roleTopic) && !b.text.empty() && (b.section == nil || b.section.level <= 1) {
				x.setTask(b.text.s, b.span)
				return
			}
		}
	}
	if title != nil {
		x.setTask(title.title.s, episode.Span{title.line, title.line})
		return
	}
	for _, b := range x.doc.meta {
		if b.label == "title" && !b.text.empty() {
			x.setTask(b.text.s, b.span)
			return
		}
	}
}

// toldTask takes a task from a label, or from what stands under a heading of tasks,
// before a line; 0 is no bound.
func (x *extraction) toldTask(newest sitting, early, before int) bool {
	for i := range len(x.doc.meta) + len(x.doc.blocks) {
		b := x.doc.at(i)
		if before > 0 && b.span[0] > before {
			return false
		}
		if b.section != nil && !newest.holds(b.span[0]) || b.text.empty() || b.placeholder() || b.kind == rowBlock || b.kind == codeBlock {
			continue
		}
		if b.labelRole.has(roleTask) {
			x.setTask(x.wholeTask(b, b.text.s))
			return true
		}
		if !b.section.has(roleTask) || b.parent != nil || b.labelRole != 0 || b.span[0] > early {
			continue
		}
		x.setTask(x.wholeTask(b, b.full()))
		return true
	}
	return false
}

// wholeTask adds to a task the list that it opens, however long that is: it is cut as
// every text is.
func (x *extraction) wholeTask(b *block, content string) (string, episode.Span) {
	if items := b.introduced(); len(items) > 0 && items[0].kind == rowBlock {
		return strings.TrimRight(content, ":"), b.span // a table says more than what is to be done
	}
	span, content := withList(b, b.span, content, len(x.doc.blocks))
	return strings.TrimRight(content, ":"), span
}

// numbersOnly reports whether a title names a session by its number or date and
// says nothing of it: "Session 45 - 2025-12-20".
func numbersOnly(t text) bool {
	for i, w := range t.words {
		if !t.at(i, classSession) && (w.s[0] < '0' || w.s[0] > '9') {
			return false
		}
	}
	return true
}

func (x *extraction) setTask(s string, span episode.Span) {
	x.draft.task, x.draft.taskSpan = shorten(s, maxContent), span
}
