package extract

import (
	"slices"
	"strings"

	"episodes/keys"
)

// wordTable gives the words of a log numbers, in the order in which they are met,
// and keeps those of each text. What a token stands for is remembered from log to
// log.
type wordTable struct {
	tokens map[string]token   // as they stand
	recent [1 << 12]token     // those met lately, by their shape
	stems  map[string]int32   // stem → its number
	ids    []int32            // by number of the stem: its number in this log and 1, else 0
	met    []int32            // stems with a number in this log, in its order
	texts  map[string][]int32 // numbers in this log: distinct, sorted
	found  []int32            // scratch space of of
	lists  arena[int32]
	sim    likeness
}

// token is a token as it stands, and the number of its stem, or noWord.
type token struct {
	s    string
	stem int32
}

const noWord = -1

// maxTokens bounds the tokens remembered, since a hostile log has no end of them.
const maxTokens = 1 << 15

// wordTables are used again for other logs.
var wordTables = newSpare(func() *wordTable {
	return &wordTable{tokens: map[string]token{}, stems: map[string]int32{}, texts: map[string][]int32{}, lists: arena[int32]{size: 1024}}
})

// release gives the table back; nothing of its log stays in it.
func (t *wordTable) release() {
	if t == nil || len(t.texts) > maxReused {
		return
	}
	for _, n := range t.met {
		t.ids[n] = 0
	}
	t.met = t.met[:0]
	clear(t.texts)
	t.lists.reset()
	for _, told := range [][]told{t.sim.errors, t.sim.work, t.sim.done} {
		clear(told[:cap(told)])
	}
	if len(t.tokens) > maxTokens {
		clear(t.recent[:])
		clear(t.tokens)
		clear(t.stems)
		t.ids = t.ids[:0]
	}
	wordTables.put(t)
}

// likeness is empty; the one before it may not be used any more.
func (t *wordTable) likeness() *likeness {
	l := &t.sim
	*l = likeness{words: t, weight: l.weight[:0], errors: l.errors[:0], work: l.work[:0], done: l.done[:0]}
	return l
}

func (t *wordTable) of(s string) []int32 {
	if s == "" {
		return nil
	}
	if w, ok := t.texts[s]; ok {
		return w
	}
	t.found = t.found[:0]
	keys.EachToken(s, func(s string) {
		if w := t.one(s); w != noWord {
			t.found = append(t.found, w)
		}
	})
	slices.Sort(t.found)
	out := slices.Compact(t.found)
	list := t.lists.take(len(out))
	copy(list, out)
	t.texts[s] = list
	return list
}

// one is the number of a single token, or noWord.
func (t *wordTable) one(s string) int32 {
	r := &t.recent[shapeOf(s)%uint32(len(t.recent))]
	if r.s != s {
		*r = t.lookUp(s)
	}
	n := r.stem
	if n == noWord {
		return noWord
	}
	if t.ids[n] == 0 {
		t.met = append(t.met, n)
		t.ids[n] = int32(len(t.met))
	}
	return t.ids[n] - 1
}

// lookUp is the number of a token's stem.
func (t *wordTable) lookUp(s string) token {
	if known, ok := t.tokens[s]; ok {
		return known
	}
	n := int32(noWord)
	if w := keys.Word(s); w != "" {
		var ok bool
		if n, ok = t.stems[w]; !ok {
			n = int32(len(t.ids))
			t.stems[strings.Clone(w)] = n
			t.ids = append(t.ids, 0)
		}
	}
	found := token{strings.Clone(s), n} // not the text that it stands in
	t.tokens[found.s] = found
	return found
}
