package lex

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text splits s into words and classifies them.
func (l *Lexicon) Text(s string) Text { return l.TextWithCode(s, nil) }

// TextWithCode is text for a string that quotes code: pairs of byte offsets, in
// order, say where.
func (l *Lexicon) TextWithCode(s string, code [][2]int) Text {
	if s == "" {
		return Text{}
	}
	words := make([]Word, 0, len(s)/6+2)
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
			low := Lower(w)
			l.segment(low, func(a, b int) {
				words = append(words, Word{Lower: low[a:b], Start: start + a, End: start + b})
			})
			continue
		}
		words = append(words, Word{Lower: strings.ToLower(w), Start: start, End: end, Code: inCode})
	}
	t := Text{Raw: s, Words: words, lex: l}
	t.classify()
	return t
}

// wordEnd is where the word ends that begins at byte i, i itself when none does.
// Apostrophes, hyphens, underscores and dots may occur inside a word.
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

// wordAt reports whether a letter or digit is at byte i of s.
func wordAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return isWordRune(r)
}

// isWordRune reports whether r is a letter or a digit.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Lower is s in lower case with every letter at the same offset: letters whose
// lower case has another length stay.
func Lower(s string) string {
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, s)
}

// classify gives each word outside code its classes. A phrase marks its first word.
func (t *Text) classify() {
	for i := range t.Words {
		w := &t.Words[i]
		if w.Code {
			continue
		}
		e := t.lex.words[w.Lower]
		w.Classes = e.classes
		for _, p := range e.phrases {
			if t.follows(i+1, p.rest) {
				w.Classes.addAll(p.classes)
			}
		}
		if next := i + 1; w.Classes.Has(ClassPass) && next < len(t.Words) && t.Words[next].Lower == "false" {
			w.Classes.drop(ClassPass) // "passed: false"
		}
		t.Classes.addAll(w.Classes)
	}
}

// follows reports whether the words from i on are those given, outside code.
func (t *Text) follows(i int, words []string) bool {
	if i+len(words) > len(t.Words) {
		return false
	}
	for k, w := range words {
		if t.Words[i+k].Code || t.Words[i+k].Lower != w {
			return false
		}
	}
	return true
}
