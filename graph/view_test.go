package graph

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"episodes/causal"
	"episodes/episode"
)

// What a view is said to leave is what a graph of the episodes in view holds and
// shows.
func TestRehearseEqualsGraphInView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eps := generator{rapid.Uint64().Draw(t, "seed")}.episodes(0, rapid.IntRange(0, 20).Draw(t, "n"))
		start, _ := time.Parse(time.DateOnly, "2026-01-01")
		before := start.Add(time.Duration(rapid.IntRange(0, 25).Draw(t, "days")) * 24 * time.Hour)
		v := View{MinWeight: float64(rapid.IntRange(0, 10).Draw(t, "weight")) / 10, MinSupport: rapid.IntRange(0, 3).Draw(t, "support")}
		r := rand.New(rand.NewPCG(1, 2))
		for _, ep := range eps {
			if r.IntN(8) == 0 {
				ep.Timestamp = ""
			}
		}
		young := slices.Clone(eps)
		young = slices.DeleteFunc(young, func(ep *episode.Episode) bool {
			at, ok := ep.Time()
			return ok && at.Before(before)
		})
		full, part := "mem:rehearse-whole", "mem:rehearse-part"
		mustRebuild(t, full, newSource(eps...))
		mustRebuild(t, part, newSource(young...))
		g := mustOpen(t, full)
		defer g.Close()
		_, left, err := g.Rehearse(before, v)
		check(t, err)
		p, err := Open(background, part, Options{View: v})
		check(t, err)
		defer p.Close()
		tt, err := p.Totals()
		check(t, err)
		got := Census{Episodes: tt.Episodes}
		for _, n := range tt.Nodes {
			got.Nodes += n
		}
		edges, out, in, isolated := 0, 0, 0, 0
		for _, n := range tt.Edges {
			got.Edges += n
		}
		_ = p.Edges(func(e causal.Edge) error { edges++; return nil })
		err = p.Nodes(func(n causal.Node) error {
			leaving, err := p.Out(n.ID)
			if err != nil {
				return err
			}
			entering, err := p.In(n.ID)
			out, in = out+len(leaving), in+len(entering)
			isolated += count(len(leaving)+len(entering) == 0)
			for _, e := range append(leaving, entering...) {
				if e.Weight() < v.MinWeight || e.Support.Count() < v.MinSupport {
					t.Fatalf("shows %+v of weight %g through %+v", e, e.Weight(), v)
				}
			}
			return err
		})
		check(t, err)
		if got != left || edges != got.Edges || out != edges || in != edges || isolated != tt.Isolated {
			t.Fatalf("rehearsed %+v, is %+v; %d edges, %d out, %d in; %d isolated of %d", left, got, edges, out, in, isolated, tt.Isolated)
		}
	})
}
