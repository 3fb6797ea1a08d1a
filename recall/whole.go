package recall

import (
	"maps"
	"slices"
)

// Whole is a memory of which an Index holds only the sessions that fit a question best: how
// many sessions there are, and in how many each word of the question stands.
type Whole struct {
	Sessions int
	Holding  map[Word]int
}

// Word is a term as a database keeps it.
type Word = int64

func wordOf(term string) Word { return int64(hashOf(term)) }

// Hashes are the terms by which questions meet a session, sorted.
func (s *Session) Hashes() []Word {
	all := map[Word]bool{}
	add := func(text string) { terms(text, true, func(t term) { all[wordOf(t.text)] = true }) }
	add(s.Task)
	for _, d := range s.Docs {
		add(d.Heading)
		add(d.Text)
	}
	return slices.Sorted(maps.Keys(all))
}

// Hashes are the terms of a question with their weights.
func (q *Question) Hashes() map[Word]float64 {
	out := map[Word]float64{}
	for t, w := range q.Weights {
		out[wordOf(t)] = max(out[wordOf(t)], w)
	}
	return out
}

// Of makes an index one of a larger memory: what a word tells falls with the sessions of all
// of it that hold it.
func (x *Index) Of(w Whole) {
	x.holding, x.count = w.Holding, max(x.count, w.Sessions)
}
