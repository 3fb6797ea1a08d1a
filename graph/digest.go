package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

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

func digestOfAll(set []Entry) (sum digest) {
	for _, e := range set {
		sum = sum.plus(digestOf(e))
	}
	return sum
}
