package graph

import (
	"github.com/cayleygraph/quad"

	"episodes/causal"
)

// delta is what a set of changes adds to every sum. Adding is all it does, so
// the order of the changes does not matter.
type delta struct {
	nodes    map[nodeID]*nodeDelta
	edges    map[edgeID]*causal.Support
	add, del []quad.Quad

	episodes, decisions, evidence int
	outcomes                      [len(outcomes)]int
	digest                        digest
}

type nodeDelta struct {
	typ       byte
	key       string
	frequency int
	tally     [len(outcomes)]int
	degree    int
	labels    map[string]int
}

func newDelta(changes []change, votes []vote) *delta {
	d := &delta{nodes: map[nodeID]*nodeDelta{}, edges: map[edgeID]*causal.Support{}}
	for _, c := range changes {
		d.enlist(c.old, -1)
		d.enlist(c.new, +1)
	}
	for _, v := range votes {
		d.count(v.old, -1)
		d.count(v.new, +1)
		d.replaceQuads(v)
	}
	return d
}

// enlist adds an episode to the set, sign times.
func (d *delta) enlist(c *contribution, sign int) {
	if c == nil {
		return
	}
	d.episodes += sign
	sum := digestOf(Entry{c.id, c.hash})
	if sign < 0 {
		sum = sum.negated()
	}
	d.digest = d.digest.plus(sum)
}

// count adds a contribution, sign times.
func (d *delta) count(c *contribution, sign int) {
	if c == nil {
		return
	}
	d.outcomes[outcomeNumber(c.rec.Outcome)] += sign
	d.decisions += sign * c.rec.Decisions
	d.evidence += sign * len(c.rec.Statements)
	for _, sh := range shares(c.rec.Mentions) {
		n := d.node(sh.node)
		n.typ, n.key = sh.typ, sh.key
		n.frequency += sign
		n.tally[outcomeNumber(sh.outcome)] += sign
		for _, l := range sh.labels {
			n.labels[l] += sign
		}
	}
	for _, st := range c.rec.Statements {
		e := d.edges[edgeOf(st)]
		if e == nil {
			e = &causal.Support{}
			d.edges[edgeOf(st)] = e
		}
		if st.Explicit {
			e.Explicit += sign
		} else {
			e.Implied += sign
		}
	}
}

func (d *delta) node(id nodeID) *nodeDelta {
	n := d.nodes[id]
	if n == nil {
		n = &nodeDelta{labels: map[string]int{}}
		d.nodes[id] = n
	}
	return n
}

// replaceQuads writes only quads that differ: Cayley must neither add what is
// there nor remove what is not.
func (d *delta) replaceQuads(c vote) {
	if c.old == nil {
		d.add = append(d.add, quads(c.new.rec.Contribution)...)
		return
	}
	old := map[quad.Quad]bool{}
	for _, q := range quads(c.old.rec.Contribution) {
		old[q] = true
	}
	if c.new != nil {
		for _, q := range quads(c.new.rec.Contribution) {
			if !old[q] {
				d.add = append(d.add, q)
			}
			delete(old, q)
		}
	}
	for _, q := range quads(c.old.rec.Contribution) {
		if old[q] {
			d.del = append(d.del, q)
		}
	}
}
