package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/recall"
)

// settled is a session that decided between a retry and a busy timeout.
func settled(id, date, chosen string, superseded *string) *recall.Session {
	log := "# Session\n\nThe uploads failed: `OperationalError: database is locked`, the ledger importer holds parcel_index.db open while two uploads are waiting.\n\nDecided: " + chosen + ".\n"
	return session(id, date, log, func(e *episode.Episode) {
		e.Decisions = []episode.Decision{{ID: "d001", Context: "OperationalError: database is locked, the ledger importer holds parcel_index.db", Chosen: chosen,
			Rationale: "the uploads failed", Outcome: episode.Success, Superseded: superseded}}
		e.Provenance.Spans = map[string]episode.Span{"d001": {3, 5}}
	})
}

const locked = "$ ./upload.sh ledger\nOperationalError: database is locked, ledger importer holds parcel_index.db open, 2 uploads waiting\n"

func advice(t *testing.T, x *recall.Index) string {
	t.Helper()
	a, err := x.Advise(recall.Analyse(recall.AnError, locked))
	if err != nil || a == nil {
		t.Fatalf("%v, %v", a, err)
	}
	return a.Text(recall.Budget)
}

// beside adds to the library, so that words are rare in it.
func beside(s ...*recall.Session) []*recall.Session { return append(library(), s...) }

func TestCopiesOfASessionCountOnce(t *testing.T) {
	x := open(t, beside(settled("a", "2026-03-01", "set a busy timeout", nil), settled("b", "2026-03-01", "set a busy timeout", nil), settled("c", "2026-03-04", "set a busy timeout", nil)))
	if text := advice(t, x); !strings.HasPrefix(text, "Seen in 3 sessions on 2 days, last 2026-03-04.") {
		t.Error(text)
	}
	x.CountsAs = func(id string) string { return strings.Replace(id, "-b", "-a", 1) }
	if text := advice(t, x); !strings.HasPrefix(text, "Seen in 2 sessions on 2 days, last 2026-03-04.") {
		t.Error(text)
	}
	hits, _, err := x.Find(recall.Analyse(recall.ATask, "busy timeout"), recall.Filter{Kind: "decision", Limit: 5})
	if err != nil || len(hits) != 2 {
		t.Errorf("%+v, %v", hits, err)
	}
	x.CountsAs = func(string) string { return "episode-a" }
	if text := advice(t, x); !strings.HasPrefix(text, "Seen once, 2026-03-04.") || strings.Count(text, "busy timeout") != 1 {
		t.Error(text)
	}
}

func TestTheNewestOfEqualSessionsIsTold(t *testing.T) {
	older, newer := settled("a", "2026-03-01", "wrap it in a retry", nil), settled("b", "2026-04-01", "never wrap it in a retry", nil)
	for _, order := range [][]*recall.Session{{older, newer}, {newer, older}} {
		if text := advice(t, open(t, beside(order...))); strings.Count(strings.SplitN(text, "(b.md", 2)[0], "\n") > 1 {
			t.Errorf("the newer session does not come first:\n%s", text)
		}
	}
}

func TestWhatNoLongerHoldsIsNamed(t *testing.T) {
	by, unnamed := "a queue", ""
	for _, c := range []struct {
		by   *string
		want string
	}{{&by, "; superseded by \"a queue\")"}, {&unnamed, "; superseded since)"}} {
		if text := advice(t, open(t, beside(settled("a", "2026-03-01", "set a busy timeout", c.by)))); !strings.Contains(text, c.want) {
			t.Errorf("%q is not in:\n%s", c.want, text)
		}
	}
	text := advice(t, open(t, beside(settled("a", "2026-03-01", "set a busy timeout", nil), settled("b", "2026-03-01", "set a busy timeout", &by))))
	if a, b := strings.Index(text, "(a.md"), strings.Index(text, "(b.md"); b >= 0 && b < a {
		t.Errorf("what no longer holds comes first:\n%s", text)
	}
}

func TestSessionsThatFailedAreNamed(t *testing.T) {
	failed := settled("a", "2026-03-01", "set a busy timeout", nil)
	failed.Failed = true
	if text := advice(t, open(t, beside(failed))); !strings.Contains(text, "; this session failed)") {
		t.Error(text)
	}
}

func TestFilesThatAreGoneAreNamed(t *testing.T) {
	x := open(t, beside(settled("a", "2026-03-01", "set a busy timeout in src/store/lock.go", nil)))
	x.Gone = func(path string) bool { return path == "src/store/lock.go" }
	if text := advice(t, x); !strings.Contains(text, "; src/store/lock.go is gone)") {
		t.Error(text)
	}
	x.Gone = func(string) bool { return false }
	if text := advice(t, x); strings.Contains(text, "gone") {
		t.Error(text)
	}
}

// Sessions in which one error occurred do not compete for the answer, and what mended it
// is told without the error again.
func TestSessionsOfOneErrorAgree(t *testing.T) {
	const failure = "Error: listen EPERM: operation not permitted 127.0.0.1"
	var sessions []*recall.Session
	for i, run := range []string{"vitest", "node --run check", "npm test"} {
		e := &episode.Episode{ID: fmt.Sprintf("episode-%d", i), Timestamp: fmt.Sprintf("2026-03-0%dT10:00:00Z", i+1),
			Events: []episode.Event{{ID: "e001", Type: episode.Error, Content: run + ": " + failure}, {ID: "e002", Type: episode.ToolCall, Content: run + " passes outside the sandbox"}},
			Links:  []episode.Link{{Source: "e002", Target: "e001", Type: episode.Prevents, Explicit: true}}}
		e.Provenance.Spans = map[string]episode.Span{"e001": {4, 4}, "e002": {9, 9}, "e002>e001": {9, 9}}
		sessions = append(sessions, recall.FromEpisode(e))
	}
	for i := range 30 {
		sessions = append(sessions, recall.FromEpisode(&episode.Episode{ID: fmt.Sprintf("other-%d", i), Task: fmt.Sprintf("render page %d of the catalogue", i)}))
	}
	x := open(t, sessions)
	a, err := x.Advise(recall.Analyse(recall.AnError, failure))
	if err != nil || a == nil {
		t.Fatalf("no answer: %v", err)
	}
	if a.Sessions != 3 {
		t.Errorf("%d sessions, want 3", a.Sessions)
	}
	if got := a.Statements[0].Text(); strings.Contains(got, "EPERM") || !strings.Contains(got, "outside the sandbox") {
		t.Errorf("told as %q", got)
	}
}

// An error in somebody's own words is weighed as words, not as the output of a tool.
func TestAnErrorInWords(t *testing.T) {
	q := recall.Analyse(recall.AnError, "git rebase hangs on Windows when run by the agent")
	for word, w := range q.Weights {
		if w != 1 {
			t.Errorf("%q weighs %v", word, w)
		}
	}
	if q = recall.Analyse(recall.AnError, "building\nlinking\nError: no such file: a.go"); q.Prose {
		t.Error("the output of a tool is no prose")
	}
}
