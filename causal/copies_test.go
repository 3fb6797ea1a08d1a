package causal

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
)

func session(name, day, log, task string) *episode.Episode {
	ep := &episode.Episode{ID: "episode-" + name, Session: name, Task: task, Outcome: episode.Success}
	if day != "" {
		ep.Timestamp = day + "T00:00:00Z"
	}
	ep.Provenance = episode.Provenance{Source: episode.Source{Path: name + ".md", SHA256: log}, Spans: map[string]episode.Span{"task": {len(name), len(name)}}}
	return ep
}

// Names, places and lines do not tell sessions apart; what they say does, and when,
// unless the very same log was read twice.
func TestWhatIsACopy(t *testing.T) {
	original := session("b", "2026-01-02", "11", "Mend it")
	for _, c := range []struct {
		why  string
		ep   *episode.Episode
		copy bool
	}{
		{"another name", session("c", "2026-01-02", "11", "Mend it"), true},
		{"another format of the log", session("c", "2026-01-02", "22", "Mend it"), true},
		{"a name with another date", session("c", "2026-01-03", "11", "Mend it"), true},
		{"a name without a date", session("c", "", "11", "Mend it"), true},
		{"another day in another log", session("c", "2026-01-03", "22", "Mend it"), false},
		{"another text", session("c", "2026-01-02", "11", "Mend that"), false},
		{"no log, which weighs less", session("c", "2026-01-02", "", "Mend it"), false},
	} {
		votes := Votes(map[string]Print{original.ID: PrintOf(original), c.ep.ID: PrintOf(c.ep)})
		if is := votes[c.ep.ID] != c.ep.ID; is != c.copy || votes[original.ID] != original.ID {
			t.Errorf("%s: a copy: %v, votes %v", c.why, is, votes)
		}
	}
	// Where no time is known, only the log tells.
	u, v := session("u", "", "11", "x"), session("v", "", "22", "x")
	if votes := Votes(map[string]Print{u.ID: PrintOf(u), v.ID: PrintOf(v)}); votes[v.ID] != v.ID {
		t.Errorf("votes %v", votes)
	}
	// Copies of a copy are copies.
	a, b, c := session("a", "2026-01-02", "11", "x"), session("b", "2026-01-03", "11", "x"), session("c", "2026-01-03", "22", "x")
	if votes := Votes(map[string]Print{a.ID: PrintOf(a), b.ID: PrintOf(b), c.ID: PrintOf(c)}); votes[c.ID] != a.ID {
		t.Errorf("votes %v", votes)
	}
}

// Every set of copies has one vote, which one of them holds for all, and the votes of
// one content do not depend on what else is in the set.
func TestVotesLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := map[string]Print{}
		for i := range rapid.IntRange(0, 12).Draw(t, "sessions") {
			draw := func(what string, of ...string) string { return rapid.SampledFrom(of).Draw(t, what) }
			ep := session(fmt.Sprintf("%02d", i), draw("day", "", "2026-01-02", "2026-01-03"), draw("log", "", "11", "22", "33"), draw("task", "x", "y"))
			set[ep.ID] = PrintOf(ep)
		}
		votes := Votes(set)
		for a, p := range set {
			if votes[votes[a]] != votes[a] || set[votes[a]].Content != p.Content {
				t.Fatalf("%s counts as %s, which counts as %s", a, votes[a], votes[votes[a]])
			}
			for b, q := range set {
				alike := p.Content == q.Content && (p.Time == q.Time && (p.Time != "" || p.Log == [16]byte{} && q.Log == [16]byte{}) || p.Log == q.Log && p.Log != [16]byte{})
				if alike && votes[a] != votes[b] {
					t.Fatalf("%s and %s are copies, but count as %s and %s", a, b, votes[a], votes[b])
				}
			}
		}
		alone := map[string]Print{}
		for id, p := range set {
			if len(set) > 0 && p.Content == set[slices.Sorted(maps.Keys(set))[0]].Content {
				alone[id] = p
			}
		}
		for id, v := range Votes(alone) {
			if votes[id] != v {
				t.Fatalf("%s counts as %s alone and as %s among others", id, v, votes[id])
			}
		}
	})
}
