package query

import (
	"fmt"
	"hash/crc32"
	"maps"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"episodes/causal"
	"episodes/keys"
)

// ChoiceIndex finds decisions by words. A what-if gives the same answer with and without
// one, but with it need not read all decisions whose log gives no question. Its bytes are
// read in place.
type ChoiceIndex struct {
	points    packed // keys of the decision points, sorted
	words     packed // of their questions and options, sorted
	wordAt    packed // by word: numbers of points
	uses      packed // the decisions without a question, in order of their episodes
	episodes  packed // the episode of each use, hence sorted
	options   packed // keys of the options that the uses name, sorted
	naming    packed // by option: numbers of uses
	optWords  packed // words of the options, sorted
	optWordAt packed // by word: numbers of options
}

// choiceIndexForm identifies the format, and the rules by which words are derived.
const choiceIndexForm = "episodes choices 1"

// PackChoices encodes the index of a graph. state identifies the set of episodes.
func PackChoices(r Reader, state string) ([]byte, error) {
	wordsOf := memoize(keys.Words)
	points, at := []string{}, postings{}
	var unasked []causal.Use
	err := r.Uses(func(u causal.Use) error {
		if u.Point == "" {
			unasked = append(unasked, u)
			return nil
		}
		if n := len(points); n == 0 || points[n-1] != u.Point {
			points = append(points, u.Point)
		}
		for _, text := range append([]string{u.Context, u.Chosen}, u.Rejected...) {
			at.add(len(points)-1, wordsOf(text)...)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the decisions: %w", err)
	}
	if !slices.IsSorted(points) {
		return nil, fmt.Errorf("%w: decision points are out of order", ErrDamaged)
	}
	p := &packer{}
	p.text(choiceIndexForm)
	p.text(state)
	pack(p, points)
	at.pack(p)
	if err := packUnasked(p, unasked, wordsOf); err != nil {
		return nil, err
	}
	return append(p.out, checksum(p.out)...), nil
}

func packUnasked(p *packer, uses []causal.Use, wordsOf func(string) []string) error {
	c := newChoice("", uses)
	data, ids := make([][]byte, len(uses)), make([]string, len(uses))
	naming := postings{}
	for i, u := range uses {
		var err error
		if data[i], err = cbor.Marshal(u); err != nil {
			return fmt.Errorf("encode a decision of %q: %w", u.Episode, err)
		}
		ids[i] = u.Episode
		naming.add(i, append([]string{u.ChosenKey}, c.rejected[i]...)...)
	}
	pack(p, data)
	pack(p, ids)
	naming.pack(p)
	words := postings{}
	for n, o := range c.sorted() {
		for wording := range o.wordings {
			words.add(n, wordsOf(wording)...)
		}
	}
	words.pack(p)
	return nil
}

// postings are ascending numbers by word.
type postings map[string][]int

// add appends a number, not less than those before it, to the lists of words.
func (ps postings) add(n int, words ...string) {
	for _, w := range words {
		if list := ps[w]; len(list) == 0 || list[len(list)-1] != n {
			ps[w] = append(list, n)
		}
	}
}

func (ps postings) pack(p *packer) {
	words := slices.Sorted(maps.Keys(ps))
	lists := make([][]byte, len(words))
	for i, w := range words {
		lists[i] = ascending(ps[w])
	}
	pack(p, words)
	pack(p, lists)
}

func memoize(of func(string) []string) func(string) []string {
	known := map[string][]string{}
	return func(s string) []string {
		out, ok := known[s]
		if !ok {
			out = of(s)
			known[s] = out
		}
		return out
	}
}

func checksum(data []byte) []byte {
	return fmt.Appendf(nil, "%08x", crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
}

// LoadChoices returns the index that PackChoices encoded for the same state; false for
// another state, another format, or damaged bytes.
func LoadChoices(data []byte, state string) (*ChoiceIndex, bool) {
	const sum = 8
	if len(data) < sum || string(checksum(data[:len(data)-sum])) != string(data[len(data)-sum:]) {
		return nil, false
	}
	u := &unpacker{rest: data[:len(data)-sum]}
	if u.text() != choiceIndexForm || u.text() != state {
		return nil, false
	}
	x := &ChoiceIndex{}
	for _, list := range []*packed{&x.points, &x.words, &x.wordAt, &x.uses, &x.episodes, &x.options, &x.naming, &x.optWords, &x.optWordAt} {
		*list = u.list()
	}
	if u.bad || len(u.rest) > 0 || x.words.len() != x.wordAt.len() || x.uses.len() != x.episodes.len() ||
		x.options.len() != x.naming.len() || x.optWords.len() != x.optWordAt.len() {
		return nil, false
	}
	return x, true
}

// PointsWithWord returns the keys of the decision points whose question or options,
// taken or rejected, have a word (as keys.Words gives it), sorted.
func (x *ChoiceIndex) PointsWithWord(word string) ([]string, error) {
	i, ok := x.words.find(word)
	if !ok {
		return nil, nil
	}
	var out []string
	for _, n := range x.wordAt.numbers(i) {
		out = append(out, string(x.points.at(n)))
	}
	return out, nil
}

// unasked returns the decisions without a question that can affect the answer, in order:
// those that name an option that the words could fit, and those that name an option named
// beside such a one.
func (x *ChoiceIndex) unasked(m *matcher, key string) ([]causal.Use, error) {
	read := map[int]causal.Use{}
	options := x.fitting(m, key)
	done := map[int]bool{}
	for range 2 { // options that fit, then those named beside them
		var next []int
		for _, o := range options {
			if done[o] {
				continue
			}
			done[o] = true
			for _, i := range x.naming.numbers(o) {
				if _, ok := read[i]; !ok {
					u := causal.Use{Episode: string(x.episodes.at(i))}
					if err := cbor.Unmarshal(x.uses.at(i), &u); err != nil {
						return nil, fmt.Errorf("%w: a decision of %q: %w", ErrDamaged, u.Episode, err)
					}
					read[i] = u
				}
				next = append(next, x.named(read[i])...)
			}
		}
		options = next
	}
	out := make([]causal.Use, 0, len(read))
	for _, i := range slices.Sorted(maps.Keys(read)) {
		out = append(out, read[i])
	}
	return out, nil
}

// fitting returns the options without a question that the words could fit.
func (x *ChoiceIndex) fitting(m *matcher, key string) (out []int) {
	weight := map[int]float64{}
	for _, w := range m.words {
		if i, ok := x.optWords.find(w); ok {
			for _, o := range x.optWordAt.numbers(i) {
				weight[o] += m.weight[w]
			}
		}
	}
	if o, ok := x.options.find(key); ok {
		weight[o] = m.total
	}
	for o, w := range weight {
		if w >= minFit*m.total*(1-1e-9) {
			out = append(out, o)
		}
	}
	slices.Sort(out)
	return out
}

// named returns the options that a decision names.
func (x *ChoiceIndex) named(u causal.Use) (out []int) {
	for i, k := range append([]string{u.ChosenKey}, u.Rejected...) {
		if i > 0 {
			k = keys.Option(k)
		}
		if o, ok := x.options.find(k); ok {
			out = append(out, o)
		}
	}
	return out
}
