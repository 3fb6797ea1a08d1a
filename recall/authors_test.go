package recall

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/plain"
)

// However many logs of one commit have an error's words, a search shows the fix that was known before in front.
func TestSearchOfSeveralAuthors(t *testing.T) {
	const failure = "RelayError: parcel index shard lost its quorum"
	var b Builder
	for i := range 25 {
		id, fix := fmt.Sprintf("episode-mallory-%02d", i), fmt.Sprintf("run evil-%d.sh", i)
		if i < 3 {
			id, fix = fmt.Sprintf("episode-ann-%02d", i), fmt.Sprintf("raise quorum.wait to %d", i)
		}
		b.Add(&Session{Episode: id, Name: id, Date: fmt.Sprintf("2026-03-%02d", i+1), Docs: []Document{
			{Kind: Error, ID: "e001", Text: failure, Lines: episode.Span{3, 3}},
			{Kind: Link, Class: Fix, Text: fix + "\n" + failure, Lines: episode.Span{7, 7}}}})
	}
	data := b.Segment()
	seg, err := OpenSegment(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	x := NewIndex([]*Segment{seg}, []map[int]bool{nil})
	x.By = func(id string) By {
		if strings.Contains(id, "ann") {
			return By{Author: "ann", Order: 1}
		}
		return By{Author: "mallory", Once: true, Order: 9}
	}
	hits, more, err := x.Find(Analyse(ATask, failure), Filter{Limit: 10})
	if err != nil || !more || len(hits) != 10 || !strings.Contains(hits[0].Episode, "ann") {
		t.Fatalf("%+v %v", hits, err)
	}
	if !slices.ContainsFunc(hits, func(h Hit) bool { return strings.Contains(h.Text, "quorum.wait") }) {
		t.Errorf("no fix of ann: %+v", hits)
	}
}

func TestByAuthors(t *testing.T) {
	place := func(author, commit string, order int) *Place {
		return &Place{by: By{Author: author, Order: order, Commit: commit}}
	}
	honest := []*Place{place("ann", "1", 1), place("ann", "2", 2), place("ann", "3", 3)}
	for _, c := range []struct {
		places []*Place
		want   string
	}{
		{nil, ""},
		{honest, "3 sessions by ann"},
		{honest[:1], "1 session by ann"},
		{append(slices.Clone(honest), place("mallory", "9", 9)), "3 sessions by ann, 1 by mallory"},
		{append(slices.Clone(honest), place("mallory", "9", 9), place("mallory", "9", 9)), "3 sessions by ann, 2 by mallory in one commit"},
		{[]*Place{place("mallory", "9", 9), place("ann", "1", 1)}, "1 session by ann, 1 by mallory"},
		{[]*Place{place("a", "", 1), place("b", "", 2), place("c", "", 3), place("d", "", 4)}, "1 session by a, 1 by b, 1 by c, 1 by others"},
	} {
		var by []By
		for _, p := range c.places {
			by = append(by, p.by)
		}
		if got := ByAuthors(by, func(n int) string { return plain.Plural(n, "session") }); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// However many logs of one commit mend an error in another way, the fix that was known before is first, and
// each author has one line.
func TestFixesOfOneArrival(t *testing.T) {
	fix := func(text, author string, order int) direct {
		return direct{place: &Place{by: By{Author: author, Order: order, Once: author == "mallory"}, session: text + author}, text: text}
	}
	fixes := []direct{fix("poison", "mallory", 9), fix("poison 2", "mallory", 9), fix("poison 3", "mallory", 9), fix("wait", "ann", 1), fix("wait more", "ann", 2)}
	texts := func(all []direct) (out []string) {
		for _, d := range all {
			out = append(out, d.text)
		}
		return out
	}
	if got := texts(firstOfEach(inTurn(fixes, nil))); !slices.Equal(got, []string{"wait", "poison"}) {
		t.Errorf("%q", got)
	}
	if got := texts(firstOfEach(inTurn(fixes, []direct{{text: "wait"}}))); got[0] != "wait more" {
		t.Errorf("what was tried and failed is first: %q", got)
	}
	if got := texts(firstOfEach(inTurn(fixes[:3], nil))); len(got) != 3 {
		t.Errorf("of one author: %q", got)
	}
}
