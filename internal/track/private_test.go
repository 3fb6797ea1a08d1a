package track

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/graph"
	"episodes/internal/memory"
)

// However episodes come, go and move between the parts, an update finds it, no question
// takes an older graph for in step, and the shared part of the set is that of a memory
// without a private part.
func TestTwoPartsOfASet(t *testing.T) {
	dir := t.TempDir()
	checks, run := 6, 0 // each takes a tenth of a second or more
	if os.Getenv("EPISODES_HEAVY") != "" {
		checks = 200
	}
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		if run++; run > checks {
			return
		}
		loc := memory.Location{Root: dir, Dir: filepath.Join(dir, fmt.Sprint(run))}
		m, _, err := memory.Create(loc)
		ok(t, err)
		defer func() { m.Close(); os.RemoveAll(loc.Dir) }()
		ok(t, m.MakePrivate())
		for range rapid.IntRange(1, 5).Draw(t, "updates") {
			for range rapid.IntRange(1, 4).Draw(t, "changes") {
				i := rapid.IntRange(0, 4).Draw(t, "episode")
				switch rapid.SampledFrom([]string{"shared", "private", "remove"}).Draw(t, "change") {
				case "shared":
					_, err = m.Write(ctx, []memory.Pending{{ID: versionID(i), Data: version(i, 0)}}, 1)
				case "private":
					_, err = m.Write(ctx, []memory.Pending{{ID: versionID(i), Data: version(i, 1), Private: true}}, 1)
				case "remove":
					_ = m.Remove(versionID(i))
				}
				ok(t, err)
			}
			pass()
			_, set := update(t, m)
			if !inStep(m) {
				t.Fatal("not in step after an update")
			}
			if diff := cmp.Diff(append([]graph.Entry{}, set.All...), append([]graph.Entry{}, inGraph(t, m)...)); diff != "" {
				t.Fatalf("the graph is not of both parts:\n%s", diff)
			}
			checkShared(t, m, set)
			if !inStep(m) {
				t.Fatal("not in step, although the private part is there again")
			}
		}
	})
}

// checkShared compares the shared part of a set with the set without the private part.
func checkShared(t *rapid.T, m *memory.Memory, set *Set) {
	away := m.Dir + " away"
	ok(t, os.Rename(m.PrivateDir(), away))
	defer func() { ok(t, os.Rename(away, m.PrivateDir())) }()
	alone := must(memory.Open(m.Location))
	defer alone.Close()
	want := must(Load(alone).Set())
	got := set.Shared()
	if diff := cmp.Diff(append([]graph.Entry{}, want.Entries...), append([]graph.Entry{}, got.Entries...)); diff != "" {
		t.Fatalf("shared:\n%s", diff)
	}
	for _, e := range got.Entries {
		a, b := must(want.Load(e.ID)), must(got.Load(e.ID))
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("%s:\n%s", e.ID, diff)
		}
	}
}
