package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"math/bits"

	"encoding/binary"

	"github.com/cayleygraph/quad"

	"episodes/causal"
)

// change replaces what an episode said by what it says now; either may be nil.
type change struct{ old, new *saying }

// delta is what a set of changes adds to every sum. Adding is all it does, so
// the order of the changes does not matter.
type delta struct {
	nodes    map[nodeID]*nodeDelta
	edges    map[edgeID]*causal.Support
	points   map[pointID]*pointDelta
	shards   map[byte]*shardRecord
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
	wordings  map[string]int
}

type pointDelta struct {
	point string
	uses  int
	words map[string]int
}

func newDelta(changes []change) *delta {
	d := &delta{
		nodes:  map[nodeID]*nodeDelta{},
		edges:  map[edgeID]*causal.Support{},
		points: map[pointID]*pointDelta{},
		shards: map[byte]*shardRecord{},
		uses:   map[string][]byte{},
	}
	for _, c := range changes {
		d.count(c.old, -1)
		d.count(c.new, +1)
		d.replaceUses(c)
		d.replaceQuads(c)
	}
	return d
}

// count adds what s says, sign times.
func (d *delta) count(s *saying, sign int) {
	if s == nil {
		return
	}
	d.episodes += sign
	d.outcomes[s.rec.Outcome] += sign
	d.decisions += sign * len(s.uses)
	d.evidence += sign * len(s.rec.Statements)
	d.countEntry(Entry{s.id, s.hash}, sign)

	for i, sh := range s.rec.shares() {
		n := d.node(s.rec.node(i))
		if s.kinds != nil {
			n.kind, n.known = s.kinds[i], true
		}
		n.frequency += sign
		n.tally[sh.outcome] += sign
		for _, w := range sh.wordings {
			n.wordings[w] += sign
		}
	}
	for _, st := range s.rec.Statements {
		e := d.edges[s.rec.edge(st)]
		if e == nil {
			e = &causal.Support{}
			d.edges[s.rec.edge(st)] = e
		}
		if st.Explicit {
			e.Explicit += sign
		} else {
			e.Implied += sign
		}
	}
	for _, u := range s.uses {
		if u.point == "" {
			continue
		}
		p := d.points[pointOf(u.point)]
		if p == nil {
			p = &pointDelta{point: u.point, words: map[string]int{}}
			d.points[pointOf(u.point)] = p
		}
		p.uses += sign
		for _, w := range u.words {
			p.words[w] += sign
		}
	}
}

func (d *delta) node(id nodeID) *nodeDelta {
	n := d.nodes[id]
	if n == nil {
		n = &nodeDelta{wordings: map[string]int{}}
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

func (d *delta) countEntry(e Entry, sign int) {
	sh := d.shards[shardOf(e.ID)]
	if sh == nil {
		sh = &shardRecord{}
		d.shards[shardOf(e.ID)] = sh
	}
	sum := digestOf(e)
	if sign < 0 {
		sum = sum.negated()
	}
	sh.Count += sign
	sh.Sum = sh.Sum.plus(sum)
	d.digest = d.digest.plus(sum)
}

// digest is a digest of a set of entries: the sum of the digests of each, so that
// one entry can be added or taken away without the others, in any order.
type digest [16]byte

func digestOf(e Entry) (d digest) {
	h := sha256.Sum256([]byte(e.ID + "\x00" + e.Hash))
	copy(d[:], h[:])
	return d
}

func (d digest) plus(o digest) (sum digest) {
	lo, carry := bits.Add64(binary.BigEndian.Uint64(d[8:]), binary.BigEndian.Uint64(o[8:]), 0)
	hi, _ := bits.Add64(binary.BigEndian.Uint64(d[:8]), binary.BigEndian.Uint64(o[:8]), carry)
	binary.BigEndian.PutUint64(sum[:8], hi)
	binary.BigEndian.PutUint64(sum[8:], lo)
	return sum
}

func (d digest) negated() (neg digest) {
	for i := range d {
		neg[i] = ^d[i]
	}
	var one digest
	one[len(one)-1] = 1
	return neg.plus(one)
}

func (d digest) String() string { return hex.EncodeToString(d[:]) }

// Digest is a digest of a set of episode files, the same in any order. A store
// that holds exactly this set has it as Info.Digest.
func Digest(set []Entry) string {
	var sum digest
	for _, e := range set {
		sum = sum.plus(digestOf(e))
	}
	return sum.String()
}
