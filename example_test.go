package episodes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"episodes"
)

// sample makes a memory of the logs in testdata/sessions, in a folder of its own.
func sample() (m *episodes.Memory, remove func()) {
	dir, err := os.MkdirTemp("", "episodes")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, ".agents", "sessions"), os.DirFS("testdata/sessions")); err != nil {
		log.Fatal(err)
	}
	if m, err = episodes.Create(dir); err != nil {
		log.Fatal(err)
	}
	if _, err := m.Extract(context.Background(), episodes.ExtractRequest{}); err != nil {
		log.Fatal(err)
	}
	return m, func() {
		m.Close()
		os.RemoveAll(dir)
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "episodes")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	sessions, err := filepath.Abs("testdata/sessions")
	if err != nil {
		log.Fatal(err)
	}

	m, err := episodes.Create(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()

	ctx := context.Background()
	took, err := m.Extract(ctx, episodes.ExtractRequest{Logs: []string{sessions}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(took.Written(), "episodes written,", took.Failed(), "logs failed")

	a, err := m.WhatIf(ctx, episodes.WhatIfRequest{Option: "raise the lock timeout"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("raised: %d of %d ended well; the other way: %d of %d\n", a.Alternative.Successes, a.Alternative.Known(),
		a.Actual.Successes, a.Actual.Known())
	// Output:
	// 30 episodes written, 0 logs failed
	// raised: 0 of 2 ended well; the other way: 5 of 5
}

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "episodes")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	_, err = episodes.Open(dir)
	fmt.Println(errors.Is(err, episodes.ErrNoMemory))
	// Output:
	// true
}

func ExampleMemory_Extract() {
	m, remove := sample()
	defer remove()

	// What did not change is not read again.
	again, err := m.Extract(context.Background(), episodes.ExtractRequest{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Written(), again.Unchanged())
	for _, l := range again.Episodes[:2] {
		fmt.Println(l.ID, l.Outcome, l.Decisions)
	}
	// Output:
	// 0 30
	// episode-2026-01-12-session-02-lock-timeout failure 2
	// episode-2026-02-03-session-14-migration-lock-release success 2
}

func ExampleMemory_Advise() {
	m, remove := sample()
	defer remove()

	a, err := m.Advise(context.Background(), episodes.AdviseRequest{Text: "upload tests red: SQLITE_BUSY: database is locked in parallel packages"})
	if err != nil {
		log.Fatal(err)
	}
	first := a.Advice[0]
	says, _, _ := strings.Cut(first.Text, ": / ")
	fmt.Printf("%s: %s\n", first.Kind, says)
	fmt.Println(first.Evidence[0].Log, *first.Evidence[0].Lines)
	// Output:
	// line: | SQLITE_BUSY: database is locked | parallel test packages share one database file | one database file per package, path from `t.TempDir()` | `30c8b7e` | | Resume skipped one blob when the peer compacted meanwhile | the token pointed…
	// .agents/sessions/2026-02-19-session-19-mirror-resync.md [37 41]
}

func ExampleMemory_Search() {
	m, remove := sample()
	defer remove()

	a, err := m.Search(context.Background(), episodes.SearchRequest{Text: "lock timeout", Kind: "lesson", Limit: 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range a.Hits {
		fmt.Println(hit.Text)
	}
	// Output:
	// When the migration job is red, measure what it does under the lock before touching a timeout. Five tries with longer timeouts, none helped.
	// Timeouts hide how long the work under a lock takes; measure the phases first.
}

// A decision and a lesson of a session that is not over: its episode is made when the first is stated.
func ExampleMemory_Record() {
	m, remove := sample()
	defer remove()
	ctx := context.Background()

	kept, err := m.Record(ctx, episodes.RecordRequest{Kind: "decision", Session: "3f2a",
		Question: "how the client learns of a change", Text: "server-sent events", Over: []string{"polling"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(kept.Ref, kept.Said)
	// Output:
	// episode-3f2a#d001 server-sent events
}

func ExampleMemory_Path() {
	m, remove := sample()
	defer remove()

	a, err := m.Path(context.Background(), episodes.PathRequest{From: "parallel test packages share one database file", To: "release postponed", Paths: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range a.Paths[0].Hops {
		fmt.Printf("%s %s %s (%.2f)\n", h.Source.Label, h.Type, h.Target.Label, h.Weight)
	}
	// Output:
	// parallel test packages share one database file causes SQLITE_BUSY: database is locked (0.50)
	// SQLITE_BUSY: database is locked causes upload tests failed (0.58)
	// upload tests failed causes Release postponed (0.42)
}

// What names nothing is no error: the answer is empty, and says what comes closest.
func ExampleMemory_Path_nothing() {
	m, remove := sample()
	defer remove()

	a, err := m.Path(context.Background(), episodes.PathRequest{From: "a comet", To: "failure"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Empty(), a.NotFound)
	// Output:
	// true no fact from the logs is worded like "a comet"
}

func ExampleMemory_WhatIf() {
	m, remove := sample()
	defer remove()

	a, err := m.WhatIf(context.Background(), episodes.WhatIfRequest{Option: "raise the lock timeout"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Verdict)
	fmt.Printf("%q: %d of %d ended well\n", a.Alternative.Option, a.Alternative.Successes, a.Alternative.Known())
	fmt.Printf("%q: %d of %d\n", a.Actual.Option, a.Actual.Successes, a.Actual.Known())
	// Output:
	// not_enough_evidence
	// "raised the lock timeout to 10 min": 0 of 2 ended well
	// "Release the lock before the index build": 5 of 5
}

func ExampleMemory_Patterns() {
	m, remove := sample()
	defer remove()

	a, err := m.Patterns(context.Background(), episodes.DefaultPatterns(episodes.Fails))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(a.Text(80)) // at most 80 tokens
	// Output:
	// No pattern has enough evidence yet (1 checked).
	// A pattern needs 5 sessions with a choice and 5 with another way, with known outcomes; the closest, "Migration job times out waiting for the lock: Release the lock before the index build", has 5 and 2.
	// … left out: 6 lines (about 215 tokens)
}

func ExampleMemory_Explain() {
	m, remove := sample()
	defer remove()

	a, err := m.Explain(context.Background(), episodes.ExplainRequest{Ref: "2026-01-12-session-02-lock-timeout#d001"})
	if err != nil {
		log.Fatal(err)
	}
	e := a.Record.Evidence
	fmt.Println(e.Source.Path, "lines", e.Lines[0], "to", e.Lines[1])
	chosen, _, _ := strings.Cut(e.Quote[0], ":")
	fmt.Println(chosen)
	// Output:
	// .agents/sessions/2026-01-12-session-02-lock-timeout.md lines 59 to 59
	// - **Raise the lock timeout** from 30s to 120s in `deploy/migrate.env`
}

// A request that is wrong says what is wrong with it: asking again does not help.
func ExampleRequestError() {
	m, remove := sample()
	defer remove()

	_, err := m.Path(context.Background(), episodes.PathRequest{From: "upload tests failed"})
	var wrong *episodes.RequestError
	if errors.As(err, &wrong) {
		fmt.Println(wrong)
	}
	// Output:
	// from and to must be given
}

// A name may be shortened as long as it fits one episode.
func ExampleAmbiguousError() {
	m, remove := sample()
	defer remove()

	_, err := m.WhatIf(context.Background(), episodes.WhatIfRequest{Option: "raise the lock timeout", Episode: "2026-02"})
	var several *episodes.AmbiguousError
	if errors.As(err, &several) {
		fmt.Println(strings.Join(several.IDs, "\n"))
	}
	// Output:
	// episode-2026-02-03-session-14-migration-lock-release
	// episode-2026-02-10-session-16-stale-manifests
	// episode-2026-02-19-session-19-mirror-resync
}
