package memory

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// A new id must not change who wrote an episode last, nor drop a word of it.
func TestRename(t *testing.T) {
	sealed := fresh()
	if err := sealed.Seal(); err != nil {
		t.Fatal(err)
	}
	extracted := string(marshal(t, sealed))
	edited := strings.Replace(extracted, "{\n", "{\n  \"note\": \"mine & yours\",\n", 1)
	mergedBytes, err := Merge([]byte(edited), fresh())
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		data   string
		origin Origin
	}{"extracted": {extracted, Extracted}, "edited": {edited, Edited}, "merged": {string(mergedBytes), Merged}} {
		m := create(t)
		put(t, m, "episode-s", tt.data)
		if done, err := m.Rename("episode-s", "episode-s-0123abcd"); !done || err != nil {
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
		if ep.Session != "s-0123abcd" || OriginOf(ep, data) != tt.origin {
			t.Errorf("%s: session %q, origin %d", name, ep.Session, OriginOf(ep, data))
		}
		if tt.origin != Extracted && !strings.Contains(string(data), `"note": "mine & yours"`) {
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
	extracted := string(marshal(t, sealed))
	edited := strings.Replace(extracted, "Mend the cache", "Mend the index", 1)
	for data, gone := range map[string]bool{extracted: true, edited: false} {
		m := create(t)
		put(t, m, "episode-s", data)
		moved, _, err := renamed([]byte(extracted), "episode-s-0123abcd")
		if err != nil {
			t.Fatal(err)
		}
		put(t, m, "episode-s-0123abcd", string(moved))
		if done, err := m.Rename("episode-s", "episode-s-0123abcd"); done != gone || err != nil {
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
