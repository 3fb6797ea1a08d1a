package ask

import (
	"context"
	"slices"
	"strings"
	"testing"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

const pumpClosed = "fatal: the pump is closed"

// pump is a session that met an error as e001.
func pump(session, day string, out episode.Outcome) *querytest.Builder {
	return querytest.Build(session, out).Task("Start the pump of "+session, day).Event(episode.Error, pumpClosed).
		Event(episode.Milestone, "the pipes of "+session+" are cleaned")
}

// errorsOf is what a memory of some sessions says about the errors that came back.
func errorsOf(t *testing.T, eps ...*episode.Episode) (*Memory, []Recurrence) {
	t.Helper()
	m := newMemory(t)
	write(t, m, eps...)
	a, err := opened(t, m.Options).Recurrences(context.Background(), RecurrencesRequest{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return opened(t, m.Options), a.Errors
}

// What ended an error is what a log states or shows; the rest is named by how its sessions ended.
func TestWhatEndedAnError(t *testing.T) {
	const valve = "open the valve first"
	valveIn := func(session, day string, out episode.Outcome) *querytest.Builder {
		return pump(session, day, out).Decide("", valve, episode.Unknown).Link("e001", "d001", episode.Causes)
	}
	plain := pump("b", "2026-02-02", episode.Failure)
	for _, c := range []struct {
		what   string
		first  *querytest.Builder
		second *querytest.Builder
		want   []string
	}{
		{"nothing was done", pump("a", "2026-02-01", episode.Success), plain, nil},
		{"the log says so", valveIn("a", "2026-02-01", episode.Success), plain, []string{"held; the log says so 1 " + valve}},
		{"the log says that it prevents it", pump("a", "2026-02-01", episode.Success).Decide("", valve, episode.Unknown).
			Link("d001", "e001", episode.Prevents), plain, []string{"held; the log says so 1 " + valve}},
		{"the log implies it", valveIn("a", "2026-02-01", episode.Success).Implied(), plain, []string{"held 1 " + valve}},
		{"its session failed", valveIn("a", "2026-02-01", episode.Failure), plain, []string{"failed 1 " + valve}},
		{"its session says nothing", valveIn("a", "2026-02-01", episode.Unknown), plain, []string{"unknown 1 " + valve}},
		{"its session went well in parts", valveIn("a", "2026-02-01", episode.Partial), plain, []string{"unknown 1 " + valve}},
		{"the decision failed in a session that went well", pump("a", "2026-02-01", episode.Success).Decide("", valve, episode.Failure).
			Link("e001", "d001", episode.Causes), plain, []string{"failed 1 " + valve}},
		{"in both sessions", valveIn("a", "2026-02-01", episode.Success), valveIn("b", "2026-02-02", episode.Success), []string{"held; the log says so 2 " + valve}},
		{"another way failed", valveIn("a", "2026-02-01", episode.Success),
			pump("b", "2026-02-02", episode.Failure).Decide("", "hit the pump", episode.Unknown).Link("e001", "d001", episode.Causes),
			[]string{"held; the log says so 1 " + valve, "failed 1 hit the pump"}},
		{"a call that has nothing to do with it", pump("a", "2026-02-01", episode.Success).Event(episode.ToolCall, "`15` instead of `10`").
			Link("e003", "e001", episode.Prevents), plain, []string{"held 1 `15` instead of `10`"}},
		{"a call that shows it", pump("a", "2026-02-01", episode.Success).Event(episode.ToolCall, "with `--valve`").
			Link("e003", "e001", episode.Prevents), plain, []string{"held; the log says so 1 with `--valve`"}},
		{"the error came again after the call", pump("a", "2026-02-01", episode.Success).Event(episode.ToolCall, "with `--valve`").
			Link("e003", "e001", episode.Prevents).Event(episode.Error, pumpClosed), plain, []string{"failed 1 with `--valve`"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			m, list := errorsOf(t, c.first.Done(), c.second.Done())
			if len(list) != 1 {
				t.Fatalf("%+v", list)
			}
			var got []string
			for _, w := range list[0].Remedies {
				got = append(got, w.Label()+" "+string(rune('0'+w.Sessions))+" "+w.Text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			checkMet(t, m, list[0])
			for _, ref := range []string{"a", "b"} { // what held in other sessions is shown with the error of each
				a, err := m.Session(context.Background(), EpisodeRequest{Ref: ref})
				if err != nil {
					t.Fatal(err)
				}
				held := slices.DeleteFunc(slices.Clone(list[0].Remedies), func(w query.Remedy) bool {
					return w.Episode == a.Episode || w.Outcome != query.Held
				})
				if e := a.Errors[0]; e.Seen != 2 || e.Node != list[0].Node || !slices.Equal(e.Elsewhere, held) {
					t.Errorf("%s: %+v, want %+v", ref, e, held)
				}
			}
		})
	}
}

// checkMet compares the counts of an error with the sessions that are listed.
func checkMet(t *testing.T, m *Memory, e Recurrence) {
	t.Helper()
	times := 0
	for i, s := range e.Met {
		ep, err := m.Load(s.Episode)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, v := range ep.Events {
			if v.Content == e.Text {
				n++
			}
		}
		times += s.Times
		if v := ep.Event(s.Record); v == nil || v.Content != e.Text || n != s.Times || s.Outcome != ep.Outcome || !strings.HasPrefix(ep.Timestamp, s.Date) ||
			i > 0 && s.Date > e.Met[i-1].Date {
			t.Errorf("%+v in %+v", s, ep)
		}
	}
	if e.Sessions != len(e.Met) || e.Times != times || e.Last != e.Met[0].Date || e.First != e.Met[len(e.Met)-1].Date {
		t.Errorf("%+v", e)
	}
}

// An error costs the time from its first sign to the last, or to what was done about it.
func TestMinutesOfAnError(t *testing.T) {
	const day = "2026-02-01"
	for _, c := range []struct {
		what           string
		first, again   string // times of the error, "" if the log gives none
		decided, later string // of the remedy, and of a decision that is none
		want           float64
	}{
		{what: "no times", want: 0},
		{what: "met once", first: "09:00", want: 0},
		{what: "met again", first: "09:00", again: "09:10", want: 10},
		{what: "met again, in the other order", first: "09:10", again: "09:00", want: 10},
		{what: "until it ended", first: "09:00", again: "09:10", decided: "09:30", want: 30},
		{what: "decided before it was met", first: "09:00", decided: "08:00", want: 0},
		{what: "the decision alone has a time", decided: "09:30", want: 0},
		{what: "what has nothing to do with it", first: "09:00", later: "12:00", want: 0},
	} {
		at := func(clock string) string {
			if clock == "" {
				return ""
			}
			return day + "T" + clock + ":00Z"
		}
		ep := pump("a", day, episode.Success).Event(episode.Error, pumpClosed).Decide("", "open the valve first", episode.Unknown).
			Decide("", "paint the pump", episode.Unknown).Link("e001", "d001", episode.Causes).Done()
		ep.Events[0].Timestamp, ep.Events[2].Timestamp = at(c.first), at(c.again)
		ep.Decisions[0].Timestamp, ep.Decisions[1].Timestamp = at(c.decided), at(c.later)
		m, list := errorsOf(t, ep, pump("b", "2026-02-02", episode.Failure).Done())
		if timed := min(1, int(c.want)); len(list) != 1 || list[0].Minutes != c.want || list[0].Timed != timed {
			t.Errorf("%s: %+v, want %v minutes", c.what, list, c.want)
			continue
		}
		checkMet(t, m, list[0])
	}
}

// The counts of a time are those of its sessions, each once; the pages of a list are the list.
func TestErrorsSince(t *testing.T) {
	ctx := context.Background()
	eps := []*episode.Episode{}
	for i, day := range []string{"2026-02-01", "2026-02-03", "2026-02-05", "2026-02-07"} {
		b := pump(string(rune('a'+i)), day, []episode.Outcome{episode.Success, episode.Failure}[i%2])
		if i < 2 {
			b.Event(episode.Error, "fatal: the lower tank is empty")
		}
		if i == 1 {
			b.Event(episode.Error, "fatal: the upper tank leaks")
		}
		eps = append(eps, b.Done())
	}
	again := pump("a", "2026-02-01", episode.Success).Event(episode.Error, "fatal: the lower tank is empty").Done()
	again.ID = episode.IDFromSession("copy")
	m := newMemory(t)
	write(t, m, append(eps, again)...)
	for _, c := range []struct {
		since    string
		sessions causal.Tally
		errors   []string
	}{
		{"", causal.Tally{Success: 2, Failure: 2}, []string{pumpClosed, "fatal: the lower tank is empty"}},
		{"2026-01-01", causal.Tally{Success: 2, Failure: 2}, []string{pumpClosed, "fatal: the lower tank is empty"}},
		{"2026-02-03", causal.Tally{Success: 1, Failure: 2}, []string{pumpClosed, "fatal: the lower tank is empty"}},
		{"2026-02-04", causal.Tally{Success: 1, Failure: 1}, []string{pumpClosed}},
		{"2026-02-07", causal.Tally{Failure: 1}, []string{pumpClosed}},
		{"2026-02-08", causal.Tally{}, nil},
	} {
		var got []string
		for skip := new(int); skip != nil; {
			a, err := opened(t, m.Options).Recurrences(ctx, RecurrencesRequest{Since: c.since, Skip: *skip, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			if a.Sessions != c.sessions || a.Total != len(c.errors) || (a.Newest == "2026-02-07") != (a.Sessions.Total() == 0) {
				t.Errorf("since %q: %+v, %d errors", c.since, a.Sessions, a.Total)
			}
			for _, e := range a.Errors {
				got = append(got, e.Text)
			}
			skip = a.Next
		}
		if !slices.Equal(got, c.errors) {
			t.Errorf("since %q: %q, want %q", c.since, got, c.errors)
		}
	}
}
