package track

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/internal/testing/synthetic"
)

// version is the n-th version of the i-th episode, all of them of one length.
func version(i, n int) []byte {
	ep := synthetic.Memory{Seed: 1}.Episode(i)
	ep.Task = fmt.Sprintf("task %03d", n)
	return must(episode.Marshal(ep))
}

func versionID(i int) string { return synthetic.Memory{Seed: 1}.ID(i) }

type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func ok(t tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// create makes a memory of n episodes.
func create(t *testing.T, n int) *memory.Memory {
	t.Helper()
	m, _, err := memory.Create(memory.Location{Root: t.TempDir(), Dir: filepath.Join(t.TempDir(), "memory")})
	ok(t, err)
	t.Cleanup(m.Close)
	for i := range n {
		ok(t, os.WriteFile(m.EpisodePath(versionID(i)), version(i, 0), 0o644))
	}
	return m
}

func ownGraph(m *memory.Memory) memory.GraphOptions {
	return memory.GraphOptions{Store: m.DefaultStore()}
}

func update(t tester, m *memory.Memory) (graph.Report, *Set) {
	t.Helper()
	rep, set, err := Load(m).Update(context.Background(), ownGraph(m), Indexer{})
	ok(t, err)
	return rep, set
}

func inStep(m *memory.Memory) bool {
	_, ok := InStep(m, m.DefaultStore())
	return ok
}

// inGraph is the set that the graph of a memory holds.
func inGraph(t tester, m *memory.Memory) []graph.Entry {
	t.Helper()
	g := must(graph.Open(context.Background(), m.DefaultStore(), graph.Options{}))
	defer g.Close()
	return must(g.Episodes())
}

// onDisk is the set of the episode files that are episodes.
func onDisk(t tester, m *memory.Memory) (set []graph.Entry) {
	t.Helper()
	files, _, err := m.Files()
	ok(t, err)
	for _, f := range files {
		if _, err := m.Load(f.ID); err == nil {
			set = append(set, graph.Entry{ID: f.ID, Hash: memory.Hash(must(m.Read(f.ID)))})
		}
	}
	return set
}

func indexPath(m *memory.Memory) string { return filepath.Join(m.DerivedDir(), indexName) }

// pass waits until the times of files prove something.
func pass() { time.Sleep(2 * fsstore.Tick) }

// Whatever happens to the folder and the index between two updates, the second one
// finds it; and no question takes the graph for in step when it is not, unless a file
// was disguised.
func TestUpdateFindsEveryChange(t *testing.T) {
	dir := t.TempDir()
	checks, run := 8, 0 // each takes a tenth of a second or more
	if os.Getenv("EPISODES_HEAVY") != "" {
		checks = 300
	}
	disguises := runtime.GOOS == "linux" || runtime.GOOS == "darwin" // where the time of change is told
	rapid.Check(t, func(t *rapid.T) {
		if run++; run > checks {
			return
		}
		loc := memory.Location{Root: dir, Dir: filepath.Join(dir, fmt.Sprint(run))}
		m, _, err := memory.Create(loc)
		ok(t, err)
		defer func() { m.Close(); os.RemoveAll(loc.Dir) }()
		for i := range 4 {
			ok(t, os.WriteFile(m.EpisodePath(versionID(i)), version(i, 0), 0o644))
		}
		for range rapid.IntRange(1, 6).Draw(t, "updates") {
			disguised := false
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				i, n := rapid.IntRange(0, 7).Draw(t, "episode"), rapid.IntRange(0, 9).Draw(t, "version")
				path, index := m.EpisodePath(versionID(i)), indexPath(m)
				switch rapid.SampledFrom([]string{"write", "disguise", "remove", "replace", "spoil", "link", "copy", "tear", "lose", "rebuild"}).Draw(t, "what") {
				case "write": // in place
					ok(t, os.WriteFile(path, version(i, n), 0o644))
				case "disguise": // in place, with the size and the time that it had
					if was, err := os.Lstat(path); err == nil && was.Mode().IsRegular() && disguises {
						ok(t, os.WriteFile(path, version(i, n), 0o644))
						ok(t, os.Chtimes(path, time.Time{}, was.ModTime()))
						disguised = true
					}
				case "remove":
					os.Remove(path)
				case "replace": // as git does
					ok(t, os.WriteFile(path+".new", version(i, n), 0o644))
					ok(t, os.Rename(path+".new", path))
				case "spoil":
					ok(t, os.WriteFile(path, []byte("{"), 0o644))
				case "link":
					os.Remove(path)
					ok(t, os.Symlink("elsewhere", path))
				case "copy": // other files of the same names and times
					m.Close()
					copyFolder(t, filepath.Join(loc.Dir, "episodes"))
					m = must(memory.Open(loc))
				case "tear":
					if text, err := os.ReadFile(index); err == nil {
						ok(t, os.WriteFile(index, text[:rapid.IntRange(0, len(text)).Draw(t, "left")], 0o644))
					}
				case "lose":
					os.Remove(index)
				case "rebuild":
					_, _, err := Load(m).Rebuild(context.Background(), ownGraph(m), Indexer{})
					ok(t, err)
				}
			}
			if inStep(m) && !disguised {
				if diff := cmp.Diff(onDisk(t, m), inGraph(t, m)); diff != "" {
					t.Fatalf("said to be in step:\n%s", diff)
				}
			}
			rep, set := update(t, m)
			want := onDisk(t, m)
			if diff := cmp.Diff(want, inGraph(t, m)); diff != "" {
				t.Fatalf("after %+v:\n%s", rep, diff)
			}
			if got := rep.Added + rep.Changed + rep.Unchanged; got != len(want) {
				t.Fatalf("%+v adds up to %d episodes, want %d", rep, got, len(want))
			}
			if files, links, _ := m.Files(); len(files)+len(links)-len(want) != len(set.LeftOut(rep)) {
				t.Fatalf("%d files and %d links, %d of them episodes, but left out: %q", len(files), len(links), len(want), set.LeftOut(rep))
			}
		}
	})
}

func copyFolder(t tester, dir string) {
	t.Helper()
	ok(t, os.Rename(dir, dir+".old"))
	ok(t, os.Mkdir(dir, 0o755))
	entries := must(os.ReadDir(dir + ".old"))
	slices.Reverse(entries)
	for _, e := range entries {
		info := must(e.Info())
		if !info.Mode().IsRegular() {
			continue
		}
		data := must(os.ReadFile(filepath.Join(dir+".old", e.Name())))
		ok(t, os.WriteFile(filepath.Join(dir, e.Name()), data, 0o644))
		ok(t, os.Chtimes(filepath.Join(dir, e.Name()), time.Time{}, info.ModTime()))
	}
	ok(t, os.RemoveAll(dir+".old"))
}

// With an index, an update reads the files that changed and no others.
func TestUpdateReadsOnlyWhatChanged(t *testing.T) {
	m := create(t, 50)
	pass()
	for _, c := range []struct {
		name   string
		change func()
		read   int
	}{
		{"no index", func() {}, 50},
		{"nothing", func() {}, 0},
		{"one new", func() { ok(t, os.WriteFile(m.EpisodePath(versionID(50)), version(50, 0), 0o644)) }, 1},
		{"the same again", func() { ok(t, os.WriteFile(m.EpisodePath(versionID(7)), version(7, 0), 0o644)) }, 1},
		{"some gone, one changed", func() {
			for i := range 20 {
				ok(t, os.Remove(m.EpisodePath(versionID(i))))
			}
			ok(t, os.WriteFile(m.EpisodePath(versionID(30)), version(30, 1), 0o644))
		}, 1},
	} {
		c.change()
		pass()
		if _, set := update(t, m); len(set.data) != c.read {
			t.Errorf("%s: %d files read, want %d", c.name, len(set.data), c.read)
		}
		if diff := cmp.Diff(onDisk(t, m), inGraph(t, m)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
		if !inStep(m) {
			t.Errorf("%s: not in step afterwards", c.name)
		}
	}
}

// What a question must not overlook, of few files and of many; of many it may
// overlook a file written over in place, until the next update.
func TestInStep(t *testing.T) {
	defer func(n int) { manyFiles = n }(manyFiles)
	for name, c := range map[string]struct {
		change      func(m *memory.Memory, path func(i int) string) error
		few, ofMany bool // in step afterwards
	}{
		"nothing": {func(*memory.Memory, func(int) string) error { return nil }, true, true},
		"a new one": {func(_ *memory.Memory, path func(int) string) error {
			return os.WriteFile(path(8), version(8, 0), 0o644)
		}, false, false},
		"one gone": {func(_ *memory.Memory, path func(int) string) error { return os.Remove(path(0)) }, false, false},
		"one replaced": {func(_ *memory.Memory, path func(int) string) error {
			ok(t, os.WriteFile(path(0)+".new", version(0, 3), 0o644))
			return os.Rename(path(0)+".new", path(0))
		}, false, false},
		"one written over": {func(_ *memory.Memory, path func(int) string) error {
			return os.WriteFile(path(0), version(0, 3), 0o644)
		}, false, true},
		"a view": {func(m *memory.Memory, _ func(int) string) error {
			return m.SaveView(memory.View{Before: "2026-01-01T00:00:00Z"})
		}, false, false},
		"no graph":                 {func(m *memory.Memory, _ func(int) string) error { return os.RemoveAll(m.GraphDir()) }, false, false},
		"no index":                 {func(m *memory.Memory, _ func(int) string) error { return os.Remove(indexPath(m)) }, false, false},
		"an index without its end": {func(m *memory.Memory, _ func(int) string) error { return os.Truncate(indexPath(m), 100) }, false, false},
	} {
		for _, many := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, many %v", name, many), func(t *testing.T) {
				manyFiles = 4096
				want := c.few
				if many {
					manyFiles, want = 3, c.ofMany
				}
				m := create(t, 5)
				pass()
				update(t, m)
				if !inStep(m) {
					t.Fatal("not in step after an update")
				}
				ok(t, c.change(m, func(i int) string { return m.EpisodePath(versionID(i)) }))
				if got := inStep(m); got != want {
					t.Errorf("in step: %v, want %v", got, want)
				}
				pass()
				update(t, m)
				if !inStep(m) {
					t.Error("not in step after the next update")
				}
			})
		}
	}
}

// A graph that somebody else wrote to is not the one that the index speaks of: its
// digest is another, and the next update brings it back.
func TestAnotherWriterOfTheGraph(t *testing.T) {
	m := create(t, 3)
	pass()
	update(t, m)
	empty := &Set{m: m}
	_, err := graph.Update(context.Background(), m.DefaultStore(), empty, graph.Options{})
	ok(t, err)
	digest, _ := InStep(m, m.DefaultStore())
	g := must(graph.Open(context.Background(), m.DefaultStore(), graph.Options{}))
	info := g.Info()
	ok(t, g.Close())
	if info.Digest == digest {
		t.Error("the digest does not tell the graphs apart")
	}
	if rep, _ := update(t, m); rep.Added != 3 || len(inGraph(t, m)) != 3 {
		t.Errorf("%+v", rep)
	}
}

// What a killed writer left behind goes with the next update.
func TestUpdateCleans(t *testing.T) {
	m := create(t, 0)
	for range 2 { // without an index, and with one
		for _, dir := range []string{m.EpisodesDir(), m.DerivedDir()} {
			ok(t, os.WriteFile(filepath.Join(dir, fsstore.TempPrefix+"x"), nil, 0o644))
		}
		pass()
		update(t, m)
		if left := m.Leftovers(); len(left) > 0 || !inStep(m) {
			t.Errorf("left: %q; in step: %v", left, inStep(m))
		}
	}
}

// Of a private store nothing is kept.
func TestPrivateStore(t *testing.T) {
	m := create(t, 3)
	rep, _, err := Load(m).Update(context.Background(), memory.GraphOptions{Store: fmt.Sprint("mem:track", time.Now().UnixNano())}, Indexer{}) // not that of another run
	ok(t, err)
	if _, err := os.Lstat(indexPath(m)); rep.Added != 3 || err == nil {
		t.Errorf("%+v, index: %v", rep, err)
	}
}

// A rebuild leaves where logs and their parts are, drops what was seen of them, and keeps nothing of what is gone.
func TestRebuildKeepsPlaces(t *testing.T) {
	c := newClone(t)
	_, err := c.m.Write(context.Background(), []memory.Pending{{ID: versionID(3), Data: version(3, 0)}}, 1)
	ok(t, err)
	x := Load(c.m)
	must(x.Set())
	e := x.Episodes[versionID(3)]
	e.Log = "/agents/session.jsonl"
	x.Episodes[versionID(3)] = e
	x.Logs = map[string]Log{e.Log: {SHA256: "x", Episode: versionID(3), EpisodeSHA256: "y", Parts: []string{"/agents/part.jsonl"}},
		"/agents/gone.jsonl": {Episode: versionID(9)}}
	_, _, err = x.Rebuild(context.Background(), memory.GraphOptions{Store: c.m.DefaultStore()}, Indexer{})
	ok(t, err)
	x = Load(c.m)
	if d := cmp.Diff(map[string]Log{e.Log: {Episode: versionID(3), Parts: []string{"/agents/part.jsonl"}}}, x.Logs); d != "" || x.Episodes[versionID(3)].Log != e.Log {
		t.Errorf("%+v: %s", x.Episodes, d)
	}
	c.want("after it", c.fresh())
}
