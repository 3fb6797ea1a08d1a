package ask

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"episodes/episode"
	"episodes/internal/memory"
	"episodes/query"
)

// newMemory opens a new memory with the episodes of some sessions.
func newMemory(t *testing.T, sessions ...string) *Memory {
	t.Helper()
	root := t.TempDir()
	loc := memory.Location{Root: root, Dir: filepath.Join(root, ".agents", "memory")}
	folder, _, err := memory.Create(loc)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for _, name := range sessions {
		ep := &episode.Episode{ID: episode.IDFromSession(name), Session: name, Outcome: episode.Unknown, Task: name}
		data, err := episode.Marshal(ep)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := folder.Write(context.Background(), []memory.Pending{{ID: ep.ID, Data: data}}, 1); err != nil {
			t.Fatal(err)
		}
	}
	m, err := Open(Options{Location: loc})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// People name episodes in several ways; an exact name wins over a prefix.
func TestFind(t *testing.T) {
	m := newMemory(t, "2026-01-01-a", "2026-01-01-ab", "2026-02-01-c")
	for ref, want := range map[string]string{
		"episode-2026-02-01-c": "episode-2026-02-01-c",
		"2026-02-01-c":         "episode-2026-02-01-c",
		"2026-02":              "episode-2026-02-01-c",
		"episode-2026-02":      "episode-2026-02-01-c",
		"2026-01-01-a":         "episode-2026-01-01-a",
	} {
		if got, err := m.find(ref); err != nil || got != want {
			t.Errorf("%q: got %q, %v; want %q", ref, got, err, want)
		}
	}
	var several *AmbiguousError
	if _, err := m.find("2026-01"); !errors.As(err, &several) || len(several.IDs) != 2 || several.Hint() != "one of: episode-2026-01-01-a, episode-2026-01-01-ab" {
		t.Errorf("a prefix of two: %v", err)
	}
	if _, err := m.find("2027"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a prefix of none: %v", err)
	}
	for _, ref := range []string{"", "../x", "a/b", `a\b`, "a..b"} {
		if _, err := m.find(ref); !errors.Is(err, ErrNoRef) {
			t.Errorf("%q: %v", ref, err)
		}
	}
}

// A log is quoted only while it is what the episode was made from, and an
// episode, which may come from anywhere, cannot make us read outside the root.
func TestQuote(t *testing.T) {
	m := newMemory(t)
	outside := filepath.Join(filepath.Dir(m.Location.Root), "outside.md")
	text := "one\ntwo\r\nthree\n"
	for _, path := range []string{filepath.Join(m.Location.Root, "log.md"), outside} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(m.Location.Root, "link.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(m.Location.Root, "dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	sum := memory.Hash([]byte(text))
	tests := []struct {
		path, sha string
		state     LogState
		quote     int
	}{
		{"log.md", sum, Same, 3},
		{"log.md", memory.Hash(nil), Changed, 0},
		{"dir/none.md", sum, Gone, 0},
		{"none.md", sum, Unknown, 0},
		{"dir", sum, Gone, 0},
		{"../outside.md", sum, Gone, 0},
		{"link.md", sum, Gone, 0},
		{outside, sum, Gone, 0},
		{"", "", Unknown, 0},
	}
	for _, tt := range tests {
		e := query.Evidence{Episode: "episode-x", Source: episode.Source{Path: tt.path, SHA256: tt.sha}, Lines: &episode.Span{2, 9}}
		if state := m.quoter().fill(&e); state != tt.state || len(e.Quote) != tt.quote {
			t.Errorf("%q: %s, quoted %q; want %s", tt.path, state, e.Quote, tt.state)
		}
	}
}
