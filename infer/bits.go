package infer

import mathbits "math/bits"

const wordBits = 64

// bits is a set of rows.
type bits []uint64

func (s *Study) newBits() bits { return make(bits, len(s.rows)/wordBits) }

func (b bits) set(i int) { b[i/wordBits] |= 1 << (i % wordBits) }

func (b bits) count() (n int) {
	for _, w := range b {
		n += ones(w)
	}
	return n
}

// rows yields the rows in the set, in order.
func (b bits) rows() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(i*wordBits + mathbits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// and returns the rows in both.
func (b bits) and(c bits) bits {
	out := make(bits, len(b))
	for i := range b {
		out[i] = b[i] & c[i]
	}
	return out
}

func ones(w uint64) int { return mathbits.OnesCount64(w) }

// all returns the rows that are sessions.
func (s *Study) all() bits {
	if s.every == nil {
		s.every = s.newBits()
		for i := range s.rows {
			if s.rows[i].task >= 0 {
				s.every.set(i)
			}
		}
	}
	return s.every
}
