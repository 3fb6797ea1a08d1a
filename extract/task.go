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
