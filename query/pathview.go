package query

import (
	"fmt"
	"maps"
	"slices"

	"episodes/causal"
	"episodes/episode"
)

// viewer turns routes into paths, reading each node once.
type viewer struct {
	r     Reader
	nodes map[string]Node
}

func newViewer(r Reader) *viewer {
	return &viewer{r: r, nodes: map[string]Node{}}
}

func (v *viewer) node(id string) (Node, error) {
	if n, ok := v.nodes[id]; ok {
		return n, nil
	}
	n, err := nodeOf(v.r, id)
	if err == nil {
		v.nodes[id] = n
	}
	return n, err
}

func (v *viewer) path(from Node, rt route) (Path, error) {
	p := Path{}
	var weights []float64
	source := from
	for i, s := range rt.steps {
		target, err := v.node(s.to)
		if err != nil {
			return Path{}, err
		}
		h, err := v.hop(source, target, *s.edge)
		if err == nil && !h.OneDay {
			h.OneDay, err = v.rivalled(h, *s.edge)
		}
		if err != nil {
			return Path{}, err
		}
		p.Hops = append(p.Hops, h)
		if h.Weight < p.Hops[p.Weakest].Weight {
			p.Weakest = i
		}
		weights = append(weights, h.Weight)
		source = target
	}
	p.setEffect()
	p.setSpread()
	slices.Sort(weights) // for the same product in any order
	p.Weight = 1
	for _, w := range weights {
		p.Weight *= w
	}
	return p, nil
}

// setEffect fills in the effect of the path on its end.
func (p *Path) setEffect() {
	prevents := 0
	for i, h := range p.Hops {
		switch {
		case h.Type == episode.Correlates:
			p.Effect, p.ByChoice = Correlated, false
			return
		case h.Type == episode.Prevents:
			prevents++
		case h.Target.Type == causal.DecisionNode && i < len(p.Hops)-1:
			p.ByChoice, prevents = true, 0
		}
	}
	switch {
	case prevents == 0:
		p.Effect = LeadsTo
	case prevents%2 == 0:
		p.Effect = ClearsWay
	default:
		p.Effect = WorksAgainst
	}
}

// setSpread sums up the spread of the hops.
func (p *Path) setSpread() {
	days, oneDay := map[string]int{}, false
	for _, h := range p.Hops {
		maps.Copy(days, h.days)
		oneDay = oneDay || h.OneDay
	}
	p.Spread = spreadOf(days)
	p.OneDay = oneDay
}

func (v *viewer) hop(source, target Node, e causal.Edge) (Hop, error) {
	h := Hop{Source: source, Target: target, Type: e.Type, Weight: e.Weight(), EvidenceCount: e.Support.Count(),
		Explicit: e.Support.Explicit, Of: e.SourceCount, Episodes: []string{}, days: map[string]int{}}
	sts, err := v.r.Statements(e.Source, e.Target, e.Type)
	if err != nil {
		return Hop{}, fmt.Errorf("read the statements of an edge: %w", err)
	}
	for _, s := range sts {
		h.Episodes = append(h.Episodes, s.Episode)
		h.days[s.Episode] = s.Day
	}
	h.Spread = spreadOf(h.days)
	slices.Sort(h.Episodes)
	h.Episodes = slices.Compact(h.Episodes)
	return h, nil
}

// rivalled reports whether a link of another type between the same two, the same way,
// would be at least as strong as an edge without the logs of some one day.
func (v *viewer) rivalled(h Hop, e causal.Edge) (bool, error) {
	edges, err := v.r.Out(e.Source)
	if err != nil {
		return false, err
	}
	for _, r := range edges {
		if r.Target != e.Target || r.Type == e.Type || r.Type == episode.Correlates {
			continue
		}
		sts, err := v.r.Statements(r.Source, r.Target, r.Type)
		if err != nil {
			return false, fmt.Errorf("read the statements of an edge: %w", err)
		}
		on := map[int]int{} // by day, by how many more state it than state the other
		for _, d := range h.days {
			on[d]++
		}
		for _, s := range sts {
			on[s.Day]--
		}
		for _, n := range on {
			if len(h.days)-len(sts)-n <= 0 {
				return true, nil
			}
		}
	}
	return false, nil
}
