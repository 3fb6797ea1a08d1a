package infer

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Kinds of key, used as prefixes.
const (
	taskKind   = "t\x00"
	pointKind  = "p\x00"
	optionKind = "o\x00"
	eventKind  = "e\x00"
)

// sameFactCosine is the cosine from which two keys count as one fact. On real logs
// 13 of 15 pairs at .8 or more were the same fact, between .7 and .8 only 8 of 15
// (bench/causal/METHODS.md, section 4).
const sameFactCosine = .8

// minLeaderUses is how many sessions must have a key for others to join it.
const minLeaderUses = 2

// merge finds the keys that express the same fact in other words. It visits the keys of
// a kind in order of frequency (ties: fewer words, then by bytes); each joins the most
// similar leader, or becomes one. So the result is a function of the set of sessions and
// not of their order. Options are never merged: two options of one question often differ
// in a word or two.
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
	for _, kind := range slices.Sorted(maps.Keys(uses)) {
		words := splitAll(uses[kind])
		s.idf[kind] = weigh(words)
		s.alias[kind] = leaders(uses[kind], words, s.idf[kind])
	}
}

func splitAll(uses map[string]int) map[string]vector {
	out := make(map[string]vector, len(uses))
	for k := range uses {
		out[k] = split(k)
	}
	return out
}

// lead returns the key under which a key is counted.
func (s *Study) leader(kind, key string) string {
	if l, ok := s.alias[kind][key]; ok {
		return l
	}
	return key
}

// vector is a key as weighted words of length 1.
type vector struct {
	class string // the kind of an event; only keys of one class are compared
	words []string
}

// ranked is a key with its words as ranks, the heaviest first, and their squared
// weights.
type ranked struct {
	class  string
	key    string
	words  []int
	square []float64
	norm   float64
	asked  int // number of the key that was last compared with it
}

// leaders maps every key that is not its own leader to its leader.
//
// A cosine of c needs shared words with at least c² of the weight of either key. So two
// similar keys share one of the heaviest words of both, taken until less than c² is
// left, and only leaders with such a word are compared (prefix filtering: Bayardo, Ma
// and Srikant 2007, WWW, section 4).
func leaders(uses map[string]int, split map[string]vector, idf weights) map[string]string {
	rank, square := idf.ranks()
	type ordered struct {
		key         string
		uses, words int
	}
	order := make([]ordered, 0, len(uses))
	for k, n := range uses {
		order = append(order, ordered{k, n, strings.Count(k, " ") + 1})
	}
	slices.SortFunc(order, func(a, b ordered) int {
		return cmp.Or(b.uses-a.uses, a.words-b.words, strings.Compare(a.key, b.key))
	})
	type entry struct {
		class string
		word  int
	}
	under := map[entry][]*ranked{}
	out := map[string]string{}
	for n, o := range order {
		k := o.key
		v := rankWords(k, split[k], rank, square)
		best, at := "", sameFactCosine
		heavy := v.heaviest()
		for _, w := range heavy {
			for _, l := range under[entry{v.class, w}] {
				if l.norm < sameFactCosine*sameFactCosine*v.norm*(1-1e-9) ||
					v.norm < sameFactCosine*sameFactCosine*l.norm*(1-1e-9) || l.asked == n+1 {
					continue
				}
				l.asked = n + 1
				if c := v.cosine(l); c > at+1e-12 || c >= at-1e-12 && (best == "" || l.key < best) {
					best, at = l.key, math.Max(c, at)
				}
			}
		}
		if best != "" {
			out[k] = best
			continue
		}
		if uses[k] < minLeaderUses {
			continue
		}
		for _, w := range heavy {
			under[entry{v.class, w}] = append(under[entry{v.class, w}], v)
		}
	}
	return out
}

// ranks ranks the words, the heaviest first, and returns their squared weights by rank.
func (w weights) ranks() (rank map[string]int, square []float64) {
	words := slices.SortedFunc(maps.Keys(w.of),
		func(a, b string) int { return cmp.Or(cmp.Compare(w.of[b], w.of[a]), strings.Compare(a, b)) })
	rank, square = make(map[string]int, len(words)), make([]float64, len(words))
	for i, x := range words {
		rank[x], square[i] = i, w.of[x]*w.of[x]
	}
	return rank, square
}

func rankWords(key string, v vector, rank map[string]int, square []float64) *ranked {
	out := &ranked{class: v.class, key: key, words: make([]int, len(v.words)), square: make([]float64, len(v.words))}
	for i, w := range v.words {
		out.words[i] = rank[w]
	}
	slices.Sort(out.words)
	for i, w := range out.words {
		out.square[i] = square[w]
		out.norm += square[w]
	}
	return out
}

// heaviest returns the words of which any similar key shares at least one.
func (r *ranked) heaviest() []int {
	rest, need := r.norm, sameFactCosine*sameFactCosine*r.norm*(1-1e-9)
	for i := range r.words {
		if rest < need {
			return r.words[:i]
		}
		rest -= r.square[i]
	}
	return r.words
}

func (r *ranked) cosine(o *ranked) float64 {
	dot := 0.0
	for i, j := 0, 0; i < len(r.words) && j < len(o.words); {
		switch {
		case r.words[i] < o.words[j]:
			i++
		case r.words[i] > o.words[j]:
			j++
		default:
			dot += r.square[i]
			i++
			j++
		}
	}
	if dot == 0 {
		return 0
	}
	return dot / math.Sqrt(r.norm*o.norm)
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
func weigh(list map[string]vector) weights {
	df := map[string]int{}
	for _, v := range list {
		for _, w := range v.words {
			df[w]++
		}
	}
	out := weights{make(map[string]float64, len(df)), math.Log(1 + float64(len(list)))}
	for w, n := range df {
		out.of[w] = math.Log(1 + float64(len(list))/float64(n))
	}
	return out
}

// weights are the weights of words.
type weights struct {
	of      map[string]float64
	unknown float64 // weight of a word that no key has
}

func (w weights) at(word string) float64 {
	if x, ok := w.of[word]; ok {
		return x
	}
	return w.unknown
}

// cosine is the cosine of two sorted sets of weighted words. Sums run in the
// order of words, so that they are the same to the bit each time.
func cosine(a, b []string, idf weights) float64 {
	norm := func(ws []string) (sum float64) {
		for _, w := range ws {
			sum += idf.at(w) * idf.at(w)
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
			dot += idf.at(a[i]) * idf.at(a[i])
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
