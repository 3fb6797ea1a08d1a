package infer

import (
	"maps"
	"slices"

	"episodes/stats"
)

// Sessions of one instance are evidence of one thing: they may all end alike for a reason
// that has nothing to do with what is compared. So a claim takes LeastInstances of them on
// either side, and the p-value of the exact test over sessions is corrected for the design
// effect. Where each session is an instance of its own nothing is corrected.

// clusters collects the scores of a stratified comparison by instance.
type clusters struct {
	strata map[cellKey]*strataSum
	rows   []clusterRow
	seen   map[int]bool // instances
	shared bool         // several rows are of one instance
}

type strataSum struct{ n, x, y float64 }

type clusterRow struct {
	stratum  cellKey
	instance int
	x, y     float64
}

func newClusters() *clusters {
	return &clusters{strata: map[cellKey]*strataSum{}, seen: map[int]bool{}}
}

// add adds one session: whether it has the fact, and whether the target.
func (c *clusters) add(stratum cellKey, instance int, x, y bool) {
	if instance == noInstance { // one of its own
		instance = noInstance - 1 - len(c.rows)
	}
	r := clusterRow{stratum, instance, float64(stats.Indicator(x)), float64(stats.Indicator(y))}
	c.rows = append(c.rows, r)
	c.shared = c.shared || c.seen[instance]
	c.seen[instance] = true
	s := c.strata[stratum]
	if s == nil {
		s = &strataSum{}
		c.strata[stratum] = s
	}
	s.n, s.x, s.y = s.n+1, s.x+r.x, s.y+r.y
}

// deflate is the p-value of a test over sessions, corrected for what those of one instance
// have in common.
func (c *clusters) deflate(p float64) float64 {
	if !c.shared {
		return p
	}
	effect, n := c.design()
	return stats.Deflated(p, effect, n)
}

// design is the design effect of the comparison, and the number of instances.
func (c *clusters) design() (effect float64, n int) {
	of := map[int][]float64{}
	for _, r := range c.rows {
		s := c.strata[r.stratum]
		of[r.instance] = append(of[r.instance], (r.x-s.x/s.n)*(r.y-s.y/s.n))
	}
	var scores [][]float64
	for _, k := range slices.Sorted(maps.Keys(of)) {
		scores = append(scores, of[k])
	}
	return stats.DesignEffect(scores), len(of)
}

// instances counts those of the rows with the fact, and of the rows without.
func (c *clusters) instances() (with, without int) {
	seen := map[float64]map[int]bool{1: {}, 0: {}}
	for _, r := range c.rows {
		seen[r.x][r.instance] = true
	}
	return len(seen[1]), len(seen[0])
}

// clustersIn are the trials that count for claims in a context: those with an option, and
// the others.
func (m *model) clustersIn(option int, c context) *clusters {
	out := newClusters()
	for _, t := range m.trials {
		if m.counts(t, c) {
			out.add(cellKey{task: m.stratum(t.task), seen: m.seen(t) & m.claimed()}, t.instance, t.option == option, t.success)
		}
	}
	return out
}

// clustersOf are the sessions of a hypothesis.
func (s *Study) clustersOf(h *hypothesis) *clusters {
	out, in, target := newClusters(), s.scope(h.a, h.b), s.target(h.b)
	split := s.splits(h.a, h.b, nil)
	for n, st := range s.strata {
		for i := st.begin * wordBits; i < st.end*wordBits; i++ {
			if !in.has(i) {
				continue
			}
			var seen uint8
			for j, e := range split {
				seen |= uint8(stats.Indicator(e.has(i))) << j
			}
			out.add(cellKey{task: n, seen: seen}, s.rows[i].instance, s.nodes[h.a].has.has(i), target.has(i))
		}
	}
	return out
}
