package causal

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/episode"
)

func TestIDs(t *testing.T) {
	a, b := NodeID(DecisionNode, "lock"), NodeID(EventNode, "lock")
	// Ids are stored in files and in notes of people: they must never change.
	if a != "n60eaef879bf5" || b != "n2e310e7190bc" || PatternID("x") != "p9cc0f47a1cc4" {
		t.Errorf("the ids changed: %q, %q, %q", a, b, PatternID("x"))
	}
}

func TestTally(t *testing.T) {
	var y Tally
	if _, ok := y.Rate(); ok {
		t.Error("no outcome has no rate")
	}
	for _, o := range []episode.Outcome{episode.Success, episode.Success, episode.Partial, episode.Failure, episode.Unknown, ""} {
		y.Add(o, 1)
	}
	if r, ok := y.Rate(); !ok || r != 0.5 || y.Known() != 4 || y.Total() != 6 {
		t.Errorf("rate %v of %d known, %d in all", r, y.Known(), y.Total())
	}
	rapid.Check(t, func(t *rapid.T) {
		outs := rapid.SliceOf(rapid.SampledFrom(episode.Outcomes())).Draw(t, "outcomes")
		var a, b Tally
		for _, o := range outs {
			a.Add(o, 1)
		}
		for _, o := range rapid.Permutation(outs).Draw(t, "order") {
			b.Add(o, 1)
		}
		if a != b || a.Total() != len(outs) {
			t.Fatalf("%+v, %+v of %d", a, b, len(outs))
		}
		for _, o := range outs {
			a.Add(o, -1)
		}
		if a != (Tally{}) {
			t.Fatalf("%+v is left", a)
		}
	})
}

func TestWeight(t *testing.T) {
	w := func(explicit, implied, n int) float64 {
		return Edge{Support: Support{explicit, implied}, SourceCount: n}.Weight()
	}
	if w(1, 0, 1) != 0.75 || w(0, 1, 1) != 0.5 || w(1, 0, 3) != 0.375 {
		t.Error("the weights changed:", w(1, 0, 1), w(0, 1, 1), w(1, 0, 3))
	}
	rapid.Check(t, func(t *rapid.T) {
		e, i, n := rapid.IntRange(0, 1000).Draw(t, "explicit"), rapid.IntRange(0, 1000).Draw(t, "implied"), rapid.IntRange(0, 3000).Draw(t, "episodes")
		x := w(e, i, n)
		if !(x > 0 && x < 1) {
			t.Fatalf("weight %v", x)
		}
		if n > e+i && !(w(e+1, i, n) > w(e, i+1, n) && w(e, i+1, n) > x) {
			t.Fatal("more support must weigh more, and stated more than implied")
		}
		if n > e+i && !(w(e, i, n+1) < x) {
			t.Fatal("an episode that does not state the link must weigh against it")
		}
	})
}

var drawEpisode = rapid.Custom(func(t *rapid.T) *episode.Episode {
	say := rapid.SampledFrom([]string{"use a file lock", "use a queue", "the build failed", "Build fails!", "pin the compiler", "", "…", "two jobs\nwrite at once"})
	ep := &episode.Episode{ID: "episode-x", Session: "x", Outcome: rapid.SampledFrom(episode.Outcomes()).Draw(t, "outcome"), OutcomeSource: rapid.SampledFrom([]episode.OutcomeSource{episode.Stated, episode.Default}).Draw(t, "source")}
	if rapid.Bool().Draw(t, "own") {
		ep.Provenance.Source.SHA256 = "0"
	}
	ids := []string{episode.OutcomeRef, "d999"}
	for i := range rapid.IntRange(0, 4).Draw(t, "decisions") {
		d := episode.Decision{ID: episode.DecisionID(i + 1), Chosen: say.Draw(t, "chosen"), Context: say.Draw(t, "context"), Outcome: rapid.SampledFrom(episode.Outcomes()).Draw(t, "result")}
		for range rapid.IntRange(0, 2).Draw(t, "options") {
			d.Options = append(d.Options, say.Draw(t, "option"))
		}
		ep.Decisions = append(ep.Decisions, d)
		ids = append(ids, d.ID)
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "events") {
		v := episode.Event{ID: episode.EventID(i + 1), Type: episode.Error, Content: say.Draw(t, "content")}
		ep.Events = append(ep.Events, v)
		ids = append(ids, v.ID)
	}
	id := rapid.SampledFrom(ids)
	for range rapid.IntRange(0, 6).Draw(t, "links") {
		ep.Links = append(ep.Links, episode.Link{Source: id.Draw(t, "source"), Target: id.Draw(t, "target"), Type: rapid.SampledFrom(episode.LinkTypes()).Draw(t, "type"), Explicit: rapid.Bool().Draw(t, "explicit")})
	}
	return ep
})

func TestContributeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ep := drawEpisode.Draw(t, "episode")
		c := Contribute(ep)
		if diff := cmp.Diff(c, Contribute(ep)); diff != "" {
			t.Fatalf("the same episode contributes differently:\n%s", diff)
		}

		// The contribution does not depend on the order of records.
		mixed := *ep
		mixed.Links = rapid.Permutation(ep.Links).Draw(t, "links")
		mixed.Events = rapid.Permutation(ep.Events).Draw(t, "events")
		other := Contribute(&mixed)
		for i := range other.Statements { // equal statements may name either link
			other.Statements[i].Link = ""
		}
		plain := Contribute(ep)
		for i := range plain.Statements {
			plain.Statements[i].Link = ""
		}
		if diff := cmp.Diff(plain, other); diff != "" {
			t.Fatalf("order matters:\n%s", diff)
		}

		nodes, seen := map[string]bool{}, map[[3]string]bool{}
		for _, m := range c.Mentions {
			nodes[m.Node] = true
			if m.Node != NodeID(m.Type, m.Key) || m.Key == "" || m.Label == "" || strings.ContainsAny(m.Label, "\n\t") {
				t.Fatalf("mention %+v", m)
			}
		}
		for _, s := range c.Statements {
			k := [3]string{s.Source, s.Target, string(s.Type)}
			if !nodes[s.Source] || !nodes[s.Target] || s.Source == s.Target || seen[k] || s.Episode != ep.ID {
				t.Fatalf("statement %+v", s)
			}
			seen[k] = true
		}
		for _, u := range c.Uses {
			if !nodes[u.Node] || u.ChosenKey == "" || slices.Contains(u.Rejected, u.Chosen) || !slices.IsSorted(u.Triggers) {
				t.Fatalf("use %+v", u)
			}
			if u.OwnResult && !u.Outcome.Known() {
				t.Fatalf("an unknown result is nobody's own: %+v", u)
			}
		}
		if !ep.Measured() && (c.Outcome.Known() || slices.ContainsFunc(c.Mentions, func(m Mention) bool { return m.Type == OutcomeNode })) {
			t.Fatal("an outcome that was filled in is no evidence")
		}
	})
}

func TestContribute(t *testing.T) {
	ep := &episode.Episode{
		ID: "episode-x", Outcome: episode.Success, OutcomeSource: episode.Stated,
		Decisions: []episode.Decision{{ID: "d001", Context: "two jobs write at once", Chosen: "file lock", Options: []string{"file lock", "queue"}}},
		Events:    []episode.Event{{ID: "e001", Type: episode.Error, Content: "two jobs write at once"}},
		Links: []episode.Link{
			{Source: "e001", Target: "d001", Type: episode.Causes},
			{Source: "e001", Target: "d001", Type: episode.Causes, Explicit: true},
			{Source: "d001", Target: "e001", Type: episode.Prevents, Explicit: true},
			{Source: "d001", Target: episode.OutcomeRef, Type: episode.Causes},
			{Source: "d001", Target: "e404", Type: episode.Causes},
		},
	}
	c := Contribute(ep)
	if len(c.Mentions) != 3 || len(c.Statements) != 3 || len(c.Uses) != 1 {
		t.Fatalf("%d mentions, %d statements, %d uses", len(c.Mentions), len(c.Statements), len(c.Uses))
	}
	u := c.Uses[0]
	if u.Outcome != episode.Success || u.OwnResult || len(u.Triggers) != 1 || !slices.Equal(u.Rejected, []string{"queue"}) {
		t.Errorf("use %+v", u)
	}
	for _, s := range c.Statements {
		if s.Link == "e001>d001" && !s.Explicit {
			t.Error("what is stated once is stated")
		}
	}
	if got := Contribute(&episode.Episode{ID: "episode-empty"}); len(got.Mentions)+len(got.Statements)+len(got.Uses) != 0 {
		t.Errorf("nothing contributes %+v", got)
	}
}

// Punctuation between question and choice is not repeated.
func TestDecisionLabel(t *testing.T) {
	for _, c := range []struct{ context, chosen, label, question string }{
		{"how to wait", "retry", "how to wait: retry", "how to wait"},
		{"how to wait:", "retry", "how to wait: retry", "how to wait"},
		{"how to\nwait —", "retry", "how to wait: retry", "how to wait"},
		{"The index was locked.", "retry", "The index was locked: retry", "The index was locked"},
		{"use std::mutex", "yes", "use std::mutex: yes", "use std::mutex"},
		{":", "retry", "retry", ""},
	} {
		got := Contribute(&episode.Episode{ID: "episode-x", Decisions: []episode.Decision{{ID: "d001", Context: c.context, Chosen: c.chosen}}})
		if got.Mentions[0].Label != c.label || got.Uses[0].Context != c.question {
			t.Errorf("%q, %q: label %q, question %q", c.context, c.chosen, got.Mentions[0].Label, got.Uses[0].Context)
		}
	}
}

// Older tools wrote "success" and put links between neighbours where they knew
// nothing, so neither is evidence.
func TestOlderToolsClaimLittle(t *testing.T) {
	old := &episode.Episode{ID: "episode-old", Outcome: episode.Success,
		Decisions: []episode.Decision{{ID: "d001", Chosen: "retry with backoff", Outcome: episode.Success, Effects: []string{"e001", "e009"}}},
		Events: []episode.Event{
			{ID: "e001", Type: episode.Error, Content: "TimeoutError: upstream gone", LeadsTo: []string{"e002"}},
			{ID: "e002", Type: episode.Milestone, Content: "restarted the upstream", CausedBy: []string{"e001", "d001"}},
		}}
	c := Contribute(old)
	if c.Outcome != episode.Unknown || c.Uses[0].Outcome != episode.Unknown || c.Uses[0].OwnResult {
		t.Errorf("an outcome without evidence counts: %+v", c)
	}
	var got []string
	for _, s := range c.Statements {
		if s.Type != episode.Correlates || s.Explicit {
			t.Errorf("order is taken for a cause: %+v", s)
		}
		got = append(got, s.Link)
	}
	slices.Sort(got)
	if want := []string{"d001>e001", "d001>e002", "e001>e002"}; !slices.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
	if len(c.Uses[0].Triggers) != 0 {
		t.Errorf("triggers by order: %+v", c.Uses[0])
	}

	// Outcomes with a source are evidence, and so are links.
	for _, change := range []func(*episode.Episode){
		func(ep *episode.Episode) { ep.OutcomeSource = episode.Stated },
		func(ep *episode.Episode) { ep.Provenance.Source.SHA256 = "00" },
		func(ep *episode.Episode) {
			ep.Links = []episode.Link{{Source: "e001", Target: "e002", Type: episode.Causes, Explicit: true}}
		},
	} {
		ep := *old
		change(&ep)
		if OfOlderTool(&ep) || Contribute(&ep).Outcome != episode.Success {
			t.Errorf("%+v is not believed", ep)
		}
		for _, s := range Contribute(&ep).Statements {
			if s.Type == episode.Correlates {
				t.Errorf("a link by order beside real ones: %+v", s)
			}
		}
	}
}
