package memory

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"episodes/graph"
)

// held is a memory of a few episodes, its graph in step, and a hold on it.
func held(t *testing.T) (*Memory, *Hold) {
	t.Helper()
	m := create(t)
	for i := range 5 {
		ok(t, os.WriteFile(m.EpisodePath(versionID(i)), version(i, 0), 0o644))
	}
	time.Sleep(2 * time.Duration(clockTick))
	_, _, err := m.Follow(context.Background(), ownGraph(m), time.Now)
	ok(t, err)
	h := m.Hold(ownGraph(m))
	if h == nil && runtime.GOOS == "linux" {
		t.Fatal("no hold")
	}
	if h == nil {
		t.Skip("folders cannot be watched here")
	}
	t.Cleanup(h.Close)
	return m, h
}

func ownGraph(m *Memory) GraphOptions { return GraphOptions{Store: m.DefaultStore()} }

// What somebody else does while a hold is kept is found by the next who looks,
// whatever it is and whenever; what the holder writes is in the graph at once.
func TestHold(t *testing.T) {
	const mine, replaced = 9, 2
	for _, c := range []struct {
		name    string
		other   func(m *Memory, path func(i int) string) error
		settled bool
	}{
		{"nothing", func(*Memory, func(int) string) error { return nil }, true},
		{"a file of another kind", func(_ *Memory, path func(int) string) error {
			return os.WriteFile(path(0)+".orig", nil, 0o644)
		}, true},
		{"a new episode", func(_ *Memory, path func(int) string) error {
			return os.WriteFile(path(8), version(8, 0), 0o644)
		}, false},
		{"an episode is gone", func(_ *Memory, path func(int) string) error { return os.Remove(path(0)) }, false},
		{"an episode is replaced", func(_ *Memory, path func(int) string) error {
			if err := os.WriteFile(path(0)+".new", version(0, 3), 0o644); err != nil {
				return err
			}
			return os.Rename(path(0)+".new", path(0))
		}, false},
		{"an episode is written over", func(_ *Memory, path func(int) string) error {
			return os.WriteFile(path(0), version(0, 3), 0o644)
		}, false},
		{"the written one is replaced", func(_ *Memory, path func(int) string) error {
			if err := os.WriteFile(path(mine)+".new", version(mine, 0), 0o644); err != nil { // by the same
				return err
			}
			return os.Rename(path(mine)+".new", path(mine))
		}, false},
	} {
		for when, call := range map[string]int{"before the graph is written": 0, "meanwhile": 2} {
			for _, how := range []struct{ sealed, many bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
				sealed := how.sealed
				if !sealed && call > 0 {
					continue
				}
				t.Run(fmt.Sprintf("%s, %s, sealed %v, many %v", c.name, when, sealed, how.many), func(t *testing.T) {
					if how.many {
						defer func(n int) { manyFiles = n }(manyFiles)
						manyFiles = 3
					}
					m, h := held(t)
					path := func(i int) string { return m.EpisodePath(versionID(i)) }
					done, err := m.Write(context.Background(), []Pending{{versionID(mine), version(mine, 0)}, {versionID(replaced), version(replaced, 5)}}, 1)
					ok(t, err)
					calls := 0
					now := func() time.Time {
						if calls++; calls == call {
							ok(t, c.other(m, path))
						}
						return time.Now()
					}
					if call == 0 {
						ok(t, c.other(m, path))
					}
					if !sealed { // as where the system tells no fractions of seconds
						whole := time.Now().Add(-time.Hour).Truncate(time.Second)
						ok(t, os.Chtimes(m.EpisodesDir(), time.Time{}, whole))
					}
					rep, _, err := h.Update(context.Background(), slices.Collect(maps.Keys(done)), m.LoadIndexOf(nil, func([]byte) bool { return false }), now)
					ok(t, err)
					if rep.Added != 1 || rep.Changed != 1 {
						t.Errorf("%+v", rep)
					}
					if open := h.watch != nil; open == sealed {
						t.Errorf("the watch goes on: %v", open)
					}
					// Once sealed, the time of the folder does not say what it was.
					want := c.settled && (call == 0 || c.name == "nothing")
					// And of many files it does not say who wrote over one.
					overlooked := how.many && c.name == "an episode is written over"
					if got := m.Settled(m.DefaultStore()); got != (want || overlooked) {
						t.Errorf("settled: %v, want %v", got, want)
					}
					if want {
						if diff := cmp.Diff(onDisk(t, m), inGraph(t, m)); diff != "" {
							t.Error(diff)
						}
					}
					time.Sleep(2 * time.Duration(clockTick))
					_, _, err = m.follow(context.Background(), ownGraph(m), time.Now)
					ok(t, err)
					if diff := cmp.Diff(onDisk(t, m), inGraph(t, m)); diff != "" {
						t.Errorf("after the next update:\n%s", diff)
					}
				})
			}
		}
	}
}

// Who writes over an episode while its writer brings it into the graph is heard.
func TestHoldHearsOfAnotherVersion(t *testing.T) {
	m, h := held(t)
	id := versionID(9)
	_, err := m.Write(context.Background(), []Pending{{id, version(9, 0)}}, 1)
	ok(t, err)
	calls := 0
	now := func() time.Time { // told while the graph is about to be written
		if calls++; calls == 1 {
			ok(t, os.WriteFile(m.EpisodePath(id), version(9, 7), 0o644))
		}
		return time.Now()
	}
	_, _, err = h.Update(context.Background(), []string{id}, m.LoadIndexOf(nil, func([]byte) bool { return false }), now)
	ok(t, err)
	if m.Settled(m.DefaultStore()) {
		t.Error("settled")
	}
	_, _, err = m.Follow(context.Background(), ownGraph(m), time.Now)
	ok(t, err)
	if diff := cmp.Diff(onDisk(t, m), inGraph(t, m)); diff != "" {
		t.Error(diff)
	}
}

// Who writes over an episode before its writer could look at it is not mistaken for
// the writer: neither the graph nor the index says so.
func TestHoldIsNotDeceived(t *testing.T) {
	for _, how := range []string{"in place", "replaced"} {
		t.Run(how, func(t *testing.T) {
			m, h := held(t)
			id := versionID(9)
			done, err := m.Write(context.Background(), []Pending{{id, version(9, 0)}}, 1)
			ok(t, err)
			idx := m.LoadIndexOf(nil, func([]byte) bool { return false })
			idx.Episodes[id] = EpisodeEntry{ID: id, Stat: done[id], SHA256: Hash(version(9, 0)), Source: "of a log"}
			path := m.EpisodePath(id)
			if how == "replaced" {
				path += ".new"
			}
			ok(t, os.WriteFile(path, version(9, 7), 0o644))
			if how == "replaced" {
				ok(t, os.Rename(path, m.EpisodePath(id)))
			}
			_, _, err = h.Update(context.Background(), []string{id}, idx, time.Now)
			ok(t, err)
			if e := m.LoadIndex().Episodes[id]; e.SHA256 != Hash(version(9, 7)) || e.Source != "" {
				t.Errorf("the index has %+v", e)
			}
			_, _, err = m.Step(context.Background(), m.LoadIndex(), ownGraph(m), time.Now)
			ok(t, err)
			if diff := cmp.Diff(onDisk(t, m), inGraph(t, m)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A folder of episodes that is a link within the memory shows its own time.
func TestSettledThroughLink(t *testing.T) {
	defer func(n int) { manyFiles = n }(manyFiles)
	manyFiles = 3
	loc := Location{Root: t.TempDir(), Dir: t.TempDir()}
	ok(t, os.Mkdir(filepath.Join(loc.Dir, "real"), 0o755))
	if err := os.Symlink("real", filepath.Join(loc.Dir, episodesDir)); err != nil {
		t.Skip("this system makes no symbolic links: ", err)
	}
	m, err := Open(loc)
	ok(t, err)
	defer m.Close()
	for i := range 5 {
		ok(t, os.WriteFile(m.EpisodePath(versionID(i)), version(i, 0), 0o644))
	}
	time.Sleep(2 * time.Duration(clockTick))
	_, _, err = m.Follow(context.Background(), ownGraph(m), time.Now)
	ok(t, err)
	if !m.Settled(m.DefaultStore()) {
		t.Error("not settled after an update")
	}
	ok(t, os.WriteFile(m.EpisodePath(versionID(5)), version(5, 0), 0o644))
	if m.Settled(m.DefaultStore()) {
		t.Error("settled after a new episode")
	}
}

// Where the graph is not in step, or not the one of the roll, there is no hold.
func TestNoHold(t *testing.T) {
	for name, spoil := range map[string]func(m *Memory) error{
		"a change":      func(m *Memory) error { return os.Remove(m.EpisodePath(versionID(0))) },
		"an edit":       func(m *Memory) error { return os.WriteFile(m.EpisodePath(versionID(0)), version(0, 1), 0o644) },
		"a damaged one": func(m *Memory) error { return os.WriteFile(m.EpisodePath(versionID(0)), []byte("{"), 0o644) },
		"no state":      func(m *Memory) error { return m.dropDerived(stateName) },
		"no roll":       func(m *Memory) error { return m.dropDerived(rollName) },
		"a torn roll": func(m *Memory) error {
			return os.Truncate(m.path(derivedDir, rollName), m.rollSize()-1)
		},
		"pins":     func(m *Memory) error { return m.SavePins([]Pin{{Ref: versionID(0) + "#e001"}}) },
		"no graph": func(m *Memory) error { return os.RemoveAll(m.GraphDir()) },
	} {
		t.Run(name, func(t *testing.T) {
			m, h := held(t)
			h.Close()
			ok(t, spoil(m))
			if h := m.Hold(ownGraph(m)); h != nil {
				h.Close()
				t.Error("a hold all the same")
			}
			if name != "a damaged one" {
				return
			}
			_, _, err := m.Follow(context.Background(), ownGraph(m), time.Now)
			ok(t, err)
			if h := m.Hold(ownGraph(m)); h != nil {
				h.Close()
				t.Error("a hold although an episode is not in the graph")
			}
		})
	}
	m, h := held(t)
	h.Close()
	_, err := graph.Update(context.Background(), m.DefaultStore(), &Source{m: m}, graph.Options{})
	ok(t, err)
	if h = m.Hold(ownGraph(m)); h == nil {
		t.Fatal("no hold")
	}
	defer h.Close()
	_, err = m.Write(context.Background(), []Pending{{versionID(9), version(9, 0)}}, 1)
	ok(t, err)
	if _, _, err := h.Update(context.Background(), []string{versionID(9)}, m.LoadIndexOf(nil, func([]byte) bool { return false }), time.Now); err != ErrNoHold {
		t.Errorf("with another graph: %v", err)
	}
}

// A part of the index says of what was asked for what the whole says, and saving it
// loses nothing of the rest.
func TestPartOfIndex(t *testing.T) {
	m := create(t)
	later := time.Now().Add(time.Hour)
	idx := m.LoadIndex()
	for _, k := range []string{"a", "b", `c "quoted" <d>`} {
		idx.Logs["/logs/"+k] = LogEntry{Path: "/logs/" + k, SHA256: k, Episode: "episode-" + k}
	}
	for _, k := range []string{"a", "ab", "b"} {
		idx.Episodes["episode-"+k] = EpisodeEntry{ID: "episode-" + k, SHA256: k}
	}
	ok(t, m.SaveIndex(idx, later))
	part := m.LoadIndexOf([]string{`/logs/c "quoted" <d>`}, func(id []byte) bool { return string(id) == "episode-ab" })
	want := &Index{
		Logs:     map[string]LogEntry{`/logs/c "quoted" <d>`: idx.Logs[`/logs/c "quoted" <d>`]},
		Episodes: map[string]EpisodeEntry{"episode-ab": idx.Episodes["episode-ab"]},
	}
	if diff := cmp.Diff(want.Logs, part.Logs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want.Episodes, part.Episodes); diff != "" {
		t.Error(diff)
	}
	if !m.isNewest(part) {
		t.Error("not the newest")
	}
	part.Episodes["episode-z"] = EpisodeEntry{ID: "episode-z", SHA256: "z"}
	delete(part.Logs, `/logs/c "quoted" <d>`)
	ok(t, m.SaveIndex(part, later))
	idx.Episodes["episode-z"] = part.Episodes["episode-z"]
	delete(idx.Logs, `/logs/c "quoted" <d>`)
	whole := m.LoadIndex()
	if diff := cmp.Diff(idx.Logs, whole.Logs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(idx.Episodes, whole.Episodes); diff != "" {
		t.Error(diff)
	}
	if !m.isNewest(m.LoadIndexOf(nil, func([]byte) bool { return true })) {
		t.Error("what was just read is not the newest")
	}
	if m.isNewest(part) || m.isNewest(want) || m.isNewest(&Index{}) {
		t.Error("what was not read is the newest")
	}
}
