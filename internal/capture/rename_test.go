package capture

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/memory"
	"episodes/internal/revise"
)

func fresh() *episode.Episode {
	return &episode.Episode{
		ID: "episode-s", Session: "s", Outcome: episode.Success, Task: "Mend the cache",
		Lessons:    []string{"Hash before you store."},
		Provenance: episode.Provenance{Source: episode.Source{Path: "s.md", SHA256: strings.Repeat("f", 64), Format: "markdown"}, Extractor: "1", Spans: map[string]episode.Span{"task": {1, 1}}},
	}
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

// A new id must not change who wrote an episode last, nor drop a word of it.
func TestRename(t *testing.T) {
	sealed := fresh()
	if err := sealed.Seal(); err != nil {
		t.Fatal(err)
	}
	data, err := episode.Marshal(sealed)
	if err != nil {
		t.Fatal(err)
	}
	extracted := string(data)
	edited := strings.Replace(extracted, "{\n", "{\n  \"note\": \"mine & yours\",\n", 1)
	mergedBytes, err := revise.Merge([]byte(edited), fresh())
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		data   string
		origin revise.Origin
	}{"extracted": {extracted, revise.Extracted}, "edited": {edited, revise.Edited}, "merged": {string(mergedBytes), revise.Merged}} {
		m := create(t)
		put(t, m, "episode-s", tt.data)
		if _, done, err := rename(m, "episode-s", "episode-s-0123abcd"); !done || err != nil {
			t.Fatal(done, err)
		}
		if _, err := m.Read("episode-s"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the old file is still there: %v", name, err)
		}
		data, err := m.Read("episode-s-0123abcd")
		if err != nil {
			t.Fatal(err)
		}
		ep, err := m.Load("episode-s-0123abcd")
		if err != nil {
			t.Fatal(err)
		}
		if ep.Session != "s-0123abcd" || revise.OriginOf(ep, data) != tt.origin {
			t.Errorf("%s: session %q, origin %d", name, ep.Session, revise.OriginOf(ep, data))
		}
		if tt.origin != revise.Extracted && !strings.Contains(string(data), `"note": "mine & yours"`) {
			t.Errorf("%s: a field was dropped: %s", name, data)
		}
	}
}

// A kill between writing the new file and removing the old one leaves both. The
// next rename removes the old one, unless it holds words of its own.
func TestRenameAfterAKill(t *testing.T) {
	sealed := fresh()
	if err := sealed.Seal(); err != nil {
		t.Fatal(err)
	}
	data, err := episode.Marshal(sealed)
	if err != nil {
		t.Fatal(err)
	}
	extracted := string(data)
	edited := strings.Replace(extracted, "Mend the cache", "Mend the index", 1)
	for text, gone := range map[string]bool{extracted: true, edited: false} {
		m := create(t)
		put(t, m, "episode-s", text)
		moved, _, err := revise.Rename([]byte(extracted), "episode-s-0123abcd")
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
