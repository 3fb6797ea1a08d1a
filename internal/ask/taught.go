package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/plain"
	"episodes/internal/term"
)

// TaughtRequest asks for the lessons of a kind, those of the newest sessions first.
type TaughtRequest struct {
	Kind  string
	Since string // as of ListRequest
	Limit int    // 0: a hundred
}

// TaughtAnswer lists lessons.
type TaughtAnswer struct {
	Lessons []TaughtLesson `json:"lessons"`
	More    int            `json:"more"` // that are not listed
}

// TaughtLesson is a lesson with its session.
type TaughtLesson struct {
	Ref  string `json:"ref"`
	Date string `json:"date,omitempty"` // of the session, RFC 3339
	episode.Lesson
}

// Check refuses a kind that there is not.
func (r TaughtRequest) Check() error {
	if !slices.Contains(episode.LessonKinds(), episode.LessonKind(r.Kind)) {
		return &RequestError{Params: []string{"kind"}, Value: r.Kind, Message: "must be fix, choice, rule, trap or open"}
	}
	return nil
}

// Taught lists the lessons of a kind.
func (m *Memory) Taught(_ context.Context, r TaughtRequest) (*TaughtAnswer, error) {
	var since time.Time
	if r.Since != "" {
		var err error
		if since, err = moment("since", r.Since, m.now(), "7d"); err != nil {
			return nil, err
		}
	}
	set, err := m.here.set()
	if err != nil {
		return nil, err
	}
	a := &TaughtAnswer{Lessons: []TaughtLesson{}}
	for _, e := range set.Entries {
		ep, err := set.Load(e.ID)
		if err != nil {
			continue // doctor says so
		}
		if t, ok := ep.Time(); since.IsZero() || ok && !t.Before(since) {
			for _, l := range ep.Taught {
				if l.Kind == episode.LessonKind(r.Kind) {
					a.Lessons = append(a.Lessons, TaughtLesson{ep.ID + "#" + string(l.ID), ep.Timestamp, l})
				}
			}
		}
	}
	slices.SortStableFunc(a.Lessons, func(x, y TaughtLesson) int { return strings.Compare(y.Date, x.Date) })
	n := min(len(a.Lessons), cmp.Or(r.Limit, 100))
	a.Lessons, a.More = a.Lessons[:n], len(a.Lessons)-n
	return a, nil
}

// Text is a line for each.
func (a *TaughtAnswer) Text(tokens int) string {
	var b strings.Builder
	for _, l := range a.Lessons {
		date, _, _ := strings.Cut(l.Date, "T")
		fmt.Fprintf(&b, "%-10s  %s  %s (%s)\n", cmp.Or(date, "----------"), plain.Name(l.Ref, mostPath), plain.Quote(l.Say, episode.MaxSay), l.By)
	}
	if a.More > 0 {
		fmt.Fprintf(&b, "and %s: --limit\n", term.Plural(a.More, "older lesson"))
	}
	return term.Cut(b.String(), tokens)
}

// Empty reports whether there is none.
func (a *TaughtAnswer) Empty() bool { return len(a.Lessons) == 0 }
