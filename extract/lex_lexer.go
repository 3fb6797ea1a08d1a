package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// text splits s into words and classifies them.
func (l *lexicon) text(s string) text { return l.textWithCode(s, nil) }

// textWithCode is text for a string that quotes code: pairs of byte offsets, in
// order, say where.
func (l *lexicon) textWithCode(s string, code [][2]int) text {
	if s == "" {
		return text{}
	}
	words := make([]word, 0, len(s)/6+2)
	for i := 0; i < len(s); {
		start, end := i, wordEnd(s, i)
		if end == start {
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
			continue
		}
		i = end
		for len(code) > 0 && code[0][1] <= start {
			code = code[1:]
		}
		w := s[start:end]
		inCode := len(code) > 0 && start >= code[0][0]
		if !inCode && strings.ContainsFunc(w, isUnspaced) {
			low := lower(w)
			l.segment(low, func(a, b int) {
				words = append(words, word{s: low[a:b], start: start + a, end: start + b})
			})
			continue
		}
		words = append(words, word{s: strings.ToLower(w), start: start, end: end, code: inCode})
	}
	t := text{s: s, words: words, lex: l}
	t.classify()
	return t
}

// wordEnd is where the word ends that begins at byte i, i itself when none does.
// An apostrophe, a hyphen, an underscore or a dot may stand inside a word.
func wordEnd(s string, i int) int {
	start := i
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		joins := i > start && strings.ContainsRune("'-_.’", r)
		if !isWordRune(r) && !(joins && wordAt(s, i+n)) {
			break
		}
		i += n
	}
	return i
}

// wordAt reports whether a letter or digit stands at byte i of s.
func wordAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return isWordRune(r)
}

// isWordRune reports whether r is a letter or a digit.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// lower is s in lower case with every letter at the same offset: letters whose
// lower case has another length stay.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, s)
}

// classify gives each word outside code its classes. A phrase marks its first word.
func (t *text) classify() {
	for i := range t.words {
		w := &t.words[i]
		if w.code {
			continue
		}
		e := t.lex.words[w.s]
		w.classes = e.classes
		for _, p := range e.phrases {
			if t.follows(i+1, p.rest) {
				w.classes.addAll(p.classes)
			}
		}
		t.classes.addAll(w.classes)
	}
}

// follows reports whether the words from i on are those given, outside code.
func (t *text) follows(i int, words []string) bool {
	if i+len(words) > len(t.words) {
		return false
	}
	for k, w := range words {
		if t.words[i+k].code || t.words[i+k].s != w {
			return false
		}
	}
	return true
}
