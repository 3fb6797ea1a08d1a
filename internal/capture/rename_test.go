package capture

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/memory"
)

func fresh() *episode.Episode {
	return &episode.Episode{
		ID: "episode-s", Session: "s", Outcome: episode.Success, Task: "Mend the cache",
		Lessons:    []string{"Hash before you store."},
		Provenance: episode.Provenance{Source: episode.Source{Path: "s.md", SHA256: strings.Repeat("f", 64), Format: "markdown"}, Extractor: "1", Spans: map[string]episode.Span{"task": {1, 1}}},
	}
}

func sealed(t *testing.T) string {
	t.Helper()
	data, err := episode.MarshalSealed(fresh())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func create(t *testing.T) *memory.Memory {
	t.Helper()
	m, _, err := memory.Create(memory.Location{Root: t.TempDir(), Dir: filepath.Join(t.TempDir(), "memory")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

func put(t *testing.T, m *memory.Memory, id, data string) {
	t.Helper()
	if _, err := m.Write(context.Background(), []memory.Pending{{ID: id, Data: []byte(data)}}, 1); err != nil {
		t.Fatal(err)
	}
}

// A new id leaves an extracted episode as extraction would write it under that id. A file
// that was edited by hand stays where it is, byte for byte.
func TestRename(t *testing.T) {
	extracted := sealed(t)
	edited := strings.Replace(extracted, "{\n", "{\n  \"note\": \"mine & yours\",\n", 1)
	for text, want := range map[string]bool{extracted: true, edited: false} {
		m := create(t)
		put(t, m, "episode-s", text)
		if _, done, err := rename(m, "episode-s", "episode-s-0123abcd"); done != want || err != nil {
			t.Fatal(done, err)
		}
		left, err := m.Read("episode-s")
		if !want {
			if err != nil || string(left) != edited {
				t.Errorf("the edited file: %v\n%s", err, left)
			}
			continue
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the old file is still there: %v", err)
		}
		data, err := m.Read("episode-s-0123abcd")
		if err != nil {
			t.Fatal(err)
		}
		ep, err := m.Load("episode-s-0123abcd")
		if err != nil || ep.Session != "s-0123abcd" || corrections.Edited(data) {
			t.Errorf("%v: %s", err, data)
		}
	}
}

// A kill between writing the new file and removing the old one leaves both. The
// next rename removes the old one, unless it holds words of its own.
func TestRenameAfterAKill(t *testing.T) {
	extracted := sealed(t)
	edited := strings.Replace(extracted, "Mend the cache", "Mend the index", 1)
	for text, gone := range map[string]bool{extracted: true, edited: false} {
		m := create(t)
		put(t, m, "episode-s", text)
		ep := fresh()
		ep.ID, ep.Session = "episode-s-0123abcd", "s-0123abcd"
		moved, err := episode.MarshalSealed(ep)
		if err != nil {
			t.Fatal(err)
		}
		put(t, m, "episode-s-0123abcd", string(moved))
		if _, done, err := rename(m, "episode-s", "episode-s-0123abcd"); done != gone || err != nil {
			t.Fatal(done, err)
		}
		if _, err := m.Read("episode-s"); errors.Is(err, fs.ErrNotExist) != gone {
			t.Errorf("gone: want %v, got %v", gone, err)
		}
		if after, err := m.Read("episode-s-0123abcd"); err != nil || string(after) != string(moved) {
			t.Errorf("the new file was touched: %v", err)
		}
	}
}
