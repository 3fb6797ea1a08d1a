package recall_test

import (
	"slices"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/recall"
)

// mended is a session of an agent in which a change ended an error.
func mended(id, date, fix string) *recall.Session {
	e := &episode.Episode{ID: "episode-" + id, Session: id, Timestamp: date + "T09:00:00Z", Outcome: episode.Success,
		Events: []episode.Event{{ID: "e001", Type: episode.Error, Content: "upload.sh: OperationalError: database is locked, ledger importer holds parcel_index.db open, 2 uploads waiting"},
			{ID: "e002", Type: episode.ToolCall, Content: fix}},
		Links: []episode.Link{{Source: "e002", Target: "e001", Type: episode.Prevents, Explicit: true}}}
	e.Provenance = episode.Provenance{Source: episode.Source{Path: id + ".jsonl", Format: "claude-code", Session: id},
		Spans: map[string]episode.Span{"e001": {3, 3}, "e002": {5, 5}, "e002>e001": {5, 5}}}
	return recall.FromEpisode(e)
}

// A fix whose lines changed since is given behind one that still stands, and both say so.
func TestFixesThatStandComeFirst(t *testing.T) {
	x := open(t, beside(mended("a", "2026-03-01", "with `-tags sqlite`"), mended("b", "2026-04-01", "edit of store.go: adds `PRAGMA busy_timeout=5000`")))
	first := func() string { return strings.SplitN(advice(t, x), "\n", 2)[0] }
	for _, c := range []struct {
		gone string
		as   recall.State
	}{{"a", recall.Drifted}, {"b", recall.Drifted}, {"a", recall.Gone}} {
		x.State = func(id string, lines episode.Span) recall.State {
			if strings.HasSuffix(id, "-"+c.gone) && lines[0] > 0 {
				return c.as
			}
			return recall.Fresh
		}
		if got := first(); strings.Contains(got, "("+c.gone+".jsonl") || !strings.Contains(got, "; lines still there)") {
			t.Errorf("%s is %s: %s", c.gone, c.as, got)
		}
		if text := advice(t, x); strings.Contains(text, "("+c.gone+".jsonl") && !strings.Contains(text, "; "+string(c.as)+")") {
			t.Errorf("%s is %s, and the answer does not say so:\n%s", c.gone, c.as, text)
		}
	}
	asked := 0
	x.State = func(string, episode.Span) recall.State { asked++; return recall.Fresh }
	if a, err := x.Advise(recall.Analyse(recall.AnError, "no such thing was ever seen")); err != nil || a != nil || asked > 0 {
		t.Errorf("%d looks for %+v (%v)", asked, a, err)
	}
}

// A decision that a later one undoes begins with what holds now.
func TestWhatHoldsNowComesFirst(t *testing.T) {
	old, by := settled("a", "2026-03-01", "wrap the uploads in a retry", nil), "never wrap the uploads in a retry"
	for name, c := range map[string]struct {
		later *recall.Session
		want  string
	}{
		"another day":  {settled("b", "2026-04-01", by, nil), `Now: "` + by + `"; was, until 2026-04-01: `},
		"the same day": {settled("b", "2026-03-01", by, nil), ""},
		"agreement":    {settled("b", "2026-04-01", "wrap the uploads in a second retry", nil), ""},
	} {
		a, err := open(t, beside(old, c.later)).Advise(recall.Analyse(recall.AChoice, "wrap the uploads in a retry: OperationalError: database is locked?"))
		if err != nil || a == nil {
			t.Fatalf("%s: %v, %v", name, a, err)
		}
		i := slices.IndexFunc(a.Statements, func(s recall.Statement) bool { return s.Episode == "episode-a" })
		switch {
		case i < 0:
			t.Errorf("%s: the older session is not quoted:\n%s", name, a.Text(recall.Budget))
		case !strings.HasPrefix(a.Statements[i].Text(), c.want) || c.want == "" && strings.HasPrefix(a.Statements[i].Text(), "Now: "):
			t.Errorf("%s: %s", name, a.Statements[i].Text())
		}
	}
}
