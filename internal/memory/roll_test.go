package memory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/synthetic"
)

// version is the n-th version of the i-th episode, all of them of one length.
func version(i, n int) []byte {
	ep := synthetic.Memory{Seed: 1}.Episode(i)
	ep.Task = fmt.Sprintf("task %03d", n)
	b, err := episode.Marshal(ep)
	if err != nil {
		panic(err)
	}
	return b
}

func versionID(i int) string { return synthetic.Memory{Seed: 1}.ID(i) }

type fataler interface {
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

func ok(t fataler, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// inGraph is the set that the graph of a memory holds.
func inGraph(t fataler, m *Memory) []graph.Entry {
	t.Helper()
	g := must(graph.Open(context.Background(), m.DefaultStore(), graph.Options{}))
	defer g.Close()
	return must(g.Episodes())
}

// onDisk is the set of the episode files that are episodes.
func onDisk(t fataler, m *Memory) (set []graph.Entry) {
	t.Helper()
	files, _, err := m.Files()
	ok(t, err)
	for _, f := range files {
		if _, err := m.Load(f.ID); err == nil {
			set = append(set, graph.Entry{ID: f.ID, Hash: Hash(must(m.Read(f.ID)))})
		}
	}
	return set
}

// Whatever happens to the folder between two updates, the second one finds it.
func TestFollowFindsEveryChange(t *testing.T) {
	dir := t.TempDir()
	checks, run := 8, 0 // each takes a tenth of a second or more
	if os.Getenv("EPISODES_HEAVY") != "" {
		checks = 300
	}
	rapid.Check(t, func(t *rapid.T) {
		if run++; run > checks {
			return
		}
		loc := Location{Root: dir, Dir: filepath.Join(dir, fmt.Sprint(run))}
		m, _, err := Create(loc)
		ok(t, err)
		defer func() { m.Close(); os.RemoveAll(loc.Dir) }()
		o := GraphOptions{Store: loc.DefaultStore()}
		for i := range 4 {
			ok(t, os.WriteFile(m.EpisodePath(versionID(i)), version(i, 0), 0o644))
		}
		for range rapid.IntRange(1, 6).Draw(t, "updates") {
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				i, n := rapid.IntRange(0, 7).Draw(t, "episode"), rapid.IntRange(0, 9).Draw(t, "version")
				path, roll := m.EpisodePath(versionID(i)), filepath.Join(m.DerivedDir(), rollName)
				switch rapid.SampledFrom([]string{"write", "disguise", "remove", "replace", "spoil", "link", "copy", "tear", "lose", "step"}).Draw(t, "what") {
				case "write": // in place
					ok(t, os.WriteFile(path, version(i, n), 0o644))
				case "disguise": // in place, with the size and the time that it had
					if was, err := os.Lstat(path); err == nil && was.Mode().IsRegular() {
						ok(t, os.WriteFile(path, version(i, n), 0o644))
						ok(t, os.Chtimes(path, time.Time{}, was.ModTime()))
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
				case "copy": // other files of the same names and times, listed in another order
					m.Close()
					copyFolder(t, filepath.Join(loc.Dir, "episodes"))
					m = must(Open(loc))
				case "tear":
					if text, err := os.ReadFile(roll); err == nil {
						ok(t, os.WriteFile(roll, text[:rapid.IntRange(0, len(text)).Draw(t, "left")], 0o644))
					}
				case "lose":
					os.Remove(roll)
				case "step": // by a command that looks at everything
					_, _, err := m.Step(context.Background(), m.LoadIndex(), o, time.Now)
					ok(t, err)
				}
			}
			rep, src, err := m.Follow(context.Background(), o, time.Now)
			ok(t, err)
			want := onDisk(t, m)
			if diff := cmp.Diff(want, inGraph(t, m)); diff != "" {
				t.Fatalf("after %+v:\n%s", rep, diff)
			}
			if got := rep.Added + rep.Changed + rep.Unchanged; got != len(want) {
				t.Fatalf("%+v adds up to %d episodes, want %d", rep, got, len(want))
			}
			if files, _, _ := m.Files(); len(files)-len(want) != len(src.LeftOut(rep)) {
				t.Fatalf("%d files, %d of them episodes, but left out: %q", len(files), len(want), src.LeftOut(rep))
			}
		}
	})
}

func copyFolder(t fataler, dir string) {
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

// With a roll, an update reads what changed and nothing else, whether or not the
// folder still gives its names in the same order.
func TestFollowReadsOnlyWhatChanged(t *testing.T) {
	m := create(t)
	o := GraphOptions{Store: m.DefaultStore()}
	for i := range 300 {
		ok(t, os.WriteFile(m.EpisodePath(versionID(i)), version(i, 0), 0o644))
	}
	time.Sleep(2 * time.Duration(clockTick))
	if _, _, err := m.follow(context.Background(), o, time.Now); !errors.Is(err, errNoFollow) {
		t.Fatalf("without a roll: %v", err)
	}
	_, _, err := m.Follow(context.Background(), o, time.Now)
	ok(t, err)
	for _, c := range []struct {
		name   string
		change func()
		read   int
	}{
		{"nothing", func() {}, 0},
		{"one new", func() { ok(t, os.WriteFile(m.EpisodePath(versionID(300)), version(300, 0), 0o644)) }, 1},
		{"the same again", func() { ok(t, os.WriteFile(m.EpisodePath(versionID(7)), version(7, 0), 0o644)) }, 1},
		{"some gone, one changed", func() {
			for i := range 100 {
				ok(t, os.Remove(m.EpisodePath(versionID(i))))
			}
			ok(t, os.WriteFile(m.EpisodePath(versionID(200)), version(200, 1), 0o644))
		}, 1},
	} {
		c.change()
		time.Sleep(2 * time.Duration(clockTick))
		_, src, err := m.follow(context.Background(), o, time.Now)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if len(src.Entries) != c.read {
			t.Errorf("%s: %d files read, want %d", c.name, len(src.Entries), c.read)
		}
		if diff := cmp.Diff(onDisk(t, m), inGraph(t, m)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
		if !m.Settled(o.Store) {
			t.Errorf("%s: not settled afterwards", c.name)
		}
	}
}

// What a killed writer left behind goes with the next update, so that no later
// writer has to look for it.
func TestFollowCleans(t *testing.T) {
	m := create(t)
	o := GraphOptions{Store: m.DefaultStore()}
	for range 2 { // without a roll, and with one
		ok(t, os.WriteFile(filepath.Join(m.EpisodesDir(), tempPrefix+"x"), nil, 0o644))
		_, _, err := m.Follow(context.Background(), o, time.Now)
		ok(t, err)
		if left := m.Leftovers(); len(left) > 0 || !m.Settled(o.Store) {
			t.Errorf("left: %q; settled: %v", left, m.Settled(o.Store))
		}
	}
}

// A graph that was brought elsewhere in between is not mistaken for that of the roll.
func TestFollowDistrustsAnotherGraph(t *testing.T) {
	m := create(t)
	o := GraphOptions{Store: m.DefaultStore()}
	for i := range 3 {
		ok(t, os.WriteFile(m.EpisodePath(versionID(i)), version(i, 0), 0o644))
	}
	_, _, err := m.Follow(context.Background(), o, time.Now)
	ok(t, err)
	_, err = graph.Update(context.Background(), o.Store, &Source{m: m}, graph.Options{})
	ok(t, err)
	if len(inGraph(t, m)) != 0 {
		t.Fatal("the graph was not emptied")
	}
	time.Sleep(2 * time.Duration(clockTick))
	rep, _, err := m.Follow(context.Background(), o, time.Now)
	ok(t, err)
	if rep.Added != 3 || len(inGraph(t, m)) != 3 {
		t.Errorf("%+v", rep)
	}
}

// Any bytes in the place of the roll are a roll or none.
func FuzzRoll(f *testing.F) {
	part := must(rollPart(rollHead{Store: "badger:x", Digest: "0"}, []rollEntry{{"episode-a", rollStat{1, 2, 3}}, {"episode-b", absent}}, int64(time.Hour)))
	f.Add(append([]byte(rollMagic), part...))
	f.Add(append(append([]byte(rollMagic), part...), part...))
	f.Add(append([]byte(rollMagic), part[:len(part)-1]...))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := create(t)
		if err := m.WriteDerived(rollName, data); err != nil {
			t.Fatal(err)
		}
		if r := m.loadRoll(); r != nil && !bytes.HasPrefix(data, []byte(rollMagic)) {
			t.Errorf("%q is taken for a roll", data)
		}
	})
}
