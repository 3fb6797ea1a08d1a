// Package keys gives facts the identity under which they meet across episodes.
//
// A key is made from structure where there is some (an error signature, a rule
// code, an exit status) and otherwise from words: what differs from session to
// session (numbers, hashes, paths, times, references) is masked, stop words go,
// English words are stemmed, and order is dropped. On real session logs this
// canonical key merges few records but merges them purely; similarity beyond it
// merges wrongly too often to be an identity (bench/causal/METHODS.md, section 4).
//
// Every function is pure: the same text always gives the same key.
package keys

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Version names these rules. A graph built with other rules has other nodes, so
// it must be rebuilt.
//
//	1  the first
//	2  a deed told in few words is known by the names in it
const Version = 2

// minInformative is the number of tokens a masked key needs to be an identity.
// Below it, masking has eaten what the text is about ("Created <path>"), and the
// masked words are kept instead.
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
// stemmed, in order, with repeats removed. Masked parts are kept as they stand,
// so that a hash or a file name can be asked for.
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

// EachToken calls f with the tokens of text in order, as they stand.
func EachToken(text string, f func(token string)) {
	if mayTimeOut(text) {
		text = timeout.ReplaceAllString(text, "timeout")
	}
	for i := 0; i < len(text); {
		n := tokenLen(text[i:])
		if n > 0 {
			f(text[i : i+n])
			i += n
			continue
		}
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, n = utf8.DecodeRuneInString(text[i:])
		i += n
	}
}

// tokenLen is the length of the token that opens s, 0 when none does.
func tokenLen(s string) int {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			if !asciiToken[s[i]] {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if separator(r) {
			return i
		}
		i += n
	}
	return len(s)
}

// Word reduces a token to what is compared: lower case, without marks around it,
// stemmed; "" when it carries no fact.
func Word(token string) string {
	for i := 0; i < len(token); i++ {
		if !isLetter(token[i]) {
			return reduce(token) // a number, a name: seldom met again
		}
	}
	return tokens.of(token)
}

func reduce(token string) string {
	if token == "" {
		return ""
	}
	w := token
	if !asciiWord[w[0]] || !asciiWord[w[len(w)-1]] {
		w = strings.Trim(w, ".-_'’")
	}
	w = strings.ToLower(w)
	if w == "" || len(w) <= longestStop && stop[w] || !asciiWord[w[0]] && !strings.ContainsFunc(w, isWordRune) {
		return ""
	}
	return Stem(w)
}

// asciiWord are the bytes that are letters or digits by themselves.
var asciiWord = func() (t [256]bool) {
	for c := range utf8.RuneSelf {
		t[c] = isWordRune(rune(c))
	}
	return t
}()

var asciiToken = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = !separator(rune(c))
	}
	return t
}()

// timeout is a verb in two words that logs also write as a noun.
var timeout = regexp.MustCompile(`(?i)\btim(?:e|es|ed|ing)[ -]out\b`)

// mayTimeOut spares most texts the regular expression: it looks for "out" after
// a space or hyphen and one of the letters before it.
func mayTimeOut(s string) bool {
	for i := 5; i+2 < len(s); i++ {
		if s[i]|0x20 != 'o' || s[i-1] != ' ' && s[i-1] != '-' || s[i+1]|0x20 != 'u' || s[i+2]|0x20 != 't' {
			continue
		}
		switch s[i-2] | 0x20 {
		case 'e', 's', 'd', 'g':
			return true
		}
	}
	return false
}

func separator(r rune) bool {
	if isWordRune(r) {
		return false
	}
	switch r {
	case '.', '_', '-', '\'', '’', '‹', '›':
		return false
	}
	return true
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Stem reduces an English word to its stem (Porter2); other words and words
// with digits or marks inside are returned unchanged.
func Stem(w string) string {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	return stems.of(w)
}

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

// stop holds words that carry no fact. Negations and the words of contrast are
// not among them: "not", "no", "without", "never", "before" and "after" change
// what is said.
var stop = setOf(`a an and any are as at be been being but by can did do does for from had has have he
	her here him his i if in into is it its itself just may me might mine my of on onto or our ours
	own same shall she should so some such than that the their theirs them then there these they this
	those to too us very was we were what which while who whom whose will with would you your yours
	also already still now again yet via per`)

// longestStop is the length of the longest of them.
var longestStop = func() int {
	n := 0
	for w := range stop {
		n = max(n, len(w))
	}
	return n
}()

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
