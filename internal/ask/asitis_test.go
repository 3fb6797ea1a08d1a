package ask

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
