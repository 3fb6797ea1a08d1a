package redact

// automaton finds keywords in one pass over a text, ignoring case (A. V. Aho and
// M. J. Corasick, Efficient string matching, 1975).
type automaton struct {
	class [256]uint8
	width int
	// next[state*width+class] is twice the next state times width, plus one if keywords end
	// in it.
	next  []int32
	found [][]int32 // keywords that end in a state
}

func newAutomaton(words []string) *automaton {
	a, most := &automaton{width: 1}, 1
	for _, w := range words {
		most += len(w)
		for i := range len(w) {
			if c := common(w[i]); a.class[c] == 0 {
				a.class[c] = uint8(a.width)
				a.width++
			}
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		a.class[c] = a.class[c+'a'-'A']
	}
	for c := 0x80; c <= 0xff; c++ {
		a.class[c] = a.class[common(byte(c))]
	}
	a.next, a.found = make([]int32, 0, most*a.width), make([][]int32, 0, most)
	a.grow()
	for n, w := range words {
		state := 0
		for i := range len(w) {
			at := state*a.width + int(a.class[w[i]])
			if a.next[at] == 0 {
				a.next[at] = int32(len(a.found))
				a.grow()
			}
			state = int(a.next[at])
		}
		a.found[state] = append(a.found[state], int32(n))
	}
	a.link()
	return a
}

// common is one byte for several that are not ASCII, so that the table stays small: keywords with such
// bytes are found too often, and their detectors compare them.
func common(c byte) byte {
	if c >= 0x80 {
		return 0x80 | c&7
	}
	return c
}

func (a *automaton) grow() {
	a.next = append(a.next, make([]int32, a.width)...)
	a.found = append(a.found, nil)
}

// link resolves the failure links, breadth first, so that matching needs none.
func (a *automaton) link() {
	fail := make([]int32, len(a.found))
	var queue []int32
	for c := range a.width {
		if s := a.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		f := fail[s]
		a.found[s] = append(a.found[s], a.found[f]...)
		for c := range a.width {
			at, other := int(s)*a.width+c, a.next[int(f)*a.width+c]
			if t := a.next[at]; t != 0 {
				fail[t] = other
				queue = append(queue, t)
			} else {
				a.next[at] = other
			}
		}
	}
	for i, s := range a.next {
		a.next[i] = 2 * s * int32(a.width)
		if len(a.found[s]) > 0 {
			a.next[i]++
		}
	}
}
