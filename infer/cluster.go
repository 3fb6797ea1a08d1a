package infer

import (
	"cmp"
	"maps"
	"math"
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
	single map[clusterCell]int // sessions that are instances of their own
	rows   []clusterRow        // the others
	shared bool                // several rows are of one instance
	seen   map[int]bool
}

type strataSum struct{ n, x, y float64 }

type clusterCell struct {
	stratum cellKey
	x, y    bool
}

type clusterRow struct {
	clusterCell
	instance int
}

// add adds one session: whether it has the fact, and whether the target.
func (c *clusters) add(stratum cellKey, instance int, x, y bool) {
	cell := clusterCell{stratum, x, y}
	if instance == noInstance {
		c.addSingle(cell, 1)
		return
	}
	c.count(cell, 1)
	c.rows = append(c.rows, clusterRow{cell, instance})
	if c.seen == nil {
		c.seen = map[int]bool{}
	}
	c.shared = c.shared || c.seen[instance]
	c.seen[instance] = true
}

// addSingle adds n sessions that are instances of their own.
func (c *clusters) addSingle(cell clusterCell, n int) {
	if n == 0 {
		return
	}
	if c.single == nil {
		c.single = map[clusterCell]int{}
	}
	c.single[cell] += n
	c.count(cell, n)
}

func (c *clusters) count(cell clusterCell, n int) {
	if c.strata == nil {
		c.strata = map[cellKey]*strataSum{}
	}
	s := c.strata[cell.stratum]
	if s == nil {
		s = &strataSum{}
		c.strata[cell.stratum] = s
	}
	s.n += float64(n)
	s.x += float64(n * stats.Indicator(cell.x))
	s.y += float64(n * stats.Indicator(cell.y))
}

// score is that of a session in the test of its stratum.
func (c *clusters) score(cell clusterCell) float64 {
	s := c.strata[cell.stratum]
	return (float64(stats.Indicator(cell.x)) - s.x/s.n) * (float64(stats.Indicator(cell.y)) - s.y/s.n)
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
	var scores [][]float64
	for _, cell := range slices.SortedFunc(maps.Keys(c.single), clusterCell.compare) {
		k := c.single[cell]
		n += k
		// One score with the squares of k equal ones, each of a cluster of its own.
		scores = append(scores, []float64{math.Sqrt(float64(k)) * c.score(cell)})
	}
	of := map[int][]float64{}
	for _, r := range c.rows {
		of[r.instance] = append(of[r.instance], c.score(r.clusterCell))
	}
	for _, k := range slices.Sorted(maps.Keys(of)) {
		scores = append(scores, of[k])
	}
	return stats.DesignEffect(scores), n + len(of)
}

func (c clusterCell) compare(d clusterCell) int {
	return cmp.Or(c.stratum.compare(d.stratum), stats.Indicator(c.x)-stats.Indicator(d.x), stats.Indicator(c.y)-stats.Indicator(d.y))
}

// instances counts those of the rows with the fact, and of the rows without.
func (c *clusters) instances() (with, without int) {
	for cell, n := range c.single {
		if cell.x {
			with += n
		} else {
			without += n
		}
	}
	seen := map[bool]map[int]bool{true: {}, false: {}}
	for _, r := range c.rows {
		seen[r.x][r.instance] = true
	}
	return with + len(seen[true]), without + len(seen[false])
}

// clustersIn are the trials that count for claims in a context: those with an option, and
// the others.
func (m *model) clustersIn(option int, c context) *clusters {
	out := &clusters{}
	for _, t := range m.trials {
		if m.counts(t, c) {
			out.add(cellKey{task: m.stratum(t.task), seen: m.seen(t) & m.claimed()}, t.instance, t.option == option, t.success)
		}
	}
	return out
}

// clustersOf are the sessions of a hypothesis. Most are instances of their own, and counted as
// tables are.
func (s *Study) clustersOf(h *hypothesis) *clusters {
	out, in, shared := &clusters{}, s.scope(h.a, h.b), s.sharedRows()
	split := s.splits(h.a, h.b, nil)
	key := func(cell int) cellKey {
		return cellKey{task: cell >> len(split), seen: uint8(cell & (1<<len(split) - 1))}
	}
	for i, t := range s.cells(in.without(shared), h.a, h.b, split) {
		out.addSingle(clusterCell{key(i), true, true}, t.Successes)
		out.addSingle(clusterCell{key(i), true, false}, t.N-t.Successes)
		out.addSingle(clusterCell{key(i), false, true}, t.OtherSuccesses)
		out.addSingle(clusterCell{key(i), false, false}, t.OtherN-t.OtherSuccesses)
	}
	target := s.target(h.b)
	for n, st := range s.strata {
		for i := range in.and(shared).between(st.begin, st.end) {
			cell := n << len(split)
			for j, e := range split {
				cell |= stats.Indicator(e.has(i)) << j
			}
			out.add(key(cell), s.rows[i].instance, s.nodes[h.a].has.has(i), target.has(i))
		}
	}
	return out
}

// sharedRows are the sessions of instances that several worked on.
func (s *Study) sharedRows() bits {
	if s.worked == nil {
		s.worked = s.newBits()
		for i := range s.rows {
			if s.rows[i].instance != noInstance {
				s.worked.set(i)
			}
		}
	}
	return s.worked
}

// Instances counts sessions by what they worked on, for a comparison without strata.
type Instances struct {
	all    clusters
	number map[string]int
}

// Add adds one session: the instance it worked on ("" for none), whether it has the fact,
// and whether the target.
func (i *Instances) Add(instance string, x, y bool) {
	n := noInstance
	if instance != "" {
		if i.number == nil {
			i.number = map[string]int{}
		}
		var ok bool
		if n, ok = i.number[instance]; !ok {
			n = len(i.number)
			i.number[instance] = n
		}
	}
	i.all.add(cellKey{}, n, x, y)
}

// Count is the number of instances with the fact, and without.
func (i *Instances) Count() (with, without int) { return i.all.instances() }

// Deflate is the p-value of a test over sessions, corrected for what those of one instance
// have in common.
func (i *Instances) Deflate(p float64) float64 { return i.all.deflate(p) }
