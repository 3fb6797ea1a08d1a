package infer

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Kinds of key, as prefixes that keep them apart.
const (
	taskKind   = "t\x00"
	pointKind  = "p\x00"
	optionKind = "o\x00"
	eventKind  = "e\x00"
)

// purity is the cosine from which two keys are taken for one fact. On real logs
// 13 of 15 pairs at .8 or more were the same; between .7 and .8 it was 8 of 15
// (bench/causal/METHODS.md, section 4), so nothing below is merged.
const purity = .8

// merge finds the keys that say the same thing in other words. The keys of a kind
// are gone through with the commonest first (ties: fewer words, then by bytes);
// each joins the first leader that it is like, or becomes one. So the result is a
// function of the set of sessions and not of their order. Options are never
// merged: two options of one question differ in a word or two by nature.
func (s *Study) merge(byID map[string]*Record) {
	uses := map[string]map[string]int{taskKind: {}, pointKind: {}, eventKind: {}}
	for _, r := range byID {
		seen := map[string]bool{}
		once := func(kind, key string) {
			if key != "" && !seen[kind+key] {
				seen[kind+key] = true
				uses[kind][key]++
			}
		}
		once(taskKind, r.Task.Key)
		for _, c := range r.Choices {
			once(pointKind, c.Point.Key)
		}
		for _, e := range r.Events {
			once(eventKind, e.Name.Key)
		}
	}
	s.alias = map[string]string{}
	for _, kind := range slices.Sorted(maps.Keys(uses)) {
		s.idf[kind] = weigh(slices.Collect(maps.Keys(uses[kind])))
		for k, l := range leaders(uses[kind], s.idf[kind]) {
			s.alias[kind+k] = l
		}
	}
}

// lead returns the key under which a key is counted.
func (s *Study) lead(kind, key string) string {
	if l, ok := s.alias[kind+key]; ok {
		return l
	}
	return key
}

// vector is a key as weighted words of length 1.
type vector struct {
	class string // only keys of one class are compared: the kind of an event
	words []string
	key   string
}

// leaders maps every key that is not its own leader to its leader.
func leaders(uses map[string]int, idf map[string]float64) map[string]string {
	order := slices.SortedFunc(maps.Keys(uses), func(a, b string) int {
		return cmp.Or(uses[b]-uses[a], len(strings.Fields(a))-len(strings.Fields(b)), strings.Compare(a, b))
	})
	// A cosine of c needs shared words that weigh c² of the key or more, so it is
	// enough to look at the leaders that share one of its heaviest words.
	byWord := map[string][]vector{}
	out := map[string]string{}
	for _, k := range order {
		v := split(k)
		best, at := "", purity
		seen := map[string]bool{}
		for _, w := range heaviest(v.words, idf) {
			for _, l := range byWord[v.class+"\x00"+w] {
				if seen[l.key] {
					continue
				}
				seen[l.key] = true
				if c := cosine(v.words, l.words, idf); c > at+1e-12 || c >= at-1e-12 && (best == "" || l.key < best) {
					best, at = l.key, math.Max(c, at)
				}
			}
		}
		if best != "" {
			out[k] = best
			continue
		}
		v.key = k
		for _, w := range v.words {
			byWord[v.class+"\x00"+w] = append(byWord[v.class+"\x00"+w], v)
		}
	}
	return out
}

// heaviest returns the words of which a like key must share one, heaviest first.
func heaviest(words []string, idf map[string]float64) []string {
	words = slices.Clone(words)
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(idf[b], idf[a]), strings.Compare(a, b)) })
	rest := 0.0
	for i := len(words) - 1; i >= 0; i-- {
		rest += idf[words[i]] * idf[words[i]]
	}
	need := purity * purity * rest * (1 - 1e-9)
	for i, w := range words {
		if rest < need {
			return words[:i]
		}
		rest -= idf[w] * idf[w]
	}
	return words
}

// split takes the kind before the colon of an event's key off its words.
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
func weigh(list []string) map[string]float64 {
	df := map[string]int{}
	for _, k := range list {
		for _, w := range split(k).words {
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
