package graph

import (
	"encoding/binary"

	"episodes/causal"
)

// The weight of an edge needs to know in how many episodes its source occurs. An
// edge among those that enter a node therefore carries that number: a hub has
// thousands of sources, and to look each of them up takes far longer than to read
// the edges. (A path between distant nodes takes a quarter longer without this.)
// The edge is rewritten whenever its source occurs once more, so only sources with
// few edges are carried so; of the others there are few, and they are looked up.

// maxCarried is the number of edges up to which a node is carried by them.
const maxCarried = 32

// carried is what the edges that leave a node carry: its frequency, or zero when
// that must be looked up.
func (rec *nodeRecord) carried() int {
	if rec.Degree == 0 || rec.Degree > maxCarried {
		return 0
	}
	return rec.Frequency
}

// planIn writes the edges that changed, and those whose source occurs more or less
// often than before, among those that enter their target.
func (b *batch) planIn() error {
	for _, id := range b.recarry {
		err := b.t.scan(b.ctx, append([]byte(keyOut), id[:]...), func(k, v []byte) error {
			e, ok := outEdge(k)
			if !ok {
				return badKey(k, "not an edge")
			}
			if _, changed := b.edges[e]; changed {
				return nil
			}
			var err error
			b.edges[e], err = decodeSupport(k, v)
			return err
		})
		if err != nil {
			return err
		}
	}
	for e, s := range b.edges {
		if s.Count() == 0 {
			b.del(e.in())
		} else {
			b.put(e.in(), encodeCounts(s.Explicit, s.Implied, b.carried[e.source]))
		}
	}
	return nil
}

// encodeCounts packs the counts of an edge, since there are many edges.
func encodeCounts(counts ...int) []byte {
	v := make([]byte, 0, 4)
	for _, n := range counts {
		v = binary.AppendUvarint(v, uint64(n))
	}
	return v
}

// decodeCounts reads counts, as many as there are to be.
func decodeCounts(key, v []byte, counts ...*int) error {
	for _, n := range counts {
		c, size := binary.Uvarint(v)
		if size <= 0 {
			return badKey(key, "too few counts")
		}
		*n, v = int(c), v[size:]
	}
	if len(v) > 0 {
		return badKey(key, "too many counts")
	}
	return nil
}

// decodeSupport reads an edge among those that leave its source.
func decodeSupport(key, v []byte) (s causal.Support, err error) {
	err = decodeCounts(key, v, &s.Explicit, &s.Implied)
	return s, err
}
