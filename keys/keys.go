// Package keys derives the key of a fact: facts of different episodes with equal
// keys are the same node of the graph.
//
// A key is made from structure where there is some (an error signature, a rule
// code, an exit status) and otherwise from words: what differs from session to
// session (numbers, hashes, paths, times, references) is masked, stop words are
// dropped, English words are stemmed, and their order is ignored. On real session
// logs this canonical key merges few records but almost never wrong ones;
// similarity beyond it merges wrongly too often to be an identity
// (bench/causal/METHODS.md, section 4).
//
// Every function is pure: the same text always gives the same key.
// Other programs use package episodes: only that is a promise.
package keys

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/kljensen/snowball/english"

	"episodes/internal/lazy"
)

// Version names these rules. A graph built with other rules has other nodes, so
// it must be rebuilt.
//
//	1  the first
//	2  an action described in few words is identified by the names in it
//	3  the comma behind an opening phrase ends no clause
const Version = 3

// minInformative is the number of tokens a masked key needs to be an identity.
// Below it, masking has removed what the text is about ("Created <path>"), and the
// unmasked words are used too.
const minInformative = 2

// Canonical returns the key of free text: masked, without stop words, stemmed,
// its distinct tokens sorted. Text without any word gives "".
func Canonical(text string) string {
	masked := Mask(text)
	toks := informative(masked, true)
	if len(toks) < minInformative {
		toks = append(toks, informative(text, false)...)
	}
	return join(toks)
}

func join(toks []string) string {
	slices.Sort(toks)
	return strings.Join(slices.Compact(toks), " ")
}

// Words returns the search tokens of text: lower-case, without stop words,
// stemmed, in order, without duplicates. Nothing is masked, so that one can ask for
// a hash or a file name.
func Words(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range informative(text, false) {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// Shared returns how many of the words are among others; both as Words gives them.
func Shared(words, others []string) (n int) {
	for _, w := range words {
		if slices.Contains(others, w) {
			n++
		}
	}
	return n
}

// informative splits text into tokens worth keeping. With dropMasks, the marks
// that Mask leaves are dropped.
func informative(text string, dropMasks bool) []string {
	out := make([]string, 0, len(text)/8+1)
	EachToken(text, func(f string) {
		if strings.HasPrefix(f, "‹") {
			if !dropMasks {
				out = append(out, f)
			}
			return
		}
		if w := Word(f); w != "" {
			out = append(out, w)
		}
	})
	return out
}

// EachToken calls f with the tokens of text in order, unchanged.
func EachToken(text string, f func(token string)) {
	if strings.Contains(strings.ToLower(text), "out") { // most texts need no search
		text = timeout().ReplaceAllString(text, "timeout")
	}
	for token := range strings.FieldsFuncSeq(text, separator) {
		f(token)
	}
}

// Word normalizes a token for comparison: lower case, without punctuation around it,
// stemmed; "" for stop words and tokens without a letter or digit.
func Word(token string) string {
	w := strings.ToLower(strings.Trim(token, ".-_'’"))
	if stop[w] || !strings.ContainsFunc(w, isWordRune) {
		return ""
	}
	return Stem(w)
}

// timeout matches "time out" in its forms, which logs also write as one word.
var timeout = lazy.Pattern(`(?i)\btim(?:e|es|ed|ing)[ -]out\b`)

func separator(r rune) bool { return !isWordRune(r) && !strings.ContainsRune("._-'’‹›", r) }

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Stem reduces an English word to its stem (Porter2); other words and words
// with digits or marks inside are returned unchanged.
func Stem(w string) string {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	if s, ok := stems.Load(w); ok {
		return s.(string)
	}
	s := english.Stem(w, true)
	if stemCount.Add(1) <= maxStems {
		stems.Store(strings.Clone(w), s)
	}
	return s
}

// Begins is how each word begins that has a stem, so that others can be passed over unread.
func Begins(stem string) string {
	switch {
	case strings.ContainsFunc(stem, func(r rune) bool { return r < 'a' || r > 'z' }):
		return stem
	case stem == "timeout": // see EachToken
		return "tim"
	case len(stem) < 4: // such as die of dying
		return stem[:1]
	}
	return stem[:len(stem)-2]
}

// stems caches stems by word: stemming is most of the work on a text, and texts
// share their words. maxStems bounds it, since a hostile text has no end of words.
var (
	stems     sync.Map
	stemCount atomic.Int64
)

const maxStems = 1 << 16

// Similarity is the Jaccard similarity of the token sets of two keys, 0 to 1.
func Similarity(a, b string) float64 {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	set := make(map[string]bool, len(x))
	for _, t := range x {
		set[t] = true
	}
	shared := 0
	seen := make(map[string]bool, len(y))
	for _, t := range y {
		if !seen[t] && set[t] {
			shared++
		}
		seen[t] = true
	}
	return float64(shared) / float64(len(set)+len(seen)-shared)
}

// stop are the stop words. Negations and words of contrast are not among them:
// "not", "no", "without", "never", "before" and "after" change the meaning.
var stop = SetOf(`a an and any are as at be been being but by can did do does for from had has have he
	her here him his i if in into is it its itself just may me might mine my of on onto or our ours
	own same shall she should so some such than that the their theirs them then there these they this
	those to too us very was we were what which while who whom whose will with would you your yours
	also already still now again yet via per`)

// SetOf returns the set of the words of a list.
func SetOf(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
