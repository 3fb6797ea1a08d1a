package recall

import (
	"maps"
	"slices"
)

// Corpus describes a memory of which an Index has only the sessions that match a question
// best: the number of its sessions, and of those that contain each word of the question.
type Corpus struct {
	Sessions int
	Holding  map[Word]int
}

// Word is the hash of a term, as databases store it.
type Word = int64

func wordOf(term string) Word { return int64(hashOf(term)) }

// Hashes returns the distinct terms of the session, sorted.
func (s *Session) Hashes() []Word {
	all := map[Word]bool{}
	add := func(text string) { terms(text, true, func(t string) { all[wordOf(t)] = true }) }
	add(s.Task)
	for _, d := range s.Docs {
		add(d.Heading)
		add(d.Text)
	}
	return slices.Sorted(maps.Keys(all))
}

// Hashes returns the terms of the question with their weights.
func (q *Question) Hashes() map[Word]float64 {
	out := map[Word]float64{}
	for t, w := range q.Weights {
		out[wordOf(t)] = max(out[wordOf(t)], w)
	}
	return out
}

// Of makes the index a part of a larger memory, the sessions of which determine the inverse
// document frequency of terms.
func (x *Index) Of(w Corpus) {
	x.holding, x.count = w.Holding, max(x.count, w.Sessions)
}
