package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/internal/plain"
	"episodes/recall"
)

// importer is a log with a fault, its cause and what mended it.
const importer = `# Session

## The ledger importer

LedgerLockError: tenant walnut holds the parcel snapshot while the harbor importer is waiting for copper.

Root cause: the harbor importer never released its snapshot of the ledger.

Fix: release the snapshot before the copper tunnel is opened.
`

// What is answered, and what is not: questions that a memory knows about, and those that
// only share words with it.
func TestAdviseOrSilence(t *testing.T) {
	x := open(t, append(catalogue(40), append(library(), session("importer", "2026-04-01", importer, func(e *episode.Episode) {
		e.Events = []episode.Event{{ID: "e001", Type: episode.Error, Content: "LedgerLockError: tenant walnut holds the parcel snapshot while the harbor importer is waiting for copper"}}
		e.Lessons = []string{"Release the snapshot of the ledger before the copper tunnel is opened"}
		e.Provenance.Spans = map[string]episode.Span{"e001": {5, 5}, "l001": {9, 9}}
	}))...))
	for _, c := range []struct {
		name string
		want recall.Want
		text string
		say  bool
	}{
		{"the error as it was", recall.AnError, "LedgerLockError: tenant walnut holds the parcel snapshot while the harbor importer is waiting for copper", true},
		{"the error in an output", recall.AnError, "$ make import\nreading\nLedgerLockError: tenant walnut holds the parcel snapshot while the harbor importer is waiting for copper\nmake: *** [Makefile:7: import] Error 2", true},
		{"with other numbers", recall.AnError, "2026-11-11T10:11:12Z LedgerLockError: tenant walnut holds the parcel snapshot while the harbor importer is waiting for copper (418 of 12 s)", true},
		{"the task", recall.ATask, "open the copper tunnel after the harbor importer has taken its snapshot of the ledger", true},
		{"the choice", recall.AChoice, "Should the harbor importer release its snapshot of the ledger before the copper tunnel is opened?", true},
		{"another error of the same program", recall.AnError, "LedgerLockError: violet saddle beyond the falcon meadow, no such anchor in the basket", false},
		{"a few of its words", recall.AnError, "RibbonError: carpet pepper tenant lantern engine marble parcel saddle", false},
		{"a task with one word of it", recall.ATask, "Translate the handbook of the harbor into Portuguese and print it", false},
		{"an action on something else", recall.AnAction, "docker compose down --volumes walnut", false},
		{"a choice of something else", recall.AChoice, "Tabs or spaces in the parcel files?", false},
		{"words of everybody", recall.ATask, "render page of the catalogue", false},
		{"an output without an error", recall.AnError, "ok 12 passed\nok 13 passed\nok 14 passed", false},
	} {
		if got := advise(t, x, c.want, c.text); len(got) > 0 != c.say {
			t.Errorf("%s: answered %+v, want %v", c.name, got, c.say)
		} else if c.say && (got[0].Episode != "episode-importer" || len(got[0].Text) > recall.Budget) {
			t.Errorf("%s: answered by %+v", c.name, got[0])
		}
	}
}

// The less of an error a memory has seen the less it says, and once it is silent it stays so.
func TestLessEvidenceNeverSaysMore(t *testing.T) {
	x := open(t, append(catalogue(40), session("importer", "2026-04-01", importer, nil)))
	known := strings.Fields("tenant walnut parcel snapshot harbor importer copper tunnel")
	spoke, silent := false, false
	for n := len(known); n >= 0; n-- {
		text := "LedgerLockError: " + strings.Join(append(append([]string{}, known[:n]...), vocabulary[20:20+len(known)-n]...), " ")
		if got := advise(t, x, recall.AnError, text); len(got) == 0 {
			silent = true
		} else if spoke = true; silent {
			t.Errorf("%d known words are answered, one more was not", n)
		}
	}
	if !spoke || !silent {
		t.Errorf("spoke %v, was silent %v", spoke, silent)
	}
}

// What says no more than the question is no advice, however well it fits; a search finds it.
func TestAnErrorAloneIsNoAdvice(t *testing.T) {
	const failure = "LedgerLockError: tenant walnut holds the parcel snapshot of the harbor importer"
	x := open(t, append(catalogue(40), session("seen", "2026-04-01", "# Log\n\n## Walnut\n\n"+failure+"\n", func(e *episode.Episode) {
		e.Events = []episode.Event{{ID: "e001", Type: episode.Error, Content: failure}}
		e.Provenance.Spans = map[string]episode.Span{"e001": {5, 5}}
	})))
	if got := advise(t, x, recall.AnError, failure); len(got) > 0 {
		t.Errorf("advised %+v", got)
	}
	if hits := find(t, x, failure, recall.Filter{Limit: 1}); len(hits) != 1 || hits[0].Episode != "episode-seen" {
		t.Errorf("a search finds %+v", hits)
	}
}

const listen = "Error: listen EPERM: operation not permitted 127.0.0.1"

// mended is a session of an agent in which a call ended an error; outcome says so of a decision, which was tried.
func mended(day int, fix string, outcome episode.Outcome) *recall.Session {
	e := &episode.Episode{ID: fmt.Sprintf("episode-%d", day), Timestamp: fmt.Sprintf("2026-03-0%dT10:00:00Z", day),
		Events: []episode.Event{{ID: "e001", Type: episode.Error, Content: "npm test: " + listen}}}
	e.Provenance.Spans = map[string]episode.Span{"e001": {4, 4}, "e002": {9, 9}, "d001": {9, 9}, "e002>e001": {9, 9}, "e001>d001": {9, 9}}
	if outcome == "" {
		e.Events = append(e.Events, episode.Event{ID: "e002", Type: episode.ToolCall, Content: fix})
		e.Links = []episode.Link{{Source: "e002", Target: "e001", Type: episode.Prevents, Explicit: true}}
	} else {
		e.Decisions = []episode.Decision{{ID: "d001", Type: episode.Recovery, Context: listen, Chosen: fix, Outcome: outcome}}
	}
	return recall.FromEpisode(e)
}

// A fix is what held, with the sessions in which it did; what failed is said so, and nothing else is called a fix.
func TestFixesAreWhatHeld(t *testing.T) {
	const outside = "ran the suite outside the sandbox"
	for _, c := range []struct {
		name     string
		sessions []*recall.Session
		want     string
	}{
		{"once", []*recall.Session{mended(1, outside, "")}, "fix: " + outside},
		{"twice", []*recall.Session{mended(1, outside, ""), mended(2, outside, "")}, "fix: " + outside + " (held 2 of 2)"},
		{"it failed once", []*recall.Session{mended(1, outside, ""), mended(2, outside, episode.Failure)}, "fix: " + outside + " (held 1 of 2)"},
		{"it failed", []*recall.Session{mended(2, outside, episode.Failure)}, "trap: " + outside},
		{"the one that held more often", []*recall.Session{mended(1, "opened the port by hand", ""), mended(2, outside, ""), mended(3, outside, "")}, "fix: " + outside + " (held 2 of 2)"},
	} {
		got := advise(t, open(t, append(catalogue(30), c.sessions...)), recall.AnError, listen)
		if len(got) == 0 {
			t.Errorf("%s: nothing", c.name)
			continue
		}
		text := got[0].Kind() + ": " + got[0].Text
		if r := got[0].Result(); r != "" {
			text += " (" + r + ")"
		}
		if text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
	for _, l := range advise(t, open(t, append(catalogue(30), mended(1, outside, episode.Unknown))), recall.AnError, listen) {
		if l.Kind() == "fix" {
			t.Errorf("nobody knows that it held: %+v", l)
		}
	}
}

// One session is one vote, and so are copies of it.
func TestCopiesOfASessionCountOnce(t *testing.T) {
	x := open(t, append(catalogue(30), mended(1, "opened the port", ""), mended(2, "opened the port", ""), mended(3, "opened the port", "")))
	x.CountsAs = func(id string) string { return strings.Replace(id, "-2", "-1", 1) }
	if got := advise(t, x, recall.AnError, listen); len(got) == 0 || got[0].Held != 2 {
		t.Errorf("%+v", got)
	}
}

// A fix whose lines changed since is given behind one that still stands, and both say so.
func TestFixesThatStandComeFirst(t *testing.T) {
	x := open(t, append(catalogue(30), mended(1, "edit of port.go: adds `listen(0)`", ""), mended(2, "with `-tags net`", "")))
	for _, gone := range []string{"episode-1", "episode-2"} {
		x.State = func(id string, lines episode.Span) recall.State {
			if id == gone && lines[0] > 0 {
				return recall.Drifted
			}
			return recall.Fresh
		}
		if got := advise(t, x, recall.AnError, listen); len(got) < 2 || got[0].Episode == gone || got[0].State != recall.Fresh || got[1].State != recall.Drifted {
			t.Errorf("%s: %+v", gone, got)
		}
	}
	asked := 0
	x.State = func(string, episode.Span) recall.State { asked++; return recall.Fresh }
	if got := advise(t, x, recall.AnError, "no such thing was ever seen"); len(got) > 0 || asked > 0 {
		t.Errorf("%d looks for %+v", asked, got)
	}
}

// What is quoted of a log stands there, on the lines that are named.
func TestQuotationsAreOfTheirLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom(vocabulary)
		var log []string
		for range rapid.IntRange(1, 20).Draw(t, "lines") {
			log = append(log, rapid.SampledFrom([]string{"", "", "- ", "## "}).Draw(t, "mark")+strings.Join(rapid.SliceOfN(words, 0, 30).Draw(t, "line"), " ")+".")
		}
		x := open(t, append(catalogue(10), session("quoted", "2026-01-01", strings.Join(log, "\n"), func(e *episode.Episode) { e.Task = "" })))
		text := strings.Join(rapid.SliceOfN(words, 1, 6).Draw(t, "question"), " ")
		q := recall.Analyse(recall.ATask, text)
		for _, c := range find(t, x, text, recall.Filter{Kind: "line", Limit: 9}) {
			most := rapid.IntRange(40, 400).Draw(t, "most")
			got := c.Line(q, most)
			if of := plain.Words(strings.Join(log[c.At[0]-1:c.At[1]], " ")); len(got) > most || !strings.Contains(of, strings.TrimSuffix(got, "…")) {
				t.Fatalf("%q is not of lines %v: %q", got, c.At, of)
			}
		}
	})
}

// Of a memory in a database only the sessions that fit are at hand. What their words are worth
// is what they are worth in all of it, so that what is answered is the same.
func TestPartOfALargerMemory(t *testing.T) {
	fits := []*recall.Session{session("importer", "2026-04-01", importer, nil)}
	all := append(catalogue(200), fits...)
	full, held := open(t, all), recall.Corpus{Sessions: len(all), Holding: map[recall.Word]int{}}
	for _, s := range all {
		for _, w := range s.Hashes() {
			held.Holding[w]++
		}
	}
	part := open(t, fits)
	part.Of(held)
	for _, text := range []string{
		"LedgerLockError: tenant walnut holds the parcel snapshot while the harbor importer is waiting for copper",
		"RibbonError: carpet pepper tenant lantern engine marble parcel saddle",
		"ReferenceError: page of the catalogue",
	} {
		a, b := advise(t, full, recall.AnError, text), advise(t, part, recall.AnError, text)
		if len(a) != len(b) || len(a) > 0 && a[0].Text != b[0].Text {
			t.Errorf("%q: all answers %+v, the part %+v", text, a, b)
		}
	}
	score := func(x *recall.Index, text string) float64 { return find(t, x, text, recall.Filter{Limit: 1})[0].Score }
	before := score(part, "walnut")
	held.Holding[wordOf("walnut")] = 150
	part.Of(held)
	if after := score(part, "walnut"); after >= before/2 {
		t.Errorf("a word of one session is worth %v, of 150 sessions %v", before, after)
	}
}

// wordOf is the word of a database that a term is.
func wordOf(text string) recall.Word {
	for w := range recall.Analyse(recall.ATask, text).Hashes() {
		return w
	}
	return 0
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
	if got := advise(t, x, recall.AnError, "バックアップが一時領域の容量不足で止まった"); len(got) == 0 || got[0].Episode != "episode-backup" {
		t.Errorf("answered %+v", got)
	}
	if got := advise(t, x, recall.AnError, "証明書の有効期限が切れて接続できない"); len(got) > 0 {
		t.Errorf("answered %+v to what nobody knows", got)
	}
}
