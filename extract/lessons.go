package extract

import (
	"slices"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/extract/statements"
	"episodes/internal/corrections"
)

// lessons are those of statements: what a person set for work to come, and what is left open.
func (e *Extractor) lessons(list []statements.Statement) (out []*facts.Fact) {
	for _, s := range list {
		f := &facts.Fact{Kind: facts.Lesson, Span: s.At, Content: s.Text}
		switch {
		case s.Kind == statements.Rule && s.Who == "user" && statements.Standing(s.Text):
			f.Lesson.Kind, f.Rule = episode.RuleLesson, "a person set it"
		case s.Left && s.Ended[0] == 0 && matter(e.lex.Text(s.Text)):
			f.Lesson.Kind, f.Rule = episode.OpenLesson, "left open"
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}

// matter reports whether a text says what is left to do: it opens with what to do, and to what, and is no step at the end of
// any work.
func matter(t lex.Text) bool {
	const least = 5
	return len(t.Words) >= least && t.At(0, lex.ClassTodo) && !slices.ContainsFunc([]lex.Class{lex.ClassMerge, lex.ClassReview, lex.ClassSession}, t.Is)
}

// name gives the lessons of an episode their ids, each its own.
func name(ep *episode.Episode, lines corrections.Lines) {
	seen := map[episode.LessonRef]bool{}
	for i := range ep.Taught {
		l, first := &ep.Taught[i], ""
		if n := l.Lines[0][0]; n > 0 && n <= len(lines) {
			first = lines[n-1]
		}
		for ; l.ID == "" || seen[l.ID]; first += "\n" {
			l.ID = episode.NewLessonID(ep.Session, l.By, first, l.Say)
		}
		seen[l.ID] = true
	}
}
