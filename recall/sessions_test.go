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
		e.Provenance.Source.Session = id
	})
}

const locked = "$ ./upload.sh ledger\nOperationalError: database is locked, ledger importer holds parcel_index.db open, 2 uploads waiting\n"

func advice(t *testing.T, x *recall.Index) string {
	t.Helper()
	a := ask(t, x, recall.AnError, locked)
	if a == nil {
		t.Fatal("no answer")
	}
	return a.Text(recall.Budget)
}

// beside adds to the library, so that words are rare in it.
func beside(s ...*recall.Session) []*recall.Session { return append(library(), s...) }

func TestCopiesOfASessionCountOnce(t *testing.T) {
	x := open(t, beside(settled("a", "2026-03-01", "set a busy timeout", nil), settled("b", "2026-03-01", "set a busy timeout", nil), settled("c", "2026-03-04", "set a busy timeout", nil)))
	if text := advice(t, x); !strings.Contains(text, "\nSeen in 3 sessions on 2 days, last 2026-03-04.") {
		t.Error(text)
	}
	x.CountsAs = func(id string) string { return strings.Replace(id, "-b", "-a", 1) }
	if text := advice(t, x); !strings.Contains(text, "\nSeen in 2 sessions on 2 days, last 2026-03-04.") {
		t.Error(text)
	}
	hits, _, err := x.Find(recall.Analyse(recall.ATask, "busy timeout"), recall.Filter{Kind: "decision", Limit: 5})
	if err != nil || len(hits) != 2 {
		t.Errorf("%+v, %v", hits, err)
	}
	x.CountsAs = func(string) string { return "episode-a" }
	if text := advice(t, x); !strings.Contains(text, "\nSeen on 2026-03-04.") || strings.Count(text, "busy timeout") != 1 {
		t.Error(text)
	}
}

func TestALogIsNamed(t *testing.T) {
	for path, named := range map[string]string{
		"9/a/0/log.jsonl": "(a/0/log.jsonl:", "log.jsonl": "(log.jsonl:", "9/a/notes.md": "(notes.md:", "8/b/0/2026-03-01.md": "(2026-03-01.md:",
		"docs/the-lock-of-the-wharf.md": "(the-lock-of-the-wharf.md:",
	} {
		s := settled(path, "2026-03-01", "set a busy timeout", nil)
		s.Log = path
		if text := advice(t, open(t, beside(s))); !strings.Contains(text, named) {
			t.Errorf("%s\n%s", path, text)
		}
	}
}

// What a log says in the words of another confirms nothing, whatever it is named and dated;
// only the records of agents, which name their sessions, say the same thing twice.
func TestEchoesAreTold(t *testing.T) {
	copies := func(change func(i int, e *episode.Episode)) (out []*recall.Session) {
		for i := range 10 {
			log := fmt.Sprintf("# Session %d\n\nThe uploads failed: `OperationalError: database is locked`, the ledger importer holds parcel_index.db open while two uploads are waiting.\n\nFix: run the script of the vendor, attempt %d.\n", i, i)
			out = append(out, session(fmt.Sprint("copy", i), fmt.Sprintf("2026-03-%02d", i+1), log, func(e *episode.Episode) {
				e.Events = []episode.Event{{ID: "e001", Type: episode.Error, Content: "OperationalError: database is locked, the ledger importer holds parcel_index.db open while 2 uploads are waiting"}}
				e.Decisions = []episode.Decision{{ID: "d001", Type: episode.Recovery, Context: e.Events[0].Content, Chosen: fmt.Sprintf("run the script of the vendor, attempt %d", i), Outcome: episode.Success}}
				e.Links = []episode.Link{{Source: "e001", Target: "d001", Type: episode.Causes, Explicit: true}}
				e.Provenance.Spans = map[string]episode.Span{"e001": {3, 3}, "d001": {5, 5}, "e001>d001": {3, 5}}
				change(i, e)
			}))
		}
		return append(out, catalogue(60)...)
	}
	text := advice(t, open(t, beside(copies(func(int, *episode.Episode) {})...)))
	if !strings.Contains(text, "\nSeen on 2026-03-10; ") || !strings.Contains(text, " more logs say so in the same words.\n") || strings.Contains(text, "held") || strings.Count(text, "script of the vendor") != 1 {
		t.Errorf("copies:\n%s", text)
	}
	text = advice(t, open(t, beside(copies(func(i int, e *episode.Episode) { e.Provenance.Source.Session = fmt.Sprint(i) })...)))
	if !strings.Contains(text, "\nSeen in 10 sessions on 10 days, last 2026-03-10.") {
		t.Errorf("records:\n%s", text)
	}
	text = advice(t, open(t, beside(copies(func(i int, e *episode.Episode) {
		e.Decisions[0].Chosen = []string{"set a busy timeout for the importer", "move the importer into the night", "one connection for all of the uploads", "close the database after each upload"}[i%4]
	})[6:]...)))
	if !strings.Contains(text, "\nSeen in 4 sessions on 4 days, last 2026-03-10.") {
		t.Errorf("four ways out:\n%s", text)
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

// What came of telling a place moves it among others that are as good.
func TestWorthMovesPlaces(t *testing.T) {
	x := open(t, beside(settled("a", "2026-03-01", "wrap it in a retry", nil), settled("b", "2026-03-01", "set a busy timeout", nil)))
	for worse, better := range map[string]string{"a": "b", "b": "a"} {
		x.Worth = func(id string, lines episode.Span) float64 {
			if strings.HasSuffix(id, "-"+worse) && lines[0] > 0 {
				return 0.8
			}
			return 1
		}
		if text := advice(t, x); !strings.Contains(text, "("+better+".md") || strings.Contains(text, "("+worse+".md") && strings.Index(text, "("+worse+".md") < strings.Index(text, "("+better+".md") {
			t.Errorf("%s did harm and is told first:\n%s", worse, text)
		}
	}
}

// What is known against a session is named: its choice no longer holds, it failed, a file is gone.
func TestWhatIsKnownAgainstASession(t *testing.T) {
	by, unnamed := "a queue", ""
	for _, c := range []struct {
		by     *string
		failed bool
		gone   string
		want   string
	}{{&by, false, "", "Now: \"a queue\"; was: \""}, {&unnamed, false, "", "; superseded since)"}, {nil, true, "", "; this session failed)"},
		{nil, false, "src/store/lock.go", "; src/store/lock.go is gone)"}, {nil, false, "", "set a busy timeout in src/store/lock.go.\" (a.md:3)\n"}} {
		s := settled("a", "2026-03-01", "set a busy timeout in src/store/lock.go", c.by)
		s.Failed = c.failed
		x := open(t, beside(s))
		x.Gone = func(path string) bool { return path == c.gone }
		if text := advice(t, x); !strings.Contains(text, c.want) {
			t.Errorf("%q is not in:\n%s", c.want, text)
		}
	}
	text := advice(t, open(t, beside(settled("a", "2026-03-01", "set a busy timeout", nil), settled("b", "2026-03-01", "set a busy timeout", &by))))
	if a, b := strings.Index(text, "(a.md"), strings.Index(text, "(b.md"); b >= 0 && b < a {
		t.Errorf("what no longer holds comes first:\n%s", text)
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
	a := ask(t, open(t, append(catalogue(30), sessions...)), recall.AnError, failure)
	if a == nil || a.Sessions != 3 {
		t.Fatalf("%+v, want 3 sessions", a)
	}
	if got := a.Statements[0].Text(); strings.Contains(got, "EPERM") || !strings.Contains(got, "outside the sandbox") {
		t.Errorf("told as %q", got)
	}
}

// A fix is told with the sessions in which it held, or with those that saw the error again.
func TestFixesAreCounted(t *testing.T) {
	const failure = "Error: listen EPERM: operation not permitted 127.0.0.1"
	seen := func(day int, fix string) *recall.Session {
		e := &episode.Episode{ID: fmt.Sprintf("episode-%d", day), Timestamp: fmt.Sprintf("2026-03-0%dT10:00:00Z", day),
			Events: []episode.Event{{ID: "e001", Type: episode.Error, Content: failure}}}
		e.Provenance.Spans = map[string]episode.Span{"e001": {4, 4}}
		e.Provenance.Source.Session = e.ID
		if fix != "" {
			e.Events = append(e.Events, episode.Event{ID: "e002", Type: episode.ToolCall, Content: fix})
			e.Links = []episode.Link{{Source: "e002", Target: "e001", Type: episode.Prevents, Explicit: true}}
			e.Provenance.Spans["e002"], e.Provenance.Spans["e002>e001"] = episode.Span{9, 9}, episode.Span{9, 9}
		}
		return recall.FromEpisode(e)
	}
	for _, c := range []struct {
		name     string
		sessions []*recall.Session
		want     string
	}{
		{"held", []*recall.Session{seen(1, "ran the suite outside the sandbox"), seen(2, "ran the suite outside the sandbox")}, `Fix: "ran the suite outside the sandbox", held 2 of 2`},
		{"came back", []*recall.Session{seen(1, "opened the port by hand"), seen(2, ""), seen(3, "")}, `Fix: "opened the port by hand", error seen again in 2 later sessions`},
		{"once", []*recall.Session{seen(1, "ran the suite outside the sandbox")}, `Fix: "ran the suite`},
	} {
		if a := ask(t, open(t, append(catalogue(30), c.sessions...)), recall.AnError, failure); a == nil || !strings.Contains(a.Text(recall.Budget), c.want) {
			t.Errorf("%s: %+v, want %q in it", c.name, a, c.want)
		}
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
	if q = recall.Analyse(recall.AnError, "building\nlinking\nError: no such file: a.go"); q.Weights["build"] >= q.Weights["file"] {
		t.Errorf("in the output of a tool, %v", q.Weights)
	}
}

// Scripts without spaces are found by parts of what was written.
func TestScriptsWithoutSpaces(t *testing.T) {
	log := "# 記録\n\n## 障害\n\n夜間バックアップが途中で止まった。原因は一時領域の容量不足だった。\n\n対処：古いスナップショットを毎晩削除する。\n"
	sessions := []*recall.Session{session("backup", "2026-02-03", log, func(e *episode.Episode) {
		e.Lessons = []string{"古いスナップショットを毎晩削除すること"}
		e.Provenance.Spans["l001"] = episode.Span{7, 7}
	})}
	for i := range 30 {
		text := fmt.Sprintf("# 記録\n\n画面%dの配色を見直した。利用者から読みにくいという意見があった。\n", i)
		sessions = append(sessions, session(fmt.Sprintf("colour-%d", i), "2026-01-01", text, nil))
	}
	x := open(t, sessions)
	if a := ask(t, x, recall.AnError, "バックアップが一時領域の容量不足で止まった"); a == nil || a.Statements[0].Episode != "episode-backup" {
		t.Errorf("answered %+v", a)
	}
	if a := ask(t, x, recall.AnError, "証明書の有効期限が切れて接続できない"); a != nil {
		t.Errorf("answered %+v to what nobody knows", a)
	}
}

// Of what was done about one error that which held is told first, wherever the error fits
// the question best.
func TestWhatHeldIsToldFirst(t *testing.T) {
	const failure = "SQLITE_BUSY: database is locked"
	seen := func(day int, chosen string, outcome episode.Outcome) *recall.Session {
		e := &episode.Episode{ID: fmt.Sprintf("episode-%d", day), Timestamp: fmt.Sprintf("2026-03-0%dT10:00:00Z", day)}
		e.Decisions = []episode.Decision{{ID: "d001", Type: episode.Recovery, Context: failure, Chosen: chosen, Outcome: outcome}}
		e.Provenance.Spans = map[string]episode.Span{"d001": {4, 4}}
		return recall.FromEpisode(e)
	}
	sessions := []*recall.Session{
		seen(1, "moved the backup of the locked database to the night", episode.Unknown),
		seen(2, "raised the busy timeout", episode.Failure),
		seen(3, "one file for each test package", episode.Unknown),
	}
	a := ask(t, open(t, append(catalogue(30), sessions...)), recall.AnError, "--- FAIL: TestBackup: backup_test.go:88: "+failure)
	if a == nil {
		t.Fatal("no answer")
	}
	if s := a.Statements[0]; s.Episode != "episode-3" || s.Class() != recall.Fix || strings.Contains(s.Text(), "SQLITE") {
		t.Errorf("told first: %q of %s", s.Text(), s.Episode)
	}
	for _, s := range a.Statements {
		if s.Episode == "episode-2" && s.Class() != recall.Failed {
			t.Errorf("what failed is told as %s", s.Class())
		}
	}
}
