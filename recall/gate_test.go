package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/recall"
)

func ask(t *testing.T, x *recall.Index, want recall.Want, text string) *recall.Answer {
	t.Helper()
	a, err := x.Advise(recall.Analyse(want, text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// importer is a log with a fault, its cause and what mended it.
const importer = `# Session

## The ledger importer

LedgerLockError: tenant walnut holds the parcel snapshot while the harbor importer is waiting for copper.

Root cause: the harbor importer never released its snapshot of the ledger.

Fix: release the snapshot before the copper tunnel is opened.
`

// What is answered, and what is not: questions that a memory knows about, and those that
// only share words with it.
func TestGate(t *testing.T) {
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
		a := ask(t, x, c.want, c.text)
		if a == nil == c.say {
			t.Errorf("%s: answered %v, want %v", c.name, a != nil, c.say)
		} else if a != nil && a.Statements[0].Episode != "episode-importer" {
			t.Errorf("%s: answered by %s", c.name, a.Statements[0].Episode)
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
		if a := ask(t, x, recall.AnError, text); a == nil {
			silent = true
		} else if spoke = true; silent {
			t.Errorf("%d known words are answered, one more was not", n)
		}
	}
	if !spoke || !silent {
		t.Errorf("spoke %v, was silent %v", spoke, silent)
	}
}

// What says neither why nor what to do is no advice, however well it fits.
func TestAnErrorAloneIsNoAdvice(t *testing.T) {
	const failure = "LedgerLockError: tenant walnut holds the parcel snapshot of the harbor importer"
	x := open(t, append(catalogue(40), session("seen", "2026-04-01", "# Log\n\n## Walnut\n\n"+failure+"\n", func(e *episode.Episode) {
		e.Events = []episode.Event{{ID: "e001", Type: episode.Error, Content: failure}}
		e.Provenance.Spans = map[string]episode.Span{"e001": {5, 5}}
	})))
	if a := ask(t, x, recall.AnError, failure); a != nil {
		t.Errorf("advised %s", a.Text(recall.Budget))
	}
	if a, err := x.Closest(recall.Analyse(recall.AnError, failure)); a != nil || err != nil {
		t.Errorf("closest %v, %v", a, err)
	}
	if hits := find(t, x, failure, recall.Filter{Limit: 1}); len(hits) != 1 || hits[0].Episode != "episode-seen" {
		t.Errorf("a search finds %+v", hits)
	}
}

// Words that many sessions share are no evidence: an error of every day is answered only
// where its own words are rare.
func TestManySessionsThatFitAlikeAnswerNothing(t *testing.T) {
	all := catalogue(40)
	for i := range 12 {
		all = append(all, session(fmt.Sprint("s", i), "2026-01-01", fmt.Sprintf("# Log\n\n## %s\n\nFix: the walnut harbor was painted, as the %s is.\n", vocabulary[i], vocabulary[i]), nil))
	}
	x := open(t, all)
	if a := ask(t, x, recall.ATask, "paint the walnut harbor"); a != nil {
		t.Errorf("one of twelve alike is told: %s", a.Text(recall.Budget))
	}
}

// Closest answers below the gate, says so, and is nil only where no word is shared.
func TestClosestSaysThatItIsWeak(t *testing.T) {
	x := open(t, append(catalogue(40), session("importer", "2026-04-01", importer, nil)))
	q := recall.Analyse(recall.ATask, "Translate the handbook of the harbor into Portuguese and print it")
	a, err := x.Closest(q)
	if err != nil || a == nil || !a.Weak || !strings.HasPrefix(a.Text(recall.Budget), "closest, not sure: \"") || len(a.Text(recall.Budget)) > 160 {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err = x.Closest(recall.Analyse(recall.ATask, "translate into Portuguese")); a != nil || err != nil {
		t.Errorf("%+v, %v", a, err)
	}
	if a = ask(t, x, recall.AnError, "LedgerLockError: tenant walnut holds the parcel snapshot while the harbor importer is waiting for copper"); a == nil || a.Weak {
		t.Errorf("%+v", a)
	}
}

// An empty memory answers nothing and finds nothing.
func TestEmptyMemories(t *testing.T) {
	for _, x := range []*recall.Index{recall.NewIndex(nil, nil), open(t, nil), open(t, nil, nil)} {
		for _, want := range []recall.Want{recall.AnError, recall.AnAction, recall.ATask, recall.AChoice} {
			if a := ask(t, x, want, pasted); a != nil {
				t.Errorf("%+v", a)
			}
		}
		if hits := find(t, x, pasted, recall.Filter{Limit: 5}); len(hits) > 0 {
			t.Errorf("%+v", hits)
		}
	}
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
		a, b := ask(t, full, recall.AnError, text), ask(t, part, recall.AnError, text)
		if (a == nil) != (b == nil) || a != nil && a.Text(recall.Budget) != b.Text(recall.Budget) {
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
