package infer

import mathbits "math/bits"

const wordBits = 64

// bits is a set of rows.
type bits []uint64

func (s *Study) newBits() bits { return make(bits, len(s.rows)/wordBits) }

func (s *Study) bitsOf(rows []int) bits {
	b := s.newBits()
	for _, i := range rows {
		b.set(i)
	}
	return b
}

func (b bits) set(i int) { b[i/wordBits] |= 1 << (i % wordBits) }

func (b bits) has(i int) bool { return b[i/wordBits]>>(i%wordBits)&1 == 1 }

// and returns the rows in both.
func (b bits) and(c bits) bits {
	out := make(bits, len(b))
	for i := range b {
		out[i] = b[i] & c[i]
	}
	return out
}

func ones(w uint64) int { return mathbits.OnesCount64(w) }

// all returns the rows that hold a session.
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
