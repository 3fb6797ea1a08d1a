package track

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/internal/memory"
)

// recallFiles lists the files of the index of retrieval.
func recallFiles(t *testing.T, m *memory.Memory) (out []string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(m.DerivedDir(), memory.RecallPrefix+"*"))
	ok(t, err)
	for _, f := range found {
		out = append(out, filepath.Base(f))
	}
	return out
}

// The index of retrieval is published with the state of the graph, in one step. Until then the one before is there, with
// its files, whoever fails or dies; after it nothing else is.
func TestIndexIsPublishedWithGraph(t *testing.T) {
	m := create(t, 3)
	broken := false
	index := func(_ context.Context, x *Index, set *Set, _ memory.GraphOptions) (p Passages, err error) {
		if p = x.Passages(); broken {
			err = errors.New("killed")
		}
		name := fmt.Sprintf("%s-%d", memory.RecallPrefix, len(set.Entries))
		ok(t, m.WriteDerived(name, "key", nil))
		p.Segments = append(p.Segments, Segment{Name: name, Dead: []int{1}})
		p.Copies = map[string]string{"copy": strings.Repeat("long", usualHead)}
		return p, err
	}
	bring := func(how func(*Index, context.Context, memory.GraphOptions, Indexer) error) Passages {
		t.Helper()
		pass()
		if err := how(Load(m), context.Background(), ownGraph(m), Indexer{Make: index}); (err != nil) != broken {
			t.Fatal(err)
		}
		return KeptPassages(m)
	}
	update := func(x *Index, ctx context.Context, o memory.GraphOptions, i Indexer) error {
		_, _, err := x.Update(ctx, o, i)
		return err
	}
	rebuild := func(x *Index, ctx context.Context, o memory.GraphOptions, i Indexer) error {
		_, _, err := x.Rebuild(ctx, o, i)
		return err
	}
	first := bring(update)
	if diff := cmp.Diff([]string{"recall-3"}, first.names()); diff != "" || !inStep(m) {
		t.Fatalf("%s, in step: %v", diff, inStep(m))
	}
	ok(t, os.WriteFile(m.EpisodePath(versionID(3)), version(3, 0), 0o644))
	broken = true
	for _, how := range []func(*Index, context.Context, memory.GraphOptions, Indexer) error{update, rebuild} {
		if diff := cmp.Diff(first, bring(how)); diff != "" || inStep(m) || !strings.Contains(fmt.Sprint(recallFiles(t, m)), "recall-3 ") {
			t.Errorf("half done: %s, in step: %v, %v", diff, inStep(m), recallFiles(t, m))
		}
	}
	broken = false
	if got := bring(rebuild); fmt.Sprint(got.names(), recallFiles(t, m)) != "[recall-4] [recall-4]" || !inStep(m) {
		t.Errorf("%v, files %v, in step: %v", got.names(), recallFiles(t, m), inStep(m))
	}
	ok(t, m.Remove(versionID(0)))
	if got := bring(update); fmt.Sprint(got.names(), recallFiles(t, m)) != "[recall-4 recall-3] [recall-3 recall-4]" || !inStep(m) {
		t.Errorf("%v, files %v, in step: %v", got.names(), recallFiles(t, m), inStep(m))
	}
}
