package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// task finds what the newest session set out to do: a task label or section, else
// its title.
func (x *extraction) task() {
	newest := x.newest
	early := newest.from + (newest.to-newest.from+1)*2/5 // a task is set at the start
	headed := 0                                          // the line of a heading that gives it
	for _, s := range x.doc.Sections {
		if s.Level > 1 && s.Has(lex.RoleTask) && s.Subject != "" && newest.contains(s.Line) && s.Line <= early {
			x.setTask(s.Subject, episode.Span{s.Line, s.Line})
			headed = s.Line
			break
		}
	}
	if x.statedTask(newest, early, headed) || headed > 0 {
		return
	}
	if newest.head != nil {
		x.setTask(newest.head.Title.Raw, episode.Span{newest.from, newest.from})
		return
	}
	var title *doc.Section
	for _, s := range x.doc.Sections {
		if s.Level == 1 && !s.Title.Empty() && !strings.Contains(s.Title.Raw, "{{") {
			title = s
			break
		}
	}
	if title == nil || numbersOnly(title.Title) {
		for i := range len(x.doc.Meta) + len(x.doc.Blocks) {
			if b := x.doc.At(i); b.LabelRoles.Has(lex.RoleTopic) && !b.Text.Empty() && (b.Section == nil || b.Section.Level <= 1) {
				x.setTask(b.Text.Raw, b.Span)
				return
			}
		}
	}
	if title != nil {
		x.setTask(title.Title.Raw, episode.Span{title.Line, title.Line})
		return
	}
	for _, b := range x.doc.Meta {
		if b.Label == "title" && !b.Text.Empty() {
			x.setTask(b.Text.Raw, b.Span)
			return
		}
	}
}

// statedTask takes a task from a label, or from what stands under a heading of tasks,
// before a line; 0 is no bound.
func (x *extraction) statedTask(newest sessionPart, early, before int) bool {
	for i := range len(x.doc.Meta) + len(x.doc.Blocks) {
		b := x.doc.At(i)
		if before > 0 && b.Span[0] > before {
			return false
		}
		if b.Section != nil && !newest.contains(b.Span[0]) || b.Text.Empty() || b.Placeholder() || b.Kind == doc.Row || b.Kind == doc.Code {
			continue
		}
		if b.LabelRoles.Has(lex.RoleTask) {
			x.setTask(x.wholeTask(b, b.Text.Raw))
			return true
		}
		if !b.Section.Has(lex.RoleTask) || b.Parent != nil || b.LabelRoles != 0 || b.Span[0] > early {
			continue
		}
		x.setTask(x.wholeTask(b, b.Full()))
		return true
	}
	return false
}

// wholeTask adds to a task the list that it opens, however long that is: it is cut as
// every text is.
func (x *extraction) wholeTask(b *doc.Block, content string) (string, episode.Span) {
	if items := b.Introduced(); len(items) > 0 && items[0].Kind == doc.Row {
		return strings.TrimRight(content, ":"), b.Span // a table says more than what is to be done
	}
	span, content := withList(b, b.Span, content, len(x.doc.Blocks))
	return strings.TrimRight(content, ":"), span
}

// numbersOnly reports whether a title names a session by its number or date and
// says nothing of it: "Session 45 - 2025-12-20".
func numbersOnly(t lex.Text) bool {
	for i, w := range t.Words {
		if !t.At(i, lex.ClassSession) && (w.Lower[0] < '0' || w.Lower[0] > '9') {
			return false
		}
	}
	return true
}

func (x *extraction) setTask(s string, span episode.Span) {
	x.draft.Task, x.draft.TaskSpan = facts.Shorten(s, facts.MaxContent), span
}
