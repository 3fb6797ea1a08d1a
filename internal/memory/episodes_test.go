package memory

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/internal/fsstore"
)

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func create(t *testing.T) *Memory {
	t.Helper()
	m, _, err := Create(Location{Root: t.TempDir(), Dir: filepath.Join(t.TempDir(), "memory")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// Whatever a writer left that was killed at its start, git is told to leave alone what
// the next one derives; and until then there is nothing to be told.
func TestIgnored(t *testing.T) {
	for _, c := range []struct {
		name, spoil, text string
		derived, ignored  bool
	}{
		{"nothing", "", "", false, true},
		{"a part aside", fsstore.TempPrefix + "ABC", "# der", false, true},
		{"a graph beside an empty one", ignoreName, "", true, false},
		{"another one", ignoreName, "/graph/\n", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := create(t)
			ok(t, m.derived.Remove(ignoreName))
			if c.spoil != "" {
				ok(t, os.WriteFile(m.path(derivedDir, c.spoil), []byte(c.text), 0o644))
			}
			if c.derived {
				ok(t, m.derived.Make(graphName))
			}
			if got := m.Ignored(); got != c.ignored {
				t.Errorf("ignored: %v, want %v", got, c.ignored)
			}
			unlock, err := m.Lock(context.Background(), 0, "a test")
			ok(t, err)
			unlock()
			if got, err := m.derived.Read(ignoreName); err != nil || string(got) != ignoreFile {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// The memory is that of the nearest repository upwards, or what is named. Where no repository is around,
// the folder that one stands in is no root to read from.
func TestLocate(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	ok(t, err)
	repo, bare := filepath.Join(top, "repo"), filepath.Join(top, "bare")
	deep := filepath.Join(repo, "a", "b")
	for _, d := range []string{filepath.Join(repo, ".git"), deep, bare} {
		ok(t, os.MkdirAll(d, 0o755))
	}
	def := Location{Root: repo, Dir: filepath.Join(repo, ".agents", "memory")}
	for _, tt := range []struct {
		req  Request
		want Location
	}{
		{Request{Cwd: deep}, def},
		{Request{Cwd: top, Root: "repo"}, def},
		{Request{Cwd: deep, Memory: "../m"}, Location{Root: repo, Dir: filepath.Join(repo, "a", "m")}},
		{Request{Cwd: bare, Memory: "m"}, Location{Root: bare, Dir: filepath.Join(bare, "m"), Bare: true}},
		{Request{Cwd: top, Memory: "m", Root: "bare"}, Location{Root: bare, Dir: filepath.Join(top, "m")}},
	} {
		if got, err := Locate(tt.req); err != nil || got != tt.want {
			t.Errorf("%+v: got %+v, %v; want %+v", tt.req, got, err, tt.want)
		}
	}
	if _, err := Open(def); !errors.Is(err, ErrNone) {
		t.Errorf("no memory: %v", err)
	}
}

// A memory comes with a repository that may not be trusted: no link in it and no
// id may lead a read or a write out of it.
func TestNothingLeavesTheFolder(t *testing.T) {
	m := create(t)
	outside := filepath.Join(t.TempDir(), "secret.json")
	if err := os.WriteFile(outside, []byte(`{"id":"episode-l"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, m.EpisodePath("episode-l")); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Load("episode-l"); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("read through a link: %v", err)
	}
	for _, id := range []string{"episode-l", "../x", "episode-../../x", "x", ""} {
		if _, err := m.Write(context.Background(), []Pending{{ID: id, Data: []byte("gone")}}, 1); err == nil {
			t.Errorf("wrote id %q", id)
		}
		if _, err := m.Load(id); err == nil {
			t.Errorf("read id %q", id)
		}
	}
	if data, _ := os.ReadFile(outside); string(data) != `{"id":"episode-l"}` {
		t.Errorf("the file outside was changed: %s", data)
	}
	// The folders themselves may not be links that lead out.
	loc := Location{Root: m.Root, Dir: filepath.Join(t.TempDir(), "m2")}
	if err := os.MkdirAll(loc.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(loc.Dir, "episodes")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(loc); err == nil || errors.Is(err, ErrNone) {
		t.Errorf("opened a memory whose episodes folder leads out: %v", err)
	}
}

// What a killed writer left is no episode, is listed, and goes.
func TestLeftovers(t *testing.T) {
	m := create(t)
	if _, err := m.Write(context.Background(), []Pending{{ID: "episode-a", Data: []byte("a")}, {ID: "episode-b", Data: []byte("b")}}, 2); err != nil {
		t.Fatal(err)
	}
	ok(t, os.WriteFile(filepath.Join(filepath.Dir(m.EpisodePath("episode-a")), ".tmp-KILLED"), []byte("half"), 0o644))
	files, strange, err := m.Files()
	data, err2 := m.Read("episode-b")
	if len(files) != 2 || len(strange) > 0 || string(data) != "b" || len(m.Leftovers()) != 1 || errors.Join(err, err2) != nil {
		t.Errorf("files %v, strange %v, left %v, %q, %v", files, strange, m.Leftovers(), data, errors.Join(err, err2))
	}
	if m.Clean(); len(m.Leftovers()) > 0 {
		t.Errorf("left: %v", m.Leftovers())
	}
}

// Stopping a batch finishes what was begun and says that it stopped.
func TestWriteStopsClean(t *testing.T) {
	m := create(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	done, err := m.Write(ctx, []Pending{{ID: "episode-a", Data: []byte("x")}}, 1)
	if !errors.Is(err, context.Canceled) || len(done) != 0 {
		t.Errorf("wrote %v, %v", done, err)
	}
}

// What is larger than a log may be is not read: others decide how large their files are.
func TestEpisodeTooLarge(t *testing.T) {
	m := create(t)
	path := m.EpisodePath("episode-a")
	ok(t, os.WriteFile(path, []byte("{}"), 0o644))
	ok(t, os.Truncate(path, MaxEpisode))
	if _, err := m.Read("episode-a"); err != nil {
		t.Error(err)
	}
	ok(t, os.Truncate(path, MaxEpisode+1))
	if _, err := m.Read("episode-a"); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("read: %v", err)
	}
}
