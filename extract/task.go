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
	for _, s := range x.doc.sections {
		if s.level > 1 && s.has(roleTask) && s.subject != "" && newest.holds(s.line) && s.line <= early {
			x.setTask(s.subject, episode.Span{s.line, s.line})
			return
		}
	}
	for i := range len(x.doc.meta) + len(x.doc.blocks) {
		b := x.doc.at(i)
		if b.section != nil && !newest.holds(b.span[0]) || b.text.empty() || b.placeholder() || b.kind == rowBlock || b.kind == codeBlock {
			continue
		}
		if b.labelRole.has(roleTask) {
			x.setTask(b.text.s, b.span)
			return
		}
		if !b.section.has(roleTask) || b.parent != nil || b.labelRole != 0 || b.span[0] > early {
			continue
		}
		span, content := b.span, b.full()
		if items := x.introduced(b); strings.HasSuffix(content, ":") && len(items) > 0 {
			span, content = x.withList(b, span, content)
		}
		x.setTask(strings.TrimRight(content, ":"), span)
		return
	}
	if newest.head != nil {
		x.setTask(newest.head.title.s, episode.Span{newest.from, newest.from})
		return
	}
	for _, s := range x.doc.sections {
		if s.level == 1 && !s.title.empty() && !strings.Contains(s.title.s, "{{") {
			x.setTask(s.title.s, episode.Span{s.line, s.line})
			return
		}
	}
	for _, b := range x.doc.meta {
		if b.label == "title" && !b.text.empty() {
			x.setTask(b.text.s, b.span)
			return
		}
	}
}

func (x *extraction) setTask(s string, span episode.Span) {
	x.taskText, x.taskSpan = shorten(s, maxContent), span
}
