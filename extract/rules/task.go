package rules

import (
	"math"
	"path"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
	"episodes/internal/lazy"
)

// taskSources are the places in which a log may state its task, best first.
var taskSources = []func(*extraction) bool{
	(*extraction).statedTask,
	(*extraction).headedTask,
	(*extraction).sessionTask,
	(*extraction).topicTask,
	(*extraction).turnTask,
	(*extraction).titleTask,
	(*extraction).metaTask,
	(*extraction).promptTask,
	(*extraction).pathTask,
	(*extraction).bareTitle,
}

// task finds what the newest session set out to do: a task label or section, else
// its title.
func (x *extraction) task() {
	for _, found := range taskSources {
		if found(x) {
			return
		}
	}
}

// early is the line up to which a task is set: it is set at the start.
func (x *extraction) early() int {
	return x.newest.from + (x.newest.to-x.newest.from+1)*2/5
}

// taskHeading is the first heading that gives the task itself, or nil.
func (x *extraction) taskHeading() *doc.Section {
	for _, s := range x.doc.Sections {
		if s.Level > 1 && s.Has(lex.RoleTask) && s.Subject != "" && x.newest.contains(s.Line) && s.Line <= x.early() {
			return s
		}
	}
	return nil
}

func (x *extraction) headedTask() bool {
	s := x.taskHeading()
	return s != nil && x.setTask(s.Subject, episode.Span{s.Line, s.Line})
}

// sessionTask extracts the heading of the newest of several sessions.
func (x *extraction) sessionTask() bool {
	if x.newest.head == nil || saysWhen(x.newest.head.Title) {
		return false
	}
	return x.setTask(x.newest.head.Title.Raw, episode.Span{x.newest.from, x.newest.from})
}

// title is the title of the log, or nil.
func (x *extraction) title() *doc.Section {
	for _, s := range x.doc.Sections {
		if s.Level == 1 && !s.Title.Empty() && !strings.Contains(s.Title.Raw, "{{") {
			return s
		}
	}
	return nil
}

// topicTask extracts a label that names the topic, where the title says nothing.
func (x *extraction) topicTask() bool {
	if t := x.title(); t != nil && !numbersOnly(t.Title) {
		return false
	}
	for i := range len(x.doc.Meta) + len(x.doc.Blocks) {
		if b := x.doc.At(i); b.LabelRoles.Has(lex.RoleTopic) && !b.Text.Empty() && (b.Section == nil || b.Section.Level <= 1) {
			return x.setTask(b.Text.Raw, b.Span)
		}
	}
	return false
}

// titleTask extracts the title, where it says what the log is about.
func (x *extraction) titleTask() bool {
	t := x.title()
	return t != nil && !x.saysNothing(t.Title) && !x.isResult(t.Title) && x.bareTitle()
}

// bareTitle extracts the title, also one that says little.
func (x *extraction) bareTitle() bool {
	t := x.title()
	if t == nil || saysWhen(t.Title) {
		return false
	}
	x.takeTask(t.Title.Raw, episode.Span{t.Line, t.Line})
	return true
}

// promptTask extracts the first heading below a title that says only when: what a user
// asked for opens the log of a conversation.
func (x *extraction) promptTask() bool {
	if t := x.title(); t == nil || !saysWhen(t.Title) {
		return false
	}
	for _, s := range x.doc.Sections {
		if s.Level > 1 && (s.Roles == 0 || strings.HasSuffix(s.Title.Raw, "?")) &&
			len(s.Title.Words) > 2 && !saysWhen(s.Title) && !s.Within(lex.RoleSkip) {
			return x.setTask(s.Title.Raw, episode.Span{s.Line, s.Line})
		}
	}
	return false
}

// pathTask extracts the name of the log's file, or of its folder where that says nothing
// ("notes.md"). No line shows it.
func (x *extraction) pathTask() bool {
	if len(x.doc.Blocks) == 0 {
		return false
	}
	dir, file := path.Split(x.path)
	for _, name := range []string{strings.TrimSuffix(file, path.Ext(file)), path.Base(dir)} {
		name = lex.WithoutDays(timeInName().ReplaceAllString(name, ""))
		t := x.plain(strings.TrimSpace(nameJoints().ReplaceAllString(name, " ")))
		if len(t.Words) > 0 && !x.saysNothing(t) {
			x.takeTask(t.Raw, episode.Span{})
			return true
		}
	}
	return false
}

var (
	nameJoints = lazy.Pattern(`[-_.\s]+`)
	timeInName = lazy.Pattern(`\d{4}-\d{2}-\d{2}T\d{2}[-_]\d{2}[-_\d]*Z?`)
)

// saysNothing reports whether a name is the kind of a log, or says only when it was
// written: "Session log", "Decisions".
func (x *extraction) saysNothing(t lex.Text) bool {
	return saysWhen(t) || x.lex.Exact(t) != 0 || !slices.ContainsFunc(t.Words, func(w lex.Word) bool {
		return !w.Any(lex.ClassLogName, lex.ClassSession) && !lex.IsNumber(w.Lower)
	})
}

// saysWhen reports whether a title is a date, a time or the number of a session, and says
// nothing of what the session is about.
func saysWhen(t lex.Text) bool {
	if lex.HasClock(t.Raw) {
		return true // "chat started at 2026-03-02 11:58:11"
	}
	return numbersOnly(t)
}

// metaTask extracts the title that the front matter gives.
func (x *extraction) metaTask() bool {
	for _, b := range x.doc.Meta {
		if b.Label == "title" && !b.Text.Empty() && !saysWhen(b.Text) {
			return x.setTask(b.Text.Raw, b.Span)
		}
	}
	return false
}

// statedTask extracts a task from a label, or from the text under a heading of tasks, up to
// the heading of the task itself, if any.
func (x *extraction) statedTask() bool {
	before := math.MaxInt
	if s := x.taskHeading(); s != nil {
		before = s.Line
	}
	for i := range len(x.doc.Meta) + len(x.doc.Blocks) {
		b := x.doc.At(i)
		if b.Span[0] > before {
			return false
		}
		if b.Section != nil && !x.newest.contains(b.Span[0]) || b.Text.Empty() || b.Placeholder() ||
			b.Kind == doc.Row || b.Kind == doc.Code {
			continue
		}
		switch {
		case b.LabelRoles.Has(lex.RoleTask) && x.setTask(x.wholeTask(b, b.Text.Raw)):
			return true
		case b.Section.Has(lex.RoleTask) && b.Parent == nil && b.LabelRoles == 0 && b.Span[0] <= x.early() && x.setTask(x.wholeTask(b, b.Full())):
			return true
		}
	}
	return false
}

// wholeTask adds to a task the list that it opens, however long that is: it is cut as
// every text is.
func (x *extraction) wholeTask(b *doc.Block, content string) (string, episode.Span) {
	if items := b.Introduced(); len(items) > 0 && items[0].Kind == doc.Row {
		return strings.TrimRight(content, ":"), b.Span // a table says more than what is to be done
	}
	return strings.TrimRight(withList(b, content, len(x.doc.Blocks)), ":"), b.Span
}

// numbersOnly reports whether a title names a session by its number or date and
// says nothing of it: "Session 45 - 2025-12-20".
func numbersOnly(t lex.Text) bool {
	return !slices.ContainsFunc(t.Words, func(w lex.Word) bool {
		return !w.Any(lex.ClassSession, lex.ClassDayPart) && !lex.IsDigit(w.Lower[0])
	})
}

// setTask takes a text as the task, unless it is a result.
func (x *extraction) setTask(s string, span episode.Span) bool {
	if x.isResult(x.plain(s)) {
		return false
	}
	x.takeTask(s, span)
	return true
}

func (x *extraction) takeTask(s string, span episode.Span) {
	if rest := strings.TrimLeft(s[lex.ClockEnd(s):], " -–—:|"); len(x.plain(rest).Words) > 1 {
		s = rest // when it was is no part of it
	}
	x.draft.Task, x.draft.TaskSpan = episode.Shorten(s, episode.MaxContent), span
}

// isResult reports whether a text gives the result of a task rather than what it is: "SOLVED ✅ the lock is free",
// "All tests passing", "100% (99/99)".
func (x *extraction) isResult(t lex.Text) bool {
	if numbersOnly(t) {
		return true
	}
	first, last := t.Words[0], t.Words[len(t.Words)-1]
	return t.Capitals(0) && t.Sub(first.Start, first.End).StatusOf().Known() ||
		len(t.Words) <= resultWords && t.Sub(last.Start, len(t.Raw)).StatusOf().Known()
}

// resultWords is how many words a result has that ends with its status.
const resultWords = 3
