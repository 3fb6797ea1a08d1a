package query_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

const (
	lockEpisode = "episode-2026-01-12-session-02-lock-timeout"
	raiseLabel  = "How should the migration job handle the lock?: Raise the lock timeout"
)

func TestExplainNode(t *testing.T) {
	g := sample()
	x, err := query.Explain(g, g, "2026-01-12-session-02-lock-timeout#e001>causes>"+raiseLabel, query.ExplainOptions{})
	check(t, err)
	if x.Edge == nil || x.Edge.EvidenceCount != 2 || len(x.Edge.Statements) != 2 || x.Edge.Of != 3 {
		t.Fatalf("%+v", x.Edge)
	}
	st := x.Edge.Statements[0]
	if st.Episode != lockEpisode || st.Record != "e001>d001" || st.Explicit == nil || !*st.Explicit || st.Lines == nil || st.Source.Path != "sessions/2026-01-12-session-02-lock-timeout.md" || st.Source.SHA256 == "" {
		t.Errorf("%+v", st)
	}

	x, err = query.Explain(g, g, raiseLabel, query.ExplainOptions{})
	check(t, err)
	n := x.Node
	if n == nil || n.Node.Frequency != 2 || len(n.Mentions) != 2 || len(n.In) != 1 || len(n.Out) != 2 || len(n.Wordings) != 1 {
		t.Fatalf("%+v", n)
	}
	if n.In[0].Weight < n.Out[1].Weight || n.Mentions[0].Outcome != episode.Failure || n.Mentions[1].Outcome != episode.Unknown {
		t.Errorf("%+v", n)
	}
	x, err = query.Explain(g, g, "outcome: success", query.ExplainOptions{Limit: 2})
	check(t, err)
	if n := x.Node; len(n.Mentions) != 2 || n.LeftOut.Mentions != n.Node.Frequency-2 {
		t.Errorf("%d mentions, %d left out of %d", len(n.Mentions), n.LeftOut.Mentions, n.Node.Frequency)
	}
	// Without the episode files the graph alone still explains.
	x, err = query.Explain(g, nil, raiseLabel, query.ExplainOptions{})
	check(t, err)
	if len(x.Node.Mentions) != 2 || !x.Node.Mentions[0].Missing || x.Node.Mentions[0].Text != raiseLabel {
		t.Errorf("%+v", x.Node.Mentions)
	}
}

func TestExplainRecord(t *testing.T) {
	g := sample()
	for _, c := range []struct{ ref, kind, text string }{
		{lockEpisode + "#d001", "decision", "How should the migration job handle the lock? Raise the lock timeout"},
		{lockEpisode + "#e002", "event", "nightly deploy cancelled"},
		{lockEpisode + "#l001", "lesson", "A timeout hides how long the work under the lock takes"},
		{lockEpisode + "#task", "task", "Get the migrate-pg job green again"},
		{lockEpisode + "#outcome", "outcome", "outcome: failure"},
	} {
		x, err := query.Explain(g, g, c.ref, query.ExplainOptions{})
		check(t, err)
		if d := cmp.Diff([]string{c.kind, c.text}, []string{x.Record.Kind, x.Record.Text}); d != "" {
			t.Errorf("%s: %s", c.ref, d)
		}
		if c.kind != "outcome" && x.Record.Lines == nil {
			t.Errorf("%s: no lines", c.ref)
		}
	}
	x, err := query.Explain(g, g, lockEpisode+"#d001", query.ExplainOptions{})
	check(t, err)
	if len(x.Record.Links) != 2 || x.Record.Node == nil || x.Record.Node.Label != raiseLabel || x.Record.Outcome != episode.Failure {
		t.Errorf("%+v", x.Record)
	}
	x, err = query.Explain(g, g, "2026-02-03-session-14-lock-release#d001>e001", query.ExplainOptions{})
	check(t, err)
	if l := x.Link; l == nil || l.Type != episode.Prevents || *l.Explicit || l.Edge == nil || l.Edge.EvidenceCount != 1 || l.To == "" {
		t.Errorf("%+v", l)
	}
}

func TestExplainPattern(t *testing.T) {
	g := sample()
	p := query.Pattern{ID: "p0123456789ab", Uses: []query.Use{{Episode: lockEpisode, Record: "d001", Outcome: episode.Failure}, {Episode: "episode-gone", Record: "d001"}}}
	x, err := query.Explain(g, g, "p01234", query.ExplainOptions{Patterns: []query.Pattern{p}})
	check(t, err)
	if x.Pattern == nil || len(x.Pattern.Uses) != 2 || x.Pattern.Uses[0].Text == "" || !x.Pattern.Uses[1].Missing {
		t.Errorf("%+v", x.Pattern)
	}
	// "peace" could be the beginning of a pattern's id, but is a word.
	g = querytest.New(querytest.Build("a", episode.Success).Event(episode.Milestone, "peace treaty between the linters").Done())
	x, err = query.Explain(g, g, "peace", query.ExplainOptions{})
	check(t, err)
	if x.Node == nil {
		t.Errorf("%+v", x)
	}
}

func TestExplainNothing(t *testing.T) {
	g := sample()
	for _, ref := range []string{
		"p012345", "p0123456789ab", "kubernetes", "episode-x#d001", lockEpisode + "#d009", lockEpisode + "#l009", lockEpisode + "#d001>e009", "episode-x#d001>e001",
		"kubernetes>causes>failure", "failure>causes>success",
	} {
		_, err := query.Explain(g, g, ref, query.ExplainOptions{})
		var nf *query.NotFoundError
		if !errors.As(err, &nf) {
			t.Errorf("%q: error %v", ref, err)
		}
	}
}
