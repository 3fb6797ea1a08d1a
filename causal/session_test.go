package causal

import (
	"fmt"
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

// facts are events of one episode in words that no other has.
func facts(of string, n int) (events []episode.Event) {
	for i := range n {
		events = append(events, episode.Event{ID: fmt.Sprintf("e%03d", i+1), Type: episode.Milestone, Content: fmt.Sprintf("%s number %d was done here", of, i)})
	}
	return events
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
		{"a name without a date", session("c", "", "11", "Mend it"), true},
		{"another day in another log", session("c", "2026-01-03", "22", "Mend it"), false},
		{"another text of the same log", session("c", "2026-01-02", "11", "Mend that"), true},
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

// Near copies share most facts, on whatever day; a session id decides, but for forks.
func TestWhatIsANearCopy(t *testing.T) {
	original := session("b", "2026-01-02", "11", "Mend it")
	original.Events = facts("a step", 10)
	with := func(day, id string, events ...episode.Event) *episode.Episode {
		ep := session("c", day, "22", "Mend it, exported later")
		ep.Events, ep.Provenance.Source.Session = events, id
		return ep
	}
	more := append(facts("a step", 10), facts("more", 6)...)
	for _, c := range []struct {
		why     string
		ep      *episode.Episode
		id      string // of the original
		session bool
	}{
		{"most facts are the same", with("2026-01-02", "", more...), "", true},
		{"punctuation and case differ", with("2026-01-02", "", func() []episode.Event {
			events := facts("a step", 10)
			for i := range events {
				events[i].Content = "**A Step** number " + fmt.Sprint(i) + ", was done here."
			}
			return events
		}()...), "", true},
		{"another day", with("2026-01-03", "", more...), "", true},
		{"half of the facts are the same", with("2026-01-02", "", append(facts("a step", 10), facts("more", 10)...)...), "", false},
		{"too few facts", with("2026-01-02", "", facts("a step", 4)...), "", false},
		{"one id, other facts, another day", with("2026-01-09", "S-1", facts("other", 3)...), "s-1", true},
		{"another id", with("2026-01-02", "S-2", more...), "s-1", false},
		{"only one has an id", with("2026-01-02", "S-2", more...), "", true},
	} {
		original.Provenance.Source.Session = c.id
		p, q := PrintOf(original), PrintOf(c.ep)
		votes := Votes(map[string]Print{original.ID: p, c.ep.ID: q})
		if is := votes[c.ep.ID] == votes[original.ID]; is != c.session || p.SameSession(q) != c.session || q.SameSession(p) != c.session {
			t.Errorf("%s: of one session: %v, %v", c.why, is, p.SameSession(q))
		}
	}
	original.Provenance.Source.Session = "s-1"
	for second, one := range map[string]bool{"10:11:12Z": true, "10:11:13Z": false} { // a fork begins with a copy
		fork := with("2026-01-02", "S-2", more...)
		original.Timestamp, fork.Timestamp = "2026-01-02T10:11:12Z", "2026-01-02T"+second
		p, q := PrintOf(original), PrintOf(fork)
		if votes := Votes(map[string]Print{original.ID: p, fork.ID: q}); (votes[fork.ID] == votes[original.ID]) != one {
			t.Errorf("a fork that starts at %s: %v", second, votes)
		}
	}
}

// Of one time the episode that says most counts.
func TestTheFullerOneCounts(t *testing.T) {
	a, b := session("a", "2026-01-02", "11", "x"), session("b", "2026-01-02", "22", "x")
	a.Events, b.Events = facts("a step", 6), facts("a step", 7)
	if votes := Votes(map[string]Print{a.ID: PrintOf(a), b.ID: PrintOf(b)}); votes[a.ID] != b.ID {
		t.Errorf("votes %v", votes)
	}
}

// Every session has one vote, and the votes of one session do not depend on what else is
// in the set.
func TestVotesLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := map[string]Print{}
		for i := range rapid.IntRange(0, 12).Draw(t, "sessions") {
			draw := func(what string, of ...string) string { return rapid.SampledFrom(of).Draw(t, what) }
			ep := session(fmt.Sprintf("%02d", i), draw("day", "", "2026-01-02", "2026-01-03"), draw("log", "", "11", "22", "33"), draw("task", "x", "y"))
			ep.Provenance.Source.Session = draw("id", "", "", "p", "q")
			ep.Events = append(facts("a", rapid.IntRange(0, 9).Draw(t, "a")), facts("b", rapid.IntRange(0, 3).Draw(t, "b"))...)
			set[ep.ID] = PrintOf(ep)
		}
		votes := Votes(set)
		for a, p := range set {
			if votes[votes[a]] != votes[a] {
				t.Fatalf("%s counts as %s, which counts as %s", a, votes[a], votes[votes[a]])
			}
			for b, q := range set {
				shared := slices.ContainsFunc(p.Marks(), func(m Mark) bool { return slices.Contains(q.Marks(), m) })
				if p.SameSession(q) && shared && votes[a] != votes[b] {
					t.Fatalf("%s and %s are of one session, but count as %s and %s", a, b, votes[a], votes[b])
				}
			}
		}
		for _, counts := range votes {
			alone := map[string]Print{}
			for id, p := range set {
				if votes[id] == counts {
					alone[id] = p
				}
			}
			for id, v := range Votes(alone) {
				if v != counts {
					t.Fatalf("%s counts as %s alone and as %s among others", id, v, counts)
				}
			}
		}
	})
}
