package infer

import (
	"math"
	"slices"
	"strings"
)

// similarWords reports whether the words of two events are so similar that they may be
// one event worded twice: their co-occurrence in a log then shows nothing. On real logs
// 13 of 15 pairs at a cosine of .8 or more were the same event, 8 of 15 from .7 to .8, and 4 of
// 15 from .6 to .7 (bench/causal/METHODS.md, section 4).
func (s *Study) similarWords(a, b int) bool {
	x, y := split(s.nodes[a].key), split(s.nodes[b].key)
	return x.class == y.class && cosine(x.words, y.words, s.idf) >= similarCosine
}

// vector is a key as its words.
type vector struct {
	class string // the kind of an event; only keys of one class are compared
	words []string
}

// split separates the kind of an event's key from its words.
func split(key string) vector {
	class, rest, ok := strings.Cut(key, ": ")
	if !ok {
		class, rest = "", key
	}
	words := strings.Fields(rest)
	slices.Sort(words)
	return vector{class: class, words: slices.Compact(words)}
}

// weigh gives each word its inverse document frequency over distinct keys:
// ln(1 + keys/keys with the word).
func weigh(list []vector) map[string]float64 {
	df := map[string]int{}
	for _, v := range list {
		for _, w := range v.words {
			df[w]++
		}
	}
	out := make(map[string]float64, len(df))
	for w, n := range df {
		out[w] = math.Log(1 + float64(len(list))/float64(n))
	}
	return out
}

// cosine is the cosine of two sorted sets of weighted words. Sums run in the
// order of words, so that they are the same to the bit each time.
func cosine(a, b []string, idf map[string]float64) float64 {
	norm := func(ws []string) (sum float64) {
		for _, w := range ws {
			sum += idf[w] * idf[w]
		}
		return sum
	}
	dot := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := strings.Compare(a[i], b[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			dot += idf[a[i]] * idf[a[i]]
			i++
			j++
		}
	}
	n := norm(a) * norm(b)
	if n == 0 {
		return 0
	}
	return dot / math.Sqrt(n)
}
