package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/query"
)

// shownTo is the memory as the pages see it, with the private part or without.
func shownTo(t *testing.T, m *Memory, private bool) *Memory {
	t.Helper()
	o := m.Options
	o.Shared = !private
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestRecurrences(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 6)
	secret := uploads(8)
	secret.Events[0].Content, secret.Events[0].Key = "fatal: the private pump leaks", "error: private"
	other := uploads(9)
	other.Events[0] = secret.Events[0]
	writePrivate(t, m, secret, other)
	for _, c := range []struct {
		name    string
		r       RecurrencesRequest
		private bool
		errors  []string // their sessions
		total   int
		success int
	}{
		{"the shared part", RecurrencesRequest{}, false, []string{"6 database is locked"}, 1, 2},
		{"all", RecurrencesRequest{}, true, []string{"6 database is locked", "2 fatal: the private pump leaks"}, 2, 3},
		{"one at a time", RecurrencesRequest{Skip: 1, Limit: 1}, true, []string{"2 fatal: the private pump leaks"}, 2, 3},
		{"behind the last", RecurrencesRequest{Skip: 5}, true, nil, 2, 3},
		{"lately", RecurrencesRequest{Since: "2026-04-05"}, false, []string{"6 database is locked"}, 1, 0},
		{"later than all", RecurrencesRequest{Since: "2026-05-01"}, true, nil, 0, 0},
		{"no such node", RecurrencesRequest{Node: "n1"}, true, nil, 0, 3},
	} {
		a, err := shownTo(t, m, c.private).Recurrences(ctx, c.r)
		if err != nil {
			t.Fatal(c.name, err)
		}
		var got []string
		for _, e := range a.Errors {
			got = append(got, string(rune('0'+e.Sessions))+" "+e.Text)
			if e.Times != e.Sessions || e.Met[0].Date != e.Last || e.First > e.Last {
				t.Errorf("%s: %+v", c.name, e)
			}
		}
		if !slices.Equal(got, c.errors) || a.Total != c.total || a.Sessions.Success != c.success || a.Empty() != (c.errors == nil) {
			t.Errorf("%s: %q of %d, %+v", c.name, got, a.Total, a.Sessions)
		}
		if text := a.Text(40); len(text) > 160 || c.private == false && strings.Contains(text, "pump") {
			t.Errorf("%s: %s", c.name, text)
		}
	}
	refuses(t, "no time", RecurrencesRequest{Since: "soon"}.Check(), "since")
	if err := (RecurrencesRequest{Skip: -1}).Check(); err == nil {
		t.Error("a negative number is accepted")
	}
	// What is kept is of the state that it was computed from.
	write(t, m, uploads(10))
	a, err := shownTo(t, m, false).Recurrences(ctx, RecurrencesRequest{})
	if err != nil || a.Errors[0].Sessions != 7 {
		t.Errorf("%+v, %v", a, err)
	}
}

// The cost of an error is the time that it took, as far as logs give it; where none does, sessions count.
func TestErrorsByCost(t *testing.T) {
	of := func(text, last string, sessions int, minutes float64, timed int) query.Recurrence {
		return query.Recurrence{Text: text, Last: last, Sessions: sessions, Minutes: minutes, Timed: timed}
	}
	list := []query.Recurrence{of("often", "2026-01-01", 9, 0, 0), of("long", "2026-01-02", 2, 300, 2), of("old", "2026-01-03", 2, 0, 0),
		of("new", "2026-01-09", 2, 10, 2), of("many", "2026-01-04", 8, 0, 0)}
	check := func(want ...string) {
		t.Helper()
		n := sortByCost(list)
		got := []string{fmt.Sprint(n)}
		for _, x := range list {
			got = append(got, x.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check("2", "long", "new", "many", "old", "often")
	for i := range list {
		list[i].Minutes = 0
	}
	check("3", "often", "many", "new", "old", "long")
}

func TestPagesOfAMemory(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 8)
	writePrivate(t, m, uploads(9))
	shared, all := shownTo(t, m, false), shownTo(t, m, true)
	choices, err := shared.Choices(ctx, ChoicesRequest{})
	if err != nil || choices.Total != 1 || choices.Next != nil {
		t.Fatalf("%+v, %v", choices, err)
	}
	q := choices.Questions[0]
	if q.Sessions != 8 || len(q.Options) != 2 || q.Options[0].Option != "Set a busy timeout" || q.Options[0].Successes != 3 ||
		q.Options[0].Failures != 1 || q.Options[1].Successes != 0 || len(q.Options[1].Uses) != 4 {
		t.Errorf("%+v", q)
	}
	for of, want := range map[*Memory]int{shared: 8, all: 9} {
		line, err := of.Timeline(ctx, ListRequest{Limit: 5})
		if err != nil || line.Total != want || len(line.Episodes) != 5 || line.Next == "" || len(line.Months) != 1 ||
			line.Months[0].Of.Total() != want || line.Episodes[0].Private != (want == 9) {
			t.Errorf("%+v, %v", line, err)
		}
		rest, err := of.Timeline(ctx, ListRequest{After: line.Next, Outcome: "failure"})
		if err != nil || len(rest.Episodes) == 0 || rest.Episodes[0].Outcome != episode.Failure || rest.Next != "" {
			t.Errorf("%+v, %v", rest, err)
		}
	}
	lessons, err := shared.Lessons(ctx, LessonsRequest{})
	if err != nil || lessons.Total != 1 || lessons.Lessons[0].Sessions != 2 {
		t.Errorf("%+v, %v", lessons, err)
	}
	if hits, err := shared.Search(ctx, SearchRequest{Text: "busy timeout uploads"}); err != nil || hits.Empty() ||
		slices.ContainsFunc(hits.Hits, func(h SearchHit) bool { return h.Private }) {
		t.Errorf("%+v, %v", hits, err)
	}
	for _, ref := range []string{uploads(9).ID, "2026-04-01-session-009", "2026-04-01-session-"} {
		_, err := shared.Session(ctx, EpisodeRequest{Ref: ref})
		if err == nil || strings.Contains(strings.ReplaceAll(err.Error(), ref, ""), "009") {
			t.Errorf("%s: %v", ref, err)
		}
	}
	if a, err := all.Session(ctx, EpisodeRequest{Ref: uploads(9).ID}); err != nil || !a.Private {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestReadable(t *testing.T) {
	m := memoryOf(t, 1)
	in := &SearchAnswer{Hits: []SearchHit{{Text: "a\u202eb <b> key https://me:hunter2hunter2@example.org/", Kind: "line"}}}
	out, err := Readable(m, in, nil)
	if err != nil || !strings.HasPrefix(out.Hits[0].Text, "ab <b> key ") || strings.Contains(out.Hits[0].Text, "hunter2hunter2") {
		t.Errorf("%+v, %v", out, err)
	}
}
