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
	shared bool // several rows are of one instance
	seen   map[int]bool
}

type strataSum struct{ n, x, y float64 }

type clusterRow struct {
	stratum  cellKey
	instance int
	x, y     bool
}

// add adds one session: whether it has the fact, and whether the target.
func (c *clusters) add(stratum cellKey, instance int, x, y bool) {
	if c.strata == nil {
		c.strata, c.seen = map[cellKey]*strataSum{}, map[int]bool{}
	}
	s := c.strata[stratum]
	if s == nil {
		s = &strataSum{}
		c.strata[stratum] = s
	}
	s.n++
	s.x += float64(boolInt(x))
	s.y += float64(boolInt(y))
	c.rows = append(c.rows, clusterRow{stratum, instance, x, y})
	if instance != noInstance {
		c.shared = c.shared || c.seen[instance]
		c.seen[instance] = true
	}
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
	for i, r := range c.rows {
		s, k := c.strata[r.stratum], r.instance
		if k == noInstance {
			k = -2 - i
		}
		of[k] = append(of[k], (float64(boolInt(r.x))-s.x/s.n)*(float64(boolInt(r.y))-s.y/s.n))
	}
	scores := make([][]float64, 0, len(of))
	for _, k := range slices.Sorted(maps.Keys(of)) {
		scores = append(scores, of[k])
	}
	return stats.DesignEffect(scores), len(scores)
}

// instances counts those of the rows with the fact, and of the rows without.
func (c *clusters) instances() (with, without int) {
	seen := map[bool]map[int]bool{true: {}, false: {}}
	for i, r := range c.rows {
		k := r.instance
		if k == noInstance {
			k = -2 - i
		}
		seen[r.x][k] = true
	}
	return len(seen[true]), len(seen[false])
}

// clustersOf are the trials that count for claims in a context: those with an option, and
// the others.
func (m *model) clustersOf(option int, c context) *clusters { return m.clustersIn(m.trials, option, c) }

func (m *model) clustersIn(trials []trial, option int, c context) *clusters {
	out := &clusters{}
	for _, t := range trials {
		if m.counts(t, c) {
			out.add(cellKey{task: m.stratum(t.task), seen: m.seen(t) & m.claimed()}, t.instance, t.option == option, t.success)
		}
	}
	return out
}

// clustersOf are the sessions of a hypothesis.
func (s *Study) clustersOf(h *hypothesis) *clusters {
	out, in, target := &clusters{}, s.scope(h.a, h.b), s.success
	if h.b != outcome {
		target = s.nodes[h.b].has
	}
	var basis *claimBasis
	if n := &s.nodes[h.a]; n.option && h.b == outcome {
		basis = s.claimBasis(n.pointAt)
	}
	for n, st := range s.strata {
		for i := st.begin * wordBits; i < st.end*wordBits; i++ {
			if !in.has(i) || s.left != nil && s.left.has(i) {
				continue
			}
			k := cellKey{task: n}
			if basis != nil {
				for j, e := range basis.evidence {
					k.seen |= uint8(boolInt(e.has(i))) << j
				}
			}
			out.add(k, s.rows[i].instance, s.nodes[h.a].has.has(i), target.has(i))
		}
	}
	return out
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
