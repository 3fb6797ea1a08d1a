package query_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

func TestList(t *testing.T) {
	undated := querytest.Build("undated", episode.Unknown).Done()
	undated.Outcome = ""
	var eps []query.EpisodeSummary
	for _, e := range append(querytest.Sample(), undated) {
		eps = append(eps, query.Summarise(e))
	}
	day := func(s string) time.Time { d, _ := time.Parse(time.DateOnly, s); return d }
	for _, c := range []struct {
		name  string
		f     query.Filter
		total int
		first string
	}{
		{"all, newest first", query.Filter{}, 28, "2026-04-22-session-61-uploads"},
		{"by outcome", query.Filter{Outcome: episode.Partial}, 1, "2026-03-17-session-31-upload-tests"},
		{"an absent outcome is unknown", query.Filter{Outcome: episode.Unknown}, 2, "2026-02-20-session-21-lock-again"},
		{"by task, in any case", query.Filter{Task: "  LOCK for good"}, 1, "2026-02-03-session-14-lock-release"},
		{"since is inclusive", query.Filter{Since: day("2026-04-22").Add(9 * time.Hour)}, 1, "2026-04-22-session-61-uploads"},
		{"until is exclusive", query.Filter{Until: day("2026-02-03").Add(9 * time.Hour)}, 1, "2026-01-12-session-02-lock-timeout"},
		{"between", query.Filter{Since: day("2026-03-01"), Until: day("2026-04-01")}, 2, "2026-03-19-session-33-required-check"},
		{"nothing", query.Filter{Task: "kubernetes"}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := query.List(eps, c.f)
			check(t, err)
			first := ""
			if len(l.Episodes) > 0 {
				first = l.Episodes[0].Session
			}
			if l.Total != c.total || first != c.first {
				t.Errorf("%d episodes, the first %q", l.Total, first)
			}
		})
	}
	l, err := query.List(eps, query.Filter{Limit: 3})
	check(t, err)
	if len(l.Episodes) != 3 || l.Total != 28 {
		t.Errorf("%d of %d", len(l.Episodes), l.Total)
	}
	if all, _ := query.List(eps, query.Filter{}); all.Episodes[27].Session != "undated" {
		t.Error("an episode without a time is not the last")
	}
	var paged []string
	for after := ""; ; {
		page, err := query.List(eps, query.Filter{Limit: 5, After: after})
		check(t, err)
		for _, e := range page.Episodes {
			paged = append(paged, e.ID)
		}
		if after = page.Next; after == "" {
			break
		}
	}
	full, err := query.List(eps, query.Filter{Limit: 1000})
	check(t, err)
	for i, e := range full.Episodes {
		if i >= len(paged) || paged[i] != e.ID {
			t.Fatalf("the pages are not the list: %q", paged)
		}
	}
	for _, bad := range []query.Filter{{Outcome: "great"}, {Limit: -1}} {
		if _, err := query.List(eps, bad); err == nil {
			t.Errorf("%+v passes", bad)
		}
	}
}

func TestDecisions(t *testing.T) {
	e := querytest.Build("a", episode.Success).Decide("", "First", episode.Unknown).Decide("", "Second", episode.Unknown).Decide("", "Third", episode.Unknown).Done()
	order := func() string {
		var out []string
		for _, d := range query.Decisions(e).Decisions {
			out = append(out, d.Chosen)
		}
		return strings.Join(out, " ")
	}
	if got := order(); got != "First Second Third" {
		t.Errorf("without times: %s", got)
	}
	e.Decisions[0].Timestamp, e.Decisions[1].Timestamp, e.Decisions[2].Timestamp = "2026-01-02T10:00:00+02:00", "2026-01-02T07:00:00Z", "2026-01-02T07:00:00Z"
	if got := order(); got != "Second Third First" {
		t.Errorf("by time: %s", got)
	}
	e.Decisions[1].Timestamp = ""
	if got := order(); got != "First Second Third" {
		t.Errorf("with one time missing: %s", got)
	}
	if none := query.Decisions(querytest.Build("b", episode.Success).Done()); none.Decisions == nil || len(none.Decisions) != 0 {
		t.Error("no decisions are not an empty list")
	}
}

func TestParseMoment(t *testing.T) {
	now := time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)
	for in, want := range map[string]string{
		"7d": "2026-05-03T12:00:00Z", "36h": "2026-05-09T00:00:00Z", "2w": "2026-04-26T12:00:00Z", "0d": "2026-05-10T12:00:00Z",
		"7days": "2026-05-03T12:00:00Z", "7 Days": "2026-05-03T12:00:00Z", "1 day ago": "2026-05-09T12:00:00Z", "2 weeks": "2026-04-26T12:00:00Z",
		"yesterday": "2026-05-09T00:00:00Z", "Today": "2026-05-10T00:00:00Z",
		"2026-01-31": "2026-01-31T00:00:00Z", " 2026-01-31T10:00:00+01:00 ": "2026-01-31T10:00:00+01:00",
	} {
		got, err := query.ParseMoment(in, now)
		check(t, err)
		if d := cmp.Diff(want, got.Format(time.RFC3339)); d != "" {
			t.Errorf("%q: %s", in, d)
		}
	}
	for _, bad := range []string{"", "d", "7", "-7d", "7y", "tomorrow", "days", "2026-13-01", "99999w", "1.5d"} {
		if got, err := query.ParseMoment(bad, now); err == nil {
			t.Errorf("%q is %v", bad, got)
		}
	}
}
