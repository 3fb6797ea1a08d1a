package querytest_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

// The graph is a function of the set of episodes: neither their order nor a
// repeated one shows.
func TestOrderAndRepeatsDoNotShow(t *testing.T) {
	eps := querytest.Sample()
	var turned []*episode.Episode
	for i := len(eps) - 1; i >= 0; i-- {
		turned = append(turned, eps[i], eps[len(eps)-1-i])
	}
	d, err := querytest.Diff(querytest.New(eps...), querytest.New(turned...))
	if err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}

func TestTheSampleIsValid(t *testing.T) {
	for _, e := range querytest.Sample() {
		if ps := e.Validate(); len(ps) > 0 {
			t.Errorf("%s: %v", e.ID, ps)
		}
	}
}

func TestTotals(t *testing.T) {
	g := querytest.New(
		querytest.Build("a", episode.Success).Event(episode.Error, "disk full").Decide("What now?", "Delete logs", episode.Success).Link("e001", "d001", episode.Causes).Done(),
		querytest.Build("b", episode.Failure).Event(episode.Error, "disk full").Decide("What now?", "Delete logs", episode.Failure).Decide("What now?", "Delete logs", episode.Success).Link("e001", "d001", episode.Causes).Implied().Done(),
	)
	tot, err := g.Totals()
	if err != nil {
		t.Fatal(err)
	}
	if tot.Episodes != 2 || tot.Nodes[causal.EventNode] != 1 || tot.Nodes[causal.DecisionNode] != 1 || tot.Nodes[causal.OutcomeNode] != 2 ||
		tot.Isolated != 2 || tot.Shared != 2 || tot.Edges[episode.Causes] != 1 || tot.Evidence != 2 || tot.Decisions != 3 {
		t.Errorf("%+v", tot)
	}
	ids, _ := g.WithWord("delet")
	n, ok, _ := g.Node(ids[0])
	if !ok || n.Frequency != 2 || n.Tally != (causal.Tally{Success: 1, Partial: 1}) {
		t.Errorf("%+v", n)
	}
	out, _ := g.In(n.ID)
	if len(out) != 1 || out[0].Support != (causal.Support{Explicit: 1, Implied: 1}) || out[0].SourceCount != 2 {
		t.Errorf("%+v", out)
	}
}

// wrong is a graph with one node too few.
type wrong struct{ query.Reader }

func (w wrong) WithWord(word string) ([]string, error) {
	ids, err := w.Reader.WithWord(word)
	return ids[:len(ids)/2], err
}

func TestDiffFinds(t *testing.T) {
	g := querytest.New(querytest.Sample()...)
	d, err := querytest.Diff(g, wrong{g})
	if err != nil || !strings.Contains(d, "answer") {
		t.Errorf("%v %q", err, d)
	}
	d, err = querytest.Diff(g, querytest.New(querytest.Sample()[1:]...))
	if err != nil || !strings.HasPrefix(d, "nodes") {
		t.Errorf("%v %q", err, d)
	}
}

func TestLoad(t *testing.T) {
	g := querytest.New(querytest.Sample()...)
	for _, id := range []string{"episode-2026-01-12-session-02-lock-timeout", "2026-01-12-session-02-lock-timeout"} {
		if e, err := g.Load(id); err != nil || e.Outcome != episode.Failure {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := g.Load("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
