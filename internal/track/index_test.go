package track

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"episodes/internal/fsstore"
	"episodes/internal/memory"
)

var ignoreUnexported = cmpopts.IgnoreUnexported(Index{})

// sample is an index of two logs and an episode of a memory, on disk.
func sample(t *testing.T, m *memory.Memory) *Index {
	t.Helper()
	x := Load(m)
	if _, err := x.Set(); err != nil {
		t.Fatal(err)
	}
	id := versionID(0)
	e := x.Episodes[id]
	e.Log, e.Start = "a \"b\"\tc\nd\xff", "2026-01-02T03:04:05Z"
	x.Episodes[id] = e
	x.Logs["/log.md"] = Log{Stat: fsstore.Stat{Size: 3, Modified: 4, Changed: 5}, SHA256: "x", Extractor: "1", Episode: id, EpisodeSHA256: "y", Counts: Counts{Outcome: "success", Decisions: 2}, Parts: []string{"/a \"b\"\t.jsonl", "/c"}}
	x.Logs["/logs/\t\xff.md"] = Log{Stat: fsstore.Stat{Modified: fsstore.Unproven}, Episode: id}
	ok(t, x.Save())
	return x
}

// The index is a help, not a truth: what was saved is read back; a broken or foreign
// one is as good as none.
func TestIndexTolerance(t *testing.T) {
	m := create(t, 1)
	x := sample(t, m)
	if diff := cmp.Diff(x, Load(m), ignoreUnexported); diff != "" {
		t.Fatalf("not read back: %s", diff)
	}
	whole, err := os.ReadFile(indexPath(m))
	ok(t, err)
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2]++
	for _, bad := range [][]byte{nil, []byte("{"), []byte("\x00\xff"), []byte("episodes index 99\n" + string(whole)), whole[1:], flipped} {
		ok(t, os.WriteFile(indexPath(m), bad, 0o644))
		if got := Load(m); len(got.Logs)+len(got.Episodes) != 0 {
			t.Errorf("index %q was believed: %+v", bad, got)
		}
	}
	for i := range len(whole) - 1 { // every truncation
		ok(t, os.WriteFile(indexPath(m), whole[:i], 0o644))
		if got := Load(m); len(got.Logs)+len(got.Episodes) != 0 {
			t.Fatalf("believed after %d bytes", i)
		}
	}
	// Entries of episodes that are gone are dropped, and so are their logs.
	ok(t, os.WriteFile(indexPath(m), whole, 0o644))
	ok(t, m.Remove(versionID(0)))
	got := Load(m)
	if _, err := got.Set(); err != nil || len(got.Episodes)+len(got.Logs) != 0 {
		t.Errorf("kept %+v (%v)", got, err)
	}
}

// A file that was not touched is not read again; one that was is, even when its
// size and times look the same because it changed right after it was looked at.
func TestIndexTrustsOnlyProvenTimes(t *testing.T) {
	m := create(t, 1)
	id := versionID(0)
	for _, c := range []struct {
		name   string
		proven bool
	}{{"looked at long after the change", true}, {"looked at right after the change", false}} {
		ok(t, os.WriteFile(m.EpisodePath(id), version(0, 0), 0o644))
		if !c.proven { // however long the test takes
			soon := time.Now().Add(time.Hour)
			ok(t, os.Chtimes(m.EpisodePath(id), soon, soon))
		}
		pass()
		x := Load(m)
		if _, err := x.Set(); err != nil {
			t.Fatal(err)
		}
		if got := x.Episodes[id].Modified != fsstore.Unproven; got != c.proven {
			t.Errorf("%s: proven %v", c.name, got)
		}
		e := x.Episodes[id]
		e.SHA256 = "of another version"
		x.Episodes[id] = e
		set, err := x.Set()
		ok(t, err)
		if got := set.Entries[0].Hash == "of another version"; got != c.proven {
			t.Errorf("%s: the index is believed: %v", c.name, got)
		}
	}
}

// A view leaves out episodes by their start, which is read once.
func TestView(t *testing.T) {
	m := create(t, 6)
	ep, err := m.Load(versionID(3))
	ok(t, err)
	start, _ := ep.Time()
	ok(t, m.SaveView(memory.View{Before: start.Format(time.RFC3339)}))
	x := Load(m)
	set, err := x.Set()
	ok(t, err)
	if len(set.All) != 6 || len(set.Entries) == 0 || len(set.Entries) == 6 {
		t.Errorf("%d of %d episodes in view", len(set.Entries), len(set.All))
	}
	for _, e := range set.All {
		if x.Episodes[e.ID].Start == "" {
			t.Errorf("the start of %s is not known", e.ID)
		}
	}
}

// Whoever else writes the index is noticed.
func TestCurrent(t *testing.T) {
	m := create(t, 1)
	sample(t, m)
	pass()
	x := Load(m)
	if !x.Current() {
		t.Error("what was just read is not current")
	}
	sample(t, m)
	if x.Current() {
		t.Error("what another wrote since is overlooked")
	}
}

// Any bytes in the place of the index are an index or none.
func FuzzIndex(f *testing.F) {
	x := &Index{Episodes: map[string]Episode{"episode-a": {SHA256: "x", Log: "a.md"}}, Logs: map[string]Log{"/a.md": {Episode: "episode-a"}}}
	data := must(x.encode())
	f.Add(data)
	f.Add(data[:len(data)-1])
	f.Add([]byte(nil))
	f.Add([]byte("{}\ncrc32\t0\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var x Index
		x.decode(data)
		var again Index
		again.decode(must(x.encode()))
		if diff := cmp.Diff(x, again, ignoreUnexported); diff != "" {
			t.Error(diff)
		}
	})
}
