package query

import (
	"encoding/binary"
	"sort"
)

// A pack is a file of lists that is read in place. It begins with texts that identify
// it; then come its lists, each as the number of its entries, the offset at which each
// ends, and the entries one after the other. Numbers are 32 bits, little-endian.

// packed is one list of a pack.
type packed struct{ ends, data []byte }

func (p packed) len() int { return len(p.ends) / 4 }

// at returns an entry; nil when i is out of range.
func (p packed) at(i int) []byte {
	if i < 0 || i >= p.len() {
		return nil
	}
	from := uint32(0)
	if i > 0 {
		from = binary.LittleEndian.Uint32(p.ends[4*(i-1):])
	}
	return p.data[from:binary.LittleEndian.Uint32(p.ends[4*i:])]
}

// find returns the index of a text in a sorted list.
func (p packed) find(text string) (int, bool) {
	return sort.Find(p.len(), func(i int) int {
		switch at := p.at(i); {
		case text < string(at):
			return -1
		case text > string(at):
			return 1
		}
		return 0
	})
}

// numbers reads an entry that is a list of ascending numbers (see ascending).
func (p packed) numbers(i int) (out []int) {
	last := 0
	for at := p.at(i); len(at) > 0; {
		step, n := binary.Uvarint(at)
		if n <= 0 || step > 1<<31 {
			return out
		}
		last += int(step)
		out = append(out, last)
		at = at[n:]
	}
	return out
}

// ascending packs ascending numbers as their differences.
func ascending(list []int) (out []byte) {
	last := 0
	for _, n := range list {
		out = binary.AppendUvarint(out, uint64(n-last))
		last = n
	}
	return out
}

// packer writes a pack.
type packer struct{ out []byte }

func (p *packer) text(s string) {
	p.out = binary.LittleEndian.AppendUint32(p.out, uint32(len(s)))
	p.out = append(p.out, s...)
}

func pack[T ~string | ~[]byte](p *packer, list []T) {
	p.out = binary.LittleEndian.AppendUint32(p.out, uint32(len(list)))
	end := 0
	for _, x := range list {
		end += len(x)
		p.out = binary.LittleEndian.AppendUint32(p.out, uint32(end))
	}
	for _, x := range list {
		p.out = append(p.out, x...)
	}
}

// unpacker reads a pack. Once it is inconsistent, bad is set and everything read is
// empty.
type unpacker struct {
	rest []byte
	bad  bool
}

func (u *unpacker) take(n int) []byte {
	if u.bad = u.bad || n < 0 || n > len(u.rest); u.bad {
		return nil
	}
	out := u.rest[:n]
	u.rest = u.rest[n:]
	return out
}

func (u *unpacker) number() int {
	if b := u.take(4); b != nil {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (u *unpacker) text() string { return string(u.take(u.number())) }

func (u *unpacker) list() packed {
	n := u.number()
	if n > len(u.rest)/4 {
		u.bad = true
	}
	p := packed{ends: u.take(4 * n)}
	last := uint32(0)
	for i := 0; i < len(p.ends); i += 4 {
		end := binary.LittleEndian.Uint32(p.ends[i:])
		u.bad = u.bad || end < last
		last = end
	}
	p.data = u.take(int(last))
	if u.bad {
		return packed{}
	}
	return p
}
