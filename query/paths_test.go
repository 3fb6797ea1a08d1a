package query_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

func TestPathsBetweenFacts(t *testing.T) {
	g := sample()
	res, err := query.Paths(g, "release the lock before", "success", query.PathOptions{})
	check(t, err)
	if len(res.Paths) != 1 || res.Resolved.From.How != query.ByWords || res.Resolved.To.How != query.ByName {
		t.Fatalf("%+v", res)
	}
	p := res.Paths[0]
	var got []string
	for _, h := range p.Hops {
		got = append(got, string(h.Type)+" "+h.Target.Label)
	}
	if d := cmp.Diff([]string{"enables pipeline 9012 green with three replicas", "causes outcome: success"}, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"episode-2026-02-03-session-14-lock-release"}, p.Hops[0].Episodes); d != "" {
		t.Error(d)
	}
	// One statement of one episode: the posterior mean of Beta(3/2, 1/2), twice.
	if p.Weight != 0.75*0.75 {
		t.Errorf("weight %v", p.Weight)
	}
}

// A prevents edge works against the end, and two of them clear its way.
func TestPathEffect(t *testing.T) {
	g := graphOf(5, [][]link{{{0, 1, episode.Prevents, true}, {1, 2, episode.Causes, true}, {2, 3, episode.Prevents, true}}}, []int{0})
	for _, c := range []struct {
		to     int
		effect string
	}{{1, query.WorksAgainst}, {2, query.WorksAgainst}, {3, query.ClearsWay}} {
		res, err := query.Paths(g, place(0), place(c.to), query.PathOptions{})
		check(t, err)
		if p := res.Paths[0]; p.Effect != c.effect {
			t.Errorf("to %d: %s", c.to, p.Effect)
		}
	}
	res, err := query.Paths(g, place(0), place(2), query.PathOptions{Types: []episode.LinkType{episode.Causes}})
	check(t, err)
	if len(res.Paths) != 0 {
		t.Error("a prevents edge was followed unasked")
	}
}

// What led to a choice does not cause the effects of the choice: an error that was
// repaired is no cause of the success. And a correlates edge claims nothing.
func TestPathThroughChoice(t *testing.T) {
	g := querytest.New(
		querytest.Build("a", episode.Success).Event(episode.Milestone, "pinned toolchain").Event(episode.Error, "build breaks").
			Decide("how to mend the build", "vendor the parser", episode.Success).Event(episode.Error, "slow checkout").Event(episode.Milestone, "nightly mirror").
			Link("e001", "e002", episode.Prevents).Link("e002", "d001", episode.Causes).Link("d001", episode.OutcomeRef, episode.Causes).
			Link("d001", "e003", episode.Prevents).Link("e003", "e004", episode.Correlates).Done(),
	)
	for _, c := range []struct {
		from, to, effect string
		byChoice         bool
	}{
		{"build breaks", "vendor the parser", query.LeadsTo, false},
		{"build breaks", "success", query.LeadsTo, true},
		{"pinned toolchain", "success", query.LeadsTo, true},
		{"pinned toolchain", "vendor the parser", query.WorksAgainst, false},
		{"build breaks", "slow checkout", query.WorksAgainst, true},
		{"build breaks", "nightly mirror", query.Correlated, false},
	} {
		res, err := query.Paths(g, c.from, c.to, query.PathOptions{Types: episode.LinkTypes()})
		check(t, err)
		if p := res.Paths[0]; p.Effect != c.effect || p.ByChoice != c.byChoice {
			t.Errorf("from %q to %q: %s, by choice: %v", c.from, c.to, p.Effect, p.ByChoice)
		}
	}
}

func TestNoPath(t *testing.T) {
	g := graphOf(6, [][]link{{{0, 1, episode.Causes, true}, {1, 2, episode.Causes, true}, {3, 2, episode.Correlates, true}, {3, 4, episode.Causes, true}}}, []int{0})
	type want struct{ Paths, Reverse int }
	for _, c := range []struct {
		name     string
		from, to int
		o        query.PathOptions
		want     want
	}{
		{"a path", 0, 2, query.PathOptions{}, want{1, 0}},
		{"too long a path", 0, 2, query.PathOptions{MaxHops: 1}, want{0, 0}},
		{"the other way round", 2, 0, query.PathOptions{}, want{0, 2}},
		{"correlated, told forwards", 3, 2, query.PathOptions{}, want{0, 0}},
		{"correlated, told backwards", 0, 4, query.PathOptions{}, want{0, 0}},
		{"only by a type that was not asked for", 0, 2, query.PathOptions{Types: []episode.LinkType{episode.Enables}}, want{0, 0}},
		{"correlations asked for", 0, 4, query.PathOptions{Types: episode.LinkTypes()}, want{1, 0}},
		{"correlations asked for, but too far", 0, 4, query.PathOptions{Types: episode.LinkTypes(), MaxHops: 3}, want{0, 0}},
		{"unconnected", 0, 5, query.PathOptions{}, want{}},
		{"the same node", 1, 1, query.PathOptions{}, want{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := query.Paths(g, place(c.from), place(c.to), c.o)
			check(t, err)
			got := want{Paths: len(res.Paths)}
			if res.Reverse != nil {
				got.Reverse = len(res.Reverse.Hops)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// Words that fit two nodes take the better one; where it leads nowhere, a path
// from the other is offered, and only offered.
func TestPathNear(t *testing.T) {
	g := querytest.New(
		querytest.Build("a", episode.Failure).Event(episode.Error, "cache miss storm").Event(episode.Milestone, "deploy aborted").Link("e001", "e002", episode.Causes).Done(),
		querytest.Build("b", episode.Success).Event(episode.Error, "cache write storm").Done(),
		querytest.Build("c", episode.Success).Event(episode.Error, "cache write storm").Done(),
	)
	res, err := query.Paths(g, "cache storm", "deploy aborted", query.PathOptions{})
	check(t, err)
	if res.From.Label != "cache write storm" || len(res.Paths) != 0 || res.Near == nil || res.Near.From.Label != "cache miss storm" || len(res.Near.Path.Hops) != 1 {
		t.Errorf("%+v", res)
	}
}

// failing is a store that breaks.
type failing struct{ query.Reader }

var errBroken = errors.New("broken")

func (failing) Out(string) ([]causal.Edge, error) { return nil, errBroken }

func TestStoreErrorsAreReturned(t *testing.T) {
	if _, err := query.Paths(failing{sample()}, "lock timeout", "failure", query.PathOptions{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	if _, err := query.Explain(failing{sample()}, nil, "lock timeout", query.ExplainOptions{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

// holed is a graph that lost a node.
type holed struct {
	query.Reader
	lost string
}

func (h holed) Node(id string) (causal.Node, bool, error) {
	if id == h.lost {
		return causal.Node{}, false, nil
	}
	return h.Reader.Node(id)
}

// A node that edges name but the graph does not have is damage, not an empty answer.
func TestLostNodeIsDamage(t *testing.T) {
	g := graphOf(3, [][]link{{{0, 1, episode.Causes, true}, {1, 2, episode.Causes, true}}}, []int{0})
	h := holed{g, place(1)}
	if _, err := query.Paths(h, place(0), place(2), query.PathOptions{}); !errors.Is(err, query.ErrDamaged) {
		t.Errorf("path: %v", err)
	}
	if _, err := query.Explain(h, nil, place(0), query.ExplainOptions{}); !errors.Is(err, query.ErrDamaged) {
		t.Errorf("explain: %v", err)
	}
	if _, err := query.Around(h, place(0), query.DrawOptions{}); !errors.Is(err, query.ErrDamaged) {
		t.Errorf("around: %v", err)
	}
}

// The answers have the fields that scripts rely on.
func TestJSONContract(t *testing.T) {
	g := sample()
	path, err := query.Paths(g, "database is locked", "success", query.PathOptions{})
	check(t, err)
	whatif, err := query.WhatIf(g, query.WhatIfQuery{Option: "retry loop"})
	check(t, err)
	none, err := query.WhatIf(g, query.WhatIfQuery{Option: "kubernetes"})
	check(t, err)
	node := []string{"id", "type", "label", "frequency", "success_rate"}
	option := []string{"option", "n", "successes", "failures", "unknown", "estimate", "low", "high"}
	for _, c := range []struct {
		answer any
		at     []any
		fields []string
	}{
		{path, nil, []string{"from", "to", "paths", "resolved"}},
		{path, []any{"from"}, node},
		{path, []any{"paths", 0}, []string{"weight", "hops"}},
		{path, []any{"paths", 0, "hops", 0}, []string{"source", "target", "type", "weight", "evidence_count", "episodes"}},
		{path, []any{"paths", 0, "hops", 0, "target"}, node},
		{path, []any{"resolved", "from"}, []string{"ref", "alternatives"}},
		{whatif, nil, []string{"decision", "actual", "alternative", "options", "effect", "verdict", "method", "matched"}},
		{whatif, []any{"decision"}, []string{"context", "chosen", "episode"}},
		{whatif, []any{"actual"}, option},
		{whatif, []any{"alternative"}, option},
		{whatif, []any{"options", 0}, option},
		{whatif, []any{"effect"}, []string{"difference", "low", "high"}},
		{whatif, []any{"matched", 0}, []string{"episode", "decision", "chosen", "outcome"}},
		{none, nil, []string{"decision", "actual", "alternative", "options", "effect", "verdict", "method", "matched"}},
	} {
		b, err := json.Marshal(c.answer)
		check(t, err)
		var v any
		check(t, json.Unmarshal(b, &v))
		for _, step := range c.at {
			switch s := step.(type) {
			case string:
				v = v.(map[string]any)[s]
			case int:
				v = v.([]any)[s]
			}
		}
		var have []string
		for k := range v.(map[string]any) {
			have = append(have, k)
		}
		for _, f := range c.fields {
			if !slices.Contains(have, f) {
				t.Errorf("%T%v lacks %q: %v", c.answer, c.at, f, have)
			}
		}
	}
	b, _ := json.Marshal(none)
	var v map[string]any
	check(t, json.Unmarshal(b, &v))
	if v["effect"] != nil || v["verdict"] != "not_enough_evidence" || v["alternative"].(map[string]any)["estimate"] != nil || len(v["matched"].([]any)) != 0 {
		t.Errorf("without support: %s", b)
	}
}
