package query

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"episodes/keys"
)

const (
	// minFit is the least fit at which words name something: half of the words asked
	// for, by weight.
	minFit = 0.5
	// closeFit is the share of the best fit from which another candidate fits almost
	// equally well.
	closeFit = 0.85
	// extraWord is the penalty for a word of the label that was not asked for; a missing
	// word costs 1. It lets the shorter of two labels win, without making long labels
	// unreachable.
	extraWord = 0.1
	// maxReads bounds the labels that are read for one question. Only words too common to
	// name anything reach it.
	maxReads = 1000
)

// matcher measures how well labels fit the words that were asked for. A word
// weighs its inverse document frequency ln(1 + N/df), so that rare words decide
// (Spärck Jones 1972, J. Doc. 28:11); the fit is Tversky's index (Tversky 1977,
// Psychol. Rev. 84:327) over these weights, 0 to 1: the weight of the shared
// words over the weight of all words asked for plus a little for every other
// word of the label.
type matcher struct {
	words  []string
	weight map[string]float64
	total  float64 // of all words
}

// candidate is an id that shares words with the question.
type candidate struct {
	id    string
	bound float64 // no label of this candidate can fit better
}

// newMatcher reads, for every word of text, the ids that have it, and returns
// them all, best bound first. of is the number of all ids.
func newMatcher(text string, of int, withWord func(string) ([]string, error)) (*matcher, []candidate, error) {
	m := &matcher{words: keys.Words(text), weight: map[string]float64{}}
	found := map[string]float64{}
	for _, w := range m.words {
		ids, err := withWord(w)
		if err != nil {
			return nil, nil, err
		}
		m.weight[w] = math.Log1p(float64(max(of, len(ids), 1)) / float64(max(len(ids), 1)))
		m.total += m.weight[w]
		for _, id := range ids {
			found[id] += m.weight[w]
		}
	}
	cands := make([]candidate, 0, len(found))
	for id, w := range found {
		cands = append(cands, candidate{id, w / m.total})
	}
	slices.SortFunc(cands, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.bound, a.bound), strings.Compare(a.id, b.id))
	})
	return m, cands, nil
}

// spaced splits the hyphenated words of text that no label has: "release-the-lock" asks
// for "release the lock". Words with a part without letters, such as a date, stay.
func spaced(text string, withWord func(string) ([]string, error)) (string, error) {
	if !strings.ContainsAny(text, "-_") {
		return text, nil
	}
	fields := strings.Fields(text)
	for i, f := range fields {
		words := keys.Words(f)
		if len(words) != 1 || !strings.ContainsAny(words[0], "-_") {
			continue
		}
		parts := strings.FieldsFunc(f, func(r rune) bool { return r == '-' || r == '_' })
		if slices.ContainsFunc(parts, func(p string) bool { return !strings.ContainsFunc(p, unicode.IsLetter) }) {
			continue
		}
		ids, err := withWord(words[0])
		if err != nil {
			return "", err
		}
		if len(ids) == 0 {
			fields[i] = strings.Join(parts, " ")
		}
	}
	return strings.Join(fields, " "), nil
}

// fit returns how well a label fits, 0 to 1; 1 is an exact one.
func (m *matcher) fit(label string) float64 {
	if len(m.words) == 0 {
		return 0
	}
	have := keys.Words(label)
	shared, n := 0.0, 0
	for _, w := range m.words {
		if slices.Contains(have, w) {
			shared += m.weight[w]
			n++
		}
	}
	mean := m.total / float64(len(m.words))
	return shared / (m.total + extraWord*mean*float64(len(have)-n))
}

// without returns the words that a text does not have.
func (m *matcher) without(text string) []string {
	have := keys.Words(text)
	return slices.DeleteFunc(slices.Clone(m.words), func(w string) bool { return slices.Contains(have, w) })
}
