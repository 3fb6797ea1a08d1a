package infer

import (
	"slices"

	"episodes/stats"
)

// hypothesis is a pair of facts of which the second may depend on the first.
type hypothesis struct {
	a, b   int
	tables []stats.Table
	p, q   float64
}

// hypotheses returns the pairs to test, with their tables. The selection depends on how
// often facts occur and in which order, never on what follows them.
func (s *Study) hypotheses() []hypothesis {
	nodes := s.common()
	orders := s.orders(nodes)
	var out []hypothesis
	for _, b := range append(slices.Clone(nodes), outcome) {
		if b != outcome && s.nodes[b].option {
			continue // causes of a choice are not sought
		}
		for _, a := range nodes {
			if a == b || orders.share(a, b) < before {
				continue
			}
			tables := s.tables(a, b, nil)
			if t := stats.Sum(tables); min(t.N, t.OtherN) < LeastInstances {
				continue
			}
			out = append(out, hypothesis{a: a, b: b, tables: tables})
		}
	}
	return out
}

// common returns the facts to be tested: those in at least minFact sessions, limited to the most
// common ones.
func (s *Study) common() (nodes []int) {
	for i := range s.nodes {
		if n := &s.nodes[i]; n.n >= minFact {
			nodes = append(nodes, i)
		}
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return s.nodes[b].n - s.nodes[a].n })
	nodes = nodes[:min(len(nodes), maxFacts)]
	slices.Sort(nodes)
	return nodes
}

// orders counts the sessions in which one fact came before another. All options of a
// point count together, since it is the point that comes before or after.
type orders struct {
	first map[[2]int]int
	owner []int // by node: itself, or for an option its point, as -1-point
}

func (s *Study) orders(nodes []int) orders {
	o := orders{map[[2]int]int{}, make([]int, len(s.nodes))}
	frequent := make([]bool, len(s.nodes))
	for _, n := range nodes {
		frequent[n] = true
	}
	for i, n := range s.nodes {
		o.owner[i] = i
		if n.option {
			o.owner[i] = -1 - n.pointAt
		}
	}
	for i := range s.rows {
		facts := s.rows[i].facts
		for _, a := range facts {
			for _, b := range facts {
				if a.at > 0 && a.at < b.at && frequent[a.node] && frequent[b.node] &&
					(!s.nodes[a.node].option || !s.nodes[b.node].option) {
					o.first[[2]int{o.owner[a.node], o.owner[b.node]}]++
				}
			}
		}
	}
	return o
}

// share returns the share of the sessions with both in which a came before b. The outcome is
// always last; an unknown order counts as one half.
func (o orders) share(a, b int) float64 {
	if b == outcome {
		return 1
	}
	x, y := o.first[[2]int{o.owner[a], o.owner[b]}], o.first[[2]int{o.owner[b], o.owner[a]}]
	if x+y == 0 {
		return .5
	}
	return float64(x) / float64(x+y)
}

// scope is the rows that count for a pair. For an event all sessions count; for the
// outcome only the measured ones. For an option only the sessions that decided its point
// count; and for its effect on the outcome only those that claims about it rest on (see
// claimBasis).
func (s *Study) scope(a, b int) bits {
	in := s.all()
	if b == outcome {
		in = s.measured
	}
	if n := &s.nodes[a]; n.option && b == outcome {
		return in.and(s.claimBasis(n.pointAt).rows)
	} else if n.option {
		return in.and(s.bitsOf(s.points[n.pointAt].decided))
	}
	return in
}

// tables returns the counts of the target b with and without a, by task and by which of
// the nodes given are present; for the effect of an option on the outcome also by the
// evidence that claims adjust for.
func (s *Study) tables(a, b int, given []int) []stats.Table {
	return slices.DeleteFunc(s.cells(s.scope(a, b), a, b, s.splits(a, b, given)),
		func(t stats.Table) bool { return t.N+t.OtherN == 0 })
}

// target is the rows that have a node, or that succeeded.
func (s *Study) target(b int) bits {
	if b == outcome {
		return s.success
	}
	return s.nodes[b].has
}

// splits is what the sessions of a pair are split by, besides their stratum.
func (s *Study) splits(a, b int, given []int) (split []bits) {
	if n := &s.nodes[a]; n.option && b == outcome {
		split = append(split, s.claimBasis(n.pointAt).evidence...)
	}
	for _, g := range given {
		split = append(split, s.nodes[g].has)
	}
	return split
}

// cells returns the tables of a pair over the rows in, also the empty ones: those of a stratum
// after each other, by which sets of split have the rows (bit i: set i).
func (s *Study) cells(in bits, a, b int, split []bits) []stats.Table {
	out, has, target := make([]stats.Table, 0, len(s.strata)<<len(split)), s.nodes[a].has, s.target(b)
	for _, st := range s.strata {
		for mask := range 1 << len(split) {
			var t stats.Table
			for w := st.begin; w < st.end; w++ {
				rows := in[w]
				for i := range split {
					if mask>>i&1 == 1 {
						rows &= split[i][w]
					} else {
						rows &^= split[i][w]
					}
				}
				if rows == 0 {
					continue
				}
				x, y := has[w], target[w]
				t.N += ones(rows & x)
				t.Successes += ones(rows & x & y)
				t.OtherN += ones(rows &^ x)
				t.OtherSuccesses += ones(rows &^ x & y)
			}
			out = append(out, t)
		}
	}
	return out
}

// claimBasis is what claims about the options of a point rest on.
type claimBasis struct {
	rows     bits
	evidence []bits // rows that saw it before the decision
}

func (s *Study) claimBasis(p int) *claimBasis {
	if g := s.bases[p]; g != nil {
		return g
	}
	m := s.model(p)
	g := &claimBasis{rows: s.newBits()}
	for range m.likely {
		g.evidence = append(g.evidence, s.newBits())
	}
	randomOnly := m.randomOnly
	for _, t := range m.trials {
		if randomOnly && !t.explore {
			continue
		}
		g.rows.set(t.row)
		for i := range m.likely {
			if m.seen(t)>>i&1 == 1 {
				g.evidence[i].set(t.row)
			}
		}
	}
	s.bases[p] = g
	return g
}
