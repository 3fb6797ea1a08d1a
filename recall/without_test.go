package recall_test

import (
	"slices"
	"testing"

	"episodes/recall"
)

// An index without some sessions answers as one that never had them; the given one stays as it is.
func TestWithout(t *testing.T) {
	session := func(id, text string) *recall.Session {
		return &recall.Session{Episode: id, SHA256: id, Docs: []recall.Document{{Kind: recall.Lesson, ID: "l001", Text: text}}}
	}
	a, b := session("a", "the walnut pump leaks"), session("b", "a walnut pump was replaced")
	full, err := openSegment(build([]*recall.Session{a, b}))
	if err != nil {
		t.Fatal(err)
	}
	x := recall.NewIndex([]*recall.Segment{full}, []map[int]bool{nil})
	x.CountsAs = func(string) string { return "b" } // a is a copy of b
	without, err := x.Without(func(id string) bool { return id == "b" })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x    *recall.Index
		want []string
	}{{x, []string{"a", "b"}}, {without, []string{"a"}}} {
		hits, _, err := c.x.List(recall.Analyse(recall.ATask, "walnut pump"), recall.Filter{Limit: 9})
		var got []string
		for _, h := range hits {
			got = append(got, h.Episode)
		}
		if slices.Sort(got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q, %v", got, c.want, err)
		}
	}
	if got := without.CountsAs("a"); got != "a" {
		t.Errorf("a counts as %q, which is hidden", got)
	}
}
