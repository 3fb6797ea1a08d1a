package ask

import (
	"context"
	"strings"
	"testing"
)

func TestSearch(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 12)
	hidden := uploads(13)
	hidden.Task = "the zebra left its enclosure"
	writePrivate(t, m, hidden)
	for _, c := range []struct {
		what string
		r    SearchRequest
		kind string // of each hit
		hits int    // at least; 0: none
	}{
		{"all kinds", SearchRequest{Text: "database locked", Limit: 30}, "", 3},
		{"errors", SearchRequest{Text: "database locked", Kind: "error", Limit: 30}, "error", 1},
		{"decisions", SearchRequest{Text: "busy timeout", Kind: "decision", Limit: 30}, "decision", 2},
		{"lessons", SearchRequest{Text: "busy timeout", Kind: "lesson"}, "lesson", 1},
		{"one session", SearchRequest{Text: "database locked", Session: "session-003"}, "", 1},
		{"since a day", SearchRequest{Text: "database locked", Since: "2026-04-13", Limit: 30}, "", 1},
		{"since a day that is to come", SearchRequest{Text: "database locked", Since: "2027-01-01"}, "", 0},
		{"a pasted output", SearchRequest{Text: "running\nError: database is locked\nexit 1"}, "", 1},
		{"a private task", SearchRequest{Text: "zebra enclosure", Kind: "task"}, "task", 1},
		{"what nobody said", SearchRequest{Text: "giraffe"}, "", 0},
	} {
		a, err := m.Search(ctx, c.r)
		if err != nil || len(a.Hits) < c.hits || a.Empty() != (c.hits == 0) {
			t.Errorf("%s: %d hits, %v", c.what, len(a.Hits), err)
			continue
		}
		for _, h := range a.Hits {
			if c.kind != "" && h.Kind != c.kind || h.Private != (h.Episode == hidden.ID) || !strings.Contains(h.Episode, c.r.Session) {
				t.Errorf("%s: %+v", c.what, h)
			}
		}
		if text := a.Text(50); len(text) > 200 || (text == "") != a.Empty() {
			t.Errorf("%s: %q in a budget of 200 bytes", c.what, text)
		}
	}
}

// Page after page gives each hit once, in the order of the whole list.
func TestSearchPages(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 14)
	all, err := m.Search(ctx, SearchRequest{Text: "database locked", Limit: 100})
	if err != nil || all.Next != nil {
		t.Fatalf("%+v, %v", all.Next, err)
	}
	seen := 0
	for skip, pages := 0, 0; ; pages++ {
		a, err := m.Search(ctx, SearchRequest{Text: "database locked", Skip: skip, Limit: 5})
		if err != nil || pages > 10 {
			t.Fatalf("page %d: %v", pages, err)
		}
		for _, h := range a.Hits {
			if want := all.Hits[seen]; h.Episode != want.Episode || h.Record != want.Record {
				t.Errorf("hit %d is %s#%s, want %s#%s", seen, h.Episode, h.Record, want.Episode, want.Record)
			}
			seen++
		}
		if a.Next == nil {
			break
		}
		if !strings.Contains(a.Text(0), "more: --skip") {
			t.Error(a.Text(0))
		}
		skip = *a.Next
	}
	if seen != len(all.Hits) {
		t.Errorf("%d hits on the pages, %d in all", seen, len(all.Hits))
	}
}

func TestSearchRefuses(t *testing.T) {
	refuses(t, "nothing", SearchRequest{Text: " \n"}.Check())
	refuses(t, "a kind", SearchRequest{Text: "x", Kind: "zebra"}.Check(), "kind")
	refuses(t, "a page", SearchRequest{Text: "x", Skip: -1}.Check(), "skip")
	_, err := newMemory(t).Search(context.Background(), SearchRequest{Text: "x", Since: "some day"})
	refuses(t, "a time", err, "since")
	for _, kind := range SearchKinds() {
		if err := (SearchRequest{Text: "x", Kind: kind}).Check(); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
