package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/recall"
)

// catalogue makes n sessions that share no word with the other memories of these tests, so
// that words of those are rare.
func catalogue(n int) (out []*recall.Session) {
	for i := range n {
		out = append(out, recall.FromEpisode(&episode.Episode{ID: fmt.Sprintf("page-%d", i), Task: fmt.Sprintf("render page %d of the catalogue", i)}))
	}
	return out
}

// find returns the hits of a search, best first.
func find(t interface{ Fatal(...any) }, x *recall.Index, text string, want recall.Filter) []recall.Cited {
	hits, _, err := x.List(recall.Analyse(recall.ATask, text), want)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// sayings makes a session with a lesson of each text.
func sayings(id, date string, texts ...string) *recall.Session {
	return session(id, date, "", func(e *episode.Episode) {
		e.Task, e.Lessons = "", texts
		for i := range texts {
			e.Provenance.Spans[fmt.Sprintf("l%03d", i+1)] = episode.Span{10*i + 1, 10*i + 1}
		}
	})
}

// The session that has the very line comes first, though others have as many of its words.
func TestTheExactLineComesFirst(t *testing.T) {
	const exact = "tenant bucket is full, prune snapshots"
	all := append(catalogue(20),
		sayings("scattered", "2026-05-05", "snapshots of a lantern: prune the tunnel, a bucket for each ribbon, and in the harbor every meadow is full of candles for a tenant"),
		sayings("turned", "2026-05-05", "prune, full, snapshots, tenant, basket, bucket"),
		sayings("half", "2026-05-05", "tenant bucket", "tenant bucket of the walnut"),
		sayings("exact", "2026-01-01", exact))
	for _, text := range []string{exact, strings.ToUpper(exact), "Why: `" + exact + "`?"} {
		if hits := find(t, open(t, all), text, recall.Filter{Limit: 3}); len(hits) == 0 || hits[0].Episode != "episode-exact" {
			t.Errorf("%q finds %+v", text, hits)
		}
	}
}

// keys says what hits are of, in order.
func keys(hits []recall.Cited) (out []string) {
	for _, h := range hits {
		out = append(out, fmt.Sprint(h.Episode, h.Kind, h.Record, h.At, h.Score))
	}
	return out
}

// What a document stands under is a part of it, and counts for less than what it says.
func TestHeadingsAreFound(t *testing.T) {
	x := open(t, append(catalogue(20),
		session("under", "2026-01-01", "# Session\n\n## Walnut\n\nThe harbor was painted.\n", nil),
		session("says", "2026-01-01", "# Session\n\n## Harbor\n\nThe walnut was painted.\n", nil)))
	hits := find(t, x, "walnut", recall.Filter{Limit: 9, Kind: "line"})
	if len(hits) != 2 || hits[0].Episode != "episode-says" || hits[1].Episode != "episode-under" {
		t.Errorf("%+v", hits)
	}
}

// Of equal hits the newest session comes first, in whatever order sessions are given.
func TestNewerSessionsComeFirst(t *testing.T) {
	all := catalogue(20)
	for _, day := range []string{"2026-02-03", "2025-12-31", "2026-02-10", "", "2024-02-29"} {
		all = append(all, sayings("on"+day, day, "walnut harbor "+strings.Repeat("x", 3)))
	}
	for i := range all[20:] {
		all[20+i].Docs[0].Text = fmt.Sprintf("walnut harbor %d", i) // numbers are no terms
	}
	var got []string
	for _, h := range find(t, open(t, all), "walnut", recall.Filter{Limit: 4}) {
		got = append(got, h.Date)
	}
	if !slices.IsSortedFunc(got, func(a, b string) int { return strings.Compare(b, a) }) || len(got) != 4 {
		t.Errorf("%q", got)
	}
}

// Kinds, dates, sessions and pages select among the same ranking.
func TestFiltersSelectFromOneRanking(t *testing.T) {
	all := catalogue(5)
	for i := range 12 {
		all = append(all, session(fmt.Sprint("s", i), fmt.Sprintf("2026-01-%02d", i+1), fmt.Sprintf("# Log\n\n## Notes\n\nThe walnut harbor needed work again, number %d.\n", i), func(e *episode.Episode) {
			e.Task = fmt.Sprintf("walnut task %d", i)
			e.Lessons = []string{fmt.Sprintf("lesson on walnut number %d", i)}
			e.Decisions = []episode.Decision{{ID: "d001", Chosen: fmt.Sprintf("walnut choice %d", i)}}
			e.Events = []episode.Event{{ID: "e001", Type: episode.Error, Content: fmt.Sprintf("WalnutError: %d", i)}}
			e.Provenance.Spans = map[string]episode.Span{"l001": {11, 11}, "d001": {21, 21}, "e001": {31, 31}, "task": {41, 41}}
		}))
	}
	x := open(t, all[:9], all[9:])
	every := find(t, x, "walnut", recall.Filter{Limit: 1000})
	if len(every) != 12*5 {
		t.Fatalf("%d hits", len(every))
	}
	if !slices.IsSortedFunc(every, func(a, b recall.Cited) int { return -int(max(-1, min(1, 1e9*(a.Score-b.Score)))) }) {
		t.Error("hits are not sorted by score")
	}
	selected := func(pass func(recall.Cited) bool) (out []recall.Cited) {
		for _, h := range every {
			if pass(h) {
				out = append(out, h)
			}
		}
		return out
	}
	for _, kind := range []string{"error", "decision", "lesson", "task", "line"} {
		got := find(t, x, "walnut", recall.Filter{Kind: kind, Limit: 1000})
		if want := selected(func(h recall.Cited) bool { return h.Kind == kind }); !slices.Equal(keys(got), keys(want)) || len(got) != 12 || !slices.Contains(recall.Kinds(), kind) {
			t.Errorf("kind %s: %d hits, want %d", kind, len(got), len(want))
		}
	}
	if got, want := find(t, x, "walnut", recall.Filter{Since: "2026-01-08", Limit: 1000}), selected(func(h recall.Cited) bool { return h.Date >= "2026-01-08" }); !slices.Equal(keys(got), keys(want)) {
		t.Errorf("since: %d hits, want %d", len(got), len(want))
	}
	if got, want := find(t, x, "walnut", recall.Filter{Session: "EPISODE-S3", Limit: 1000}), selected(func(h recall.Cited) bool { return h.Episode == "episode-s3" }); !slices.Equal(keys(got), keys(want)) {
		t.Errorf("session: %d hits, want %d", len(got), len(want))
	}
	var paged []recall.Cited
	for skip := 0; ; skip += 7 {
		hits, more, err := x.List(recall.Analyse(recall.ATask, "walnut"), recall.Filter{Skip: skip, Limit: 7})
		if err != nil || len(hits) > 7 {
			t.Fatalf("%+v, %v", hits, err)
		}
		if paged = append(paged, hits...); !more {
			break
		}
	}
	if !slices.Equal(keys(paged), keys(every)) {
		t.Errorf("%d hits by pages, %d at once", len(paged), len(every))
	}
}

// The word that is being typed is completed where no document has it: among the documents with the other words, and to
// the one that most of them have. No other question completes it.
func TestTheLastWordIsCompleted(t *testing.T) {
	x := open(t, append(catalogue(20),
		sayings("merge", "2026-01-01", "a merge conflict in the lock file", "the merge conflicts again", "merge the confetti last"),
		sayings("settings", "2026-01-02", "configuration of the walnut", "configuration of the pump", "configuration of the lamp"),
		sayings("short", "2026-01-03", "the conf of the tulip", "before the wart")))
	for typed, whole := range map[string]string{
		"merge conflic":  "merge conflict",
		"Merge CONFLIC":  "merge conflict",
		"merge con":      "merge conflict",
		"con":            "configuration",
		"configurat":     "configuration",
		"walnut confet":  "walnut confetti", // no document has both
		"merge conf":     "merge conf",      // is a word
		"merge co":       "merge",
		"conflic merge":  "merge",
		"merge zzyzx":    "merge",
		"merge conflic,": "merge",
		"lamp the":       "lamp", // says nothing by itself
	} {
		if got, want := keys(find(t, x, typed, recall.Filter{Limit: 9})), keys(find(t, x, whole, recall.Filter{Limit: 9})); !slices.Equal(got, want) || len(got) == 0 {
			t.Errorf("%q finds %q, want %q", typed, got, want)
		}
	}
	if got, err := x.Ask(recall.Filter{Limit: 9}, recall.Analyse(recall.ATask, "conflic")); err != nil || len(got) > 0 {
		t.Errorf("asked: %+v, %v", got, err)
	}
	gone, err := x.Without(func(id string) bool { return id == "episode-merge" })
	if err != nil {
		t.Fatal(err)
	}
	if got := find(t, gone, "confli", recall.Filter{Limit: 9}); len(got) > 0 {
		t.Errorf("completed from what is removed: %+v", got)
	}
}

// draws makes sessions of random facts and logs over few words, so that they often meet.
func draws(t *rapid.T) []*recall.Session {
	words := rapid.SampledFrom(vocabulary[:12])
	text := func(name string) string {
		return strings.Join(rapid.SliceOfN(words, 1, 6).Draw(t, name), " ")
	}
	var out []*recall.Session
	for i := range rapid.IntRange(1, 8).Draw(t, "sessions") {
		failure := "LedgerError: " + text("error")
		log := "# Log\n\n## " + text("heading") + "\n\n" + failure + "\n\nFix: " + text("fix") + ".\n\n" + text("prose") + "\n"
		out = append(out, session(fmt.Sprint(i), fmt.Sprintf("2026-01-%02d", rapid.IntRange(1, 4).Draw(t, "day")), log, func(e *episode.Episode) {
			e.Task = text("task")
			e.Events = []episode.Event{{ID: "e001", Type: episode.Error, Content: failure}}
			e.Decisions = []episode.Decision{{ID: "d001", Type: episode.Recovery, Context: failure, Chosen: text("chosen"),
				Outcome: rapid.SampledFrom([]episode.Outcome{episode.Success, episode.Failure, episode.Unknown}).Draw(t, "outcome")}}
			e.Links = []episode.Link{{Source: "e001", Target: "d001", Type: episode.Causes}}
			e.Provenance.Spans = map[string]episode.Span{"e001": {5, 5}, "d001": {7, 7}, "e001>d001": {5, 7}}
			if rapid.Bool().Draw(t, "record") {
				e.Provenance.Source.Session = e.ID
			}
		}))
	}
	return append(out, catalogue(30)...)
}

// known is all that an index answers to some questions.
func known(t *rapid.T, x *recall.Index, questions []string) string {
	var b strings.Builder
	for _, text := range questions {
		for _, want := range []recall.Want{recall.AnError, recall.ATask} {
			q := recall.Analyse(want, text)
			lines, err := x.Advise(q)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				fmt.Fprintf(&b, "%s: %s %d of %d, %s%s\n", text, l.Episode, l.Held, l.Of, l.Kind(), l.Text)
			}
		}
		fmt.Fprintln(&b, keys(find(t, x, text, recall.Filter{Limit: 6})))
	}
	return b.String()
}

// The same sessions in any order, spread over any segments, some of them beside what was
// removed since, give the same answers to the byte.
func TestOrderAndSegmentsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := draws(t)
		var questions []string
		for range 3 {
			questions = append(questions, "$ upload\nLedgerError: "+strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary[:12]), 1, 6).Draw(t, "question"), " "))
		}
		want := known(t, open(t, all), questions)
		mixed := rapid.Permutation(all).Draw(t, "order")
		cut := rapid.IntRange(0, len(mixed)).Draw(t, "cut")
		if got := known(t, open(t, mixed[:cut], mixed[cut:]), questions); got != want {
			t.Fatalf("in one segment:\n%s\nin two:\n%s", want, got)
		}
		segments := open(t, mixed[:cut], mixed[cut:]).Segments
		if got := known(t, recall.NewIndex(segments[:1], []map[int]bool{nil}).With(segments[1]), questions); got != want {
			t.Fatalf("in one segment:\n%s\nwith one more:\n%s", want, got)
		}

		removed := append(draws(t), sayings("gone", "2026-05-05", "LedgerError: "+strings.Join(vocabulary[:12], " ")))
		x := open(t, append(slices.Clip(mixed[:cut]), removed...), mixed[cut:])
		x.Dead[0] = map[int]bool{}
		for i := range removed {
			x.Dead[0][cut+i] = true
		}
		x = recall.NewIndex(x.Segments, x.Dead)
		if got := known(t, x, questions); got != want {
			t.Fatalf("alone:\n%s\nbeside what was removed:\n%s", want, got)
		}
	})
}
