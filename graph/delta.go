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
	uses     map[string][]byte // by key; nil: gone
	add, del []quad.Quad

	episodes, decisions, evidence int
	outcomes                      [len(outcomes)]int
	digest                        digest
}

type nodeDelta struct {
	kind      nodeKind
	known     bool // kind is set
	frequency int
	tally     [len(outcomes)]int
	degree    int
	labels    map[string]int
}

func newDelta(changes []change) *delta {
	d := &delta{
		nodes: map[nodeID]*nodeDelta{},
		edges: map[edgeID]*causal.Support{},
		uses:  map[string][]byte{},
	}
	for _, c := range changes {
		d.count(c.old, -1)
		d.count(c.new, +1)
		d.replaceUses(c)
		d.replaceQuads(c)
	}
	return d
}

// count adds a contribution, sign times.
func (d *delta) count(c *contribution, sign int) {
	if c == nil {
		return
	}
	d.episodes += sign
	d.outcomes[c.rec.Outcome] += sign
	d.decisions += sign * len(c.uses)
	d.evidence += sign * len(c.rec.Statements)
	sum := digestOf(Entry{c.id, c.hash})
	if sign < 0 {
		sum = sum.negated()
	}
	d.digest = d.digest.plus(sum)

	for i, sh := range c.rec.shares() {
		n := d.node(c.rec.node(i))
		if c.kinds != nil {
			n.kind, n.known = c.kinds[i], true
		}
		n.frequency += sign
		n.tally[sh.outcome] += sign
		for _, l := range sh.labels {
			n.labels[l] += sign
		}
	}
	for _, st := range c.rec.Statements {
		e := d.edges[c.rec.edge(st)]
		if e == nil {
			e = &causal.Support{}
			d.edges[c.rec.edge(st)] = e
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

// replaceUses writes only uses that differ.
func (d *delta) replaceUses(c change) {
	old := map[string][]byte{}
	if c.old != nil {
		for _, u := range c.old.uses {
			old[string(u.key)] = u.value
		}
	}
	if c.new != nil {
		for _, u := range c.new.uses {
			if v, ok := old[string(u.key)]; !ok || string(v) != string(u.value) {
				d.uses[string(u.key)] = u.value
			}
			delete(old, string(u.key))
		}
	}
	for k := range old {
		d.uses[k] = nil
	}
}

// replaceQuads writes only quads that differ: Cayley must neither add what is
// there nor remove what is not.
func (d *delta) replaceQuads(c change) {
	if c.old == nil {
		d.add = append(d.add, c.new.rec.quads(c.new.id)...)
		return
	}
	old := map[quad.Quad]bool{}
	for _, q := range c.old.rec.quads(c.old.id) {
		old[q] = true
	}
	if c.new != nil {
		for _, q := range c.new.rec.quads(c.new.id) {
			if !old[q] {
				d.add = append(d.add, q)
			}
			delete(old, q)
		}
	}
	for _, q := range c.old.rec.quads(c.old.id) {
		if old[q] {
			d.del = append(d.del, q)
		}
	}
}
