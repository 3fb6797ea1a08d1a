package graph

import (
	"bytes"
	"time"

	"episodes/causal"
)

// View hides edges that say too little. It changes nothing in the store: what it
// hides depends on counts that change with every episode, so it is decided by every
// question. Nodes stay: a fact is one also without an edge.
type View struct {
	MinWeight  float64 // edges of less weight are hidden
	MinSupport int     // and edges that fewer episodes state
}

// hides reports whether an edge is out of view.
func (v View) hides(e causal.Edge) bool {
	return e.Support.Count() < v.MinSupport || v.MinWeight > 0 && e.Weight() < v.MinWeight
}

// seen leaves the edges in view.
func (v View) seen(edges []causal.Edge) []causal.Edge {
	if v == (View{}) {
		return edges
	}
	var out []causal.Edge
	for _, e := range edges {
		if !v.hides(e) {
			out = append(out, e)
		}
	}
	return out
}

// Census counts what a graph holds.
type Census struct {
	Episodes int `json:"episodes"`
	Nodes    int `json:"nodes"`
	Edges    int `json:"edges"`
}

// Rehearse counts what the graph holds, and what it would hold and show without
// the episodes that started before a moment, if this is not zero, and through a
// view. Episodes without a time stay.
func (g *Graph) Rehearse(before time.Time, v View) (full, left Census, err error) {
	frequency := map[nodeID]int{}
	support := map[edgeID]causal.Support{}
	inView := map[string]causal.Print{}
	err = g.prints(func(id string, p causal.Print) {
		if t, err := time.Parse(time.RFC3339, p.Time); err != nil || !t.Before(before) {
			inView[id] = p
		}
	})
	if err != nil {
		return full, left, err
	}
	full.Episodes, left.Episodes = g.meta.Totals.Episodes, len(inView)
	votes := causal.Votes(inView)
	err = g.t.scan(g.ctx, []byte(keyEpisode), func(k, value []byte) error {
		if id := string(k[len(keyEpisode):]); votes[id] != id {
			return nil
		}
		rec, err := decodeEpisode(k, value)
		if err != nil {
			return err
		}
		for _, sh := range shares(rec.Mentions) {
			frequency[sh.node]++
		}
		for _, st := range rec.Statements {
			s := support[edgeOf(st)]
			if st.Explicit {
				s.Explicit++
			} else {
				s.Implied++
			}
			support[edgeOf(st)] = s
		}
		return nil
	})
	if err != nil {
		return full, left, err
	}
	left.Nodes = len(frequency)
	for id, s := range support {
		if !v.hides(id.edge(s, frequency[id.source])) {
			left.Edges++
		}
	}
	for _, n := range g.meta.Totals.Nodes {
		full.Nodes += n
	}
	for _, n := range g.meta.Totals.Edges {
		full.Edges += n
	}
	return full, left, nil
}

// seenTotals counts again what a view changes.
func (g *Graph) seenTotals(tt causal.Totals) (causal.Totals, error) {
	clear(tt.Edges)
	tt.Evidence = 0
	touched := map[string]bool{}
	err := g.Edges(func(e causal.Edge) error {
		tt.Edges[e.Type]++
		tt.Evidence += e.Support.Count()
		touched[e.Source], touched[e.Target] = true, true
		return nil
	})
	if err != nil {
		return tt, err
	}
	tt.Isolated = 0
	err = g.t.scan(g.ctx, []byte(keyNode), func(k, _ []byte) error {
		var id nodeID
		copy(id[:], bytes.TrimPrefix(k, []byte(keyNode)))
		tt.Isolated += count(!touched[id.String()])
		return nil
	})
	return tt, err
}
