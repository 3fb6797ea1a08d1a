package ask

import (
	"context"
	"slices"
	"testing"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/querytest"
)

// Each month counts its sessions once, whatever the list is limited to; private ones are left out.
func TestTimelineByMonth(t *testing.T) {
	ctx := context.Background()
	m := newMemory(t)
	dated := func(session, timestamp string, out episode.Outcome) *episode.Episode {
		ep := querytest.Build(session, out).Event(episode.Milestone, "the work of "+session+" is done").Done()
		ep.Task, ep.Timestamp = "Work on "+session, timestamp
		return ep
	}
	write(t, m, dated("a", "2026-01-31T23:59:59Z", episode.Success), dated("b", "2026-02-01T00:00:00Z", episode.Failure),
		dated("c", "2026-02-28T10:00:00Z", episode.Partial), dated("d", "2025-12-05T10:00:00Z", episode.Success), dated("e", "", episode.Unknown))
	again := dated("b", "2026-02-01T00:00:00Z", episode.Failure)
	again.ID = episode.IDFromSession("copy")
	write(t, m, again)
	writePrivate(t, m, dated("p", "2026-02-03T10:00:00Z", episode.Failure))
	shared := []Month{{"2026-02", causal.Tally{Failure: 1, Partial: 1}}, {"2026-01", causal.Tally{Success: 1}},
		{"2025-12", causal.Tally{Success: 1}}, {"", causal.Tally{Unknown: 1}}}
	all := slices.Clone(shared)
	all[0].Of.Failure = 2
	failed := []Month{{"2026-02", causal.Tally{Failure: 2}}}
	for _, c := range []struct {
		what     string
		private  bool
		r        ListRequest
		sessions []string
		months   []Month
	}{
		{"all", true, ListRequest{}, []string{"c", "p", "b", "a", "d", "e"}, all},
		{"the shared part", false, ListRequest{}, []string{"c", "b", "a", "d", "e"}, shared},
		{"failures", true, ListRequest{Outcome: "failure"}, []string{"p", "b"}, failed},
		{"of a task", false, ListRequest{Task: "on a"}, []string{"a"}, shared[1:2]},
		{"since", false, ListRequest{Since: "2026-02-01"}, []string{"c", "b"}, shared[:1]},
		{"until", false, ListRequest{Until: "2026-01-01"}, []string{"d"}, shared[2:3]},
		{"nothing", false, ListRequest{Task: "zebra"}, nil, nil},
	} {
		for _, limit := range []int{1, 100} {
			var got []string
			for more := true; more; {
				c.r.Limit = limit
				a, err := opened(t, Options{Location: m.Location, Shared: !c.private}).Timeline(ctx, c.r)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range a.Episodes {
					got = append(got, e.Session)
					if e.Private != (e.Session == "p") {
						t.Errorf("%s: %+v", c.what, e)
					}
				}
				if !slices.Equal(a.Months, c.months) || a.Total != len(c.sessions) || len(a.Episodes) > limit {
					t.Errorf("%s: %d sessions, %+v", c.what, a.Total, a.Months)
				}
				c.r.After, more = a.Next, a.Next != ""
			}
			if !slices.Equal(got, c.sessions) {
				t.Errorf("%s, %d at a time: %q, want %q", c.what, limit, got, c.sessions)
			}
		}
	}
	_, err := m.Timeline(ctx, ListRequest{Outcome: "good"})
	refuses(t, "an outcome", err)
}
