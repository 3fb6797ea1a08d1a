package ask

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/testing/querytest"
)

// openedAsItIs is the memory as a hook opens it.
func openedAsItIs(t *testing.T, m *Memory) *Memory {
	t.Helper()
	out, err := Open(Options{Location: m.Location, AsItIs: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(out.Close)
	return out
}

// A question that takes a memory as it is answers from the index that is kept, says when
// there is none, tells nothing of episodes that are gone, and writes nothing.
func TestAsItIs(t *testing.T) {
	ctx := context.Background()
	m := newMemory(t)
	for i := range 12 {
		write(t, m, uploads(i))
	}
	q := AdviseRequest{Kind: "choice", Text: "Set a busy timeout, or wrap the upload in a retry loop? The uploads fail: database is locked."}
	if _, err := openedAsItIs(t, m).Advise(ctx, q); !errors.Is(err, ErrNotKept) || openedAsItIs(t, m).Current() {
		t.Errorf("without an index: %v", err)
	}
	if _, err := os.Stat(filepath.Join(m.folder.DerivedDir(), "graph")); err == nil {
		t.Error("the graph was made")
	}
	maker, err := reopened(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := maker.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	maker.Close()
	want, err := m.Advise(ctx, q)
	if err != nil || !want.Answered {
		t.Fatalf("%+v, %v", want, err)
	}
	if got, err := openedAsItIs(t, m).Advise(ctx, q); err != nil || got.Said != want.Said || !openedAsItIs(t, m).Current() {
		t.Errorf("%+v, %v; want %q", got, err, want.Said)
	}
	write(t, m, uploads(12))
	if got, err := openedAsItIs(t, m).Advise(ctx, q); err != nil || got.Said != want.Said || openedAsItIs(t, m).Current() {
		t.Errorf("behind by one: %+v, %v", got, err)
	}
	if err := os.Remove(m.folder.EpisodePath(want.Advice[0].Evidence[0].Episode)); err != nil {
		t.Fatal(err)
	}
	if got, err := openedAsItIs(t, m).Advise(ctx, q); err != nil || strings.Contains(got.Said, want.Advice[0].Evidence[0].Log) {
		t.Errorf("an episode that is gone is told of: %+v, %v", got, err)
	}
}

// A branch is answered for where sessions name it and it is one of a piece of work: what
// the newest of them left open, and one lesson.
func TestBranch(t *testing.T) {
	ctx := context.Background()
	m := newMemory(t)
	write(t, m,
		querytest.Build("old", episode.Failure).Task("Begin feat/lock-order: order the locks", "2026-03-01").Event(episode.Error, "LockTimeout: index is locked").
			Lesson("Take the memory lock before the index lock").Done(),
		querytest.Build("new", episode.Partial).Task("Go on with feat/lock-order", "2026-03-05").Event(episode.Error, "TestOrder: locks are taken twice").
			Event(episode.Error, "vet: copies a lock").Decide("", "pass a pointer", episode.Success).Link("d001", "e002", episode.Prevents).Done(),
		querytest.Build("other", episode.Failure).Task("Work on feat/lock-order-two and main", "2026-03-09").Event(episode.Error, "another error").Lesson("main is not to be pushed").Done())
	if err := m.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	none := func(AdviceEvidence) bool { return false }
	a, err := openedAsItIs(t, m).Branch(ctx, BranchRequest{Branch: "feat/lock-order"})
	if err != nil {
		t.Fatal(err)
	}
	text, given := a.Unasked(720, none)
	if len(given) != 2 || len(text) > 720 || !strings.Contains(text, `Open on branch feat/lock-order (2026-03-05, ended as partial): "TestOrder: locks are taken twice" (`) ||
		!strings.Contains(text, `Lesson: "Take the memory lock before the index lock" (`) || !strings.HasPrefix(text, Quoted) {
		t.Errorf("%v: %s", given, text)
	}
	if again, given := a.Unasked(720, func(AdviceEvidence) bool { return true }); again != "" || given != nil {
		t.Error("told although it is known: " + again)
	}
	recorded := querytest.Build("recorded", episode.Failure).Task("Go on", "2026-03-07").Event(episode.Error, "TestWalnut: it is cracked").Lesson("Dry the walnut first").Done()
	recorded.Instance = "branch fix/walnut-oil" // as a transcript records it
	write(t, m, recorded)
	if err := m.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	if a, err = openedAsItIs(t, m).Branch(ctx, BranchRequest{Branch: "fix/walnut-oil"}); err != nil || a.Open == nil || a.Lesson == nil || a.Ended != episode.Failure {
		t.Errorf("%+v, %v", a, err)
	}
	for _, branch := range []string{"", "main", "fix/walnut", "v1.2.3", "release/2026", "feat/lock", "lock-order", "nothing/of-this"} {
		if a, err := openedAsItIs(t, m).Branch(ctx, BranchRequest{Branch: branch}); err != nil || !a.Empty() {
			t.Errorf("%q: %+v, %v", branch, a, err)
		}
	}
}
