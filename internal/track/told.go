package track

import (
	"encoding/binary"
)

// encode writes origins so that they are read at once: numbers as varints, texts after their lengths.
func (o *Origins) encode() []byte {
	var b []byte
	num := func(values ...int64) {
		for _, v := range values {
			b = binary.AppendVarint(b, v)
		}
	}
	text := func(texts ...string) {
		for _, s := range texts {
			b = append(binary.AppendVarint(b, int64(len(s))), s...)
		}
	}
	text(o.head)
	num(flag(o.inside), int64(len(o.authors)))
	for _, a := range o.authors {
		text(a.name, a.email, a.once)
		num(flag(a.user), a.first, a.made)
	}
	num(int64(len(o.commits)))
	for _, c := range o.commits {
		text(c.commit)
		num(int64(c.by), c.at, c.came, c.order)
	}
	num(int64(len(o.ids)))
	for i, e := range o.episodes {
		text(o.ids[i])
		num(flag(e.own), flag(e.fresh), int64(len(e.commits)))
		for _, n := range e.commits {
			num(int64(n))
		}
	}
	return b
}

func flag(set bool) int64 {
	if set {
		return 1
	}
	return 0
}

// decodeOrigins reads what encode wrote; nil if it is something else.
func decodeOrigins(data string) *Origins {
	whole := data != ""
	num := func() int64 {
		var v uint64
		for i := 0; i < len(data) && i < binary.MaxVarintLen64; i++ {
			v |= uint64(data[i]&0x7f) << (7 * i)
			if data[i] < 0x80 {
				data = data[i+1:]
				return int64(v>>1) ^ -int64(v&1)
			}
		}
		whole, data = false, ""
		return 0
	}
	below := func(limit int) int {
		if n := num(); n >= 0 && n < int64(limit) {
			return int(n)
		}
		whole = false
		return 0
	}
	text := func() (s string) {
		n := below(len(data) + 1)
		if n > len(data) {
			whole, n = false, 0
		}
		s, data = data[:n], data[n:]
		return s
	}
	o := &Origins{head: text(), inside: num() == 1}
	o.authors = make([]author, below(len(data)+1))
	for i := range o.authors {
		o.authors[i] = author{name: text(), email: text(), once: text(), user: num() == 1, first: num(), made: num()}
	}
	o.commits = make([]change, below(len(data)+1))
	for i := range o.commits {
		o.commits[i] = change{commit: text(), by: below(len(o.authors)), at: num(), came: num(), order: num()}
	}
	n := below(len(data) + 1)
	o.ids, o.episodes = make([]string, n), make([]arrived, n)
	var all []int
	for i := range o.ids {
		o.ids[i] = text()
		e := &o.episodes[i]
		e.own, e.fresh = num() == 1, num() == 1
		from := len(all)
		for range below(len(data) + 1) {
			all = append(all, below(len(o.commits)))
		}
		e.commits = all[from:len(all):len(all)]
	}
	if !whole {
		return nil
	}
	return o
}
