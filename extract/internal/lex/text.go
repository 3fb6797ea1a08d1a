// Package lex classifies words: the roles that a heading, a label or a column name
// gives to the text it governs, the classes of words in prose, and what can be
// concluded from the words of a text alone.
//
// A Lexicon is built from the vocabulary and a project's additions. It makes Texts,
// whose words are classified. All words are in words.txt, phrases with their punctuation in vocabulary.go.
package lex

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"episodes/episode"
	"episodes/internal/lazy"
)

// Text is one piece of prose: as it is shown, and as words to be judged by.
type Text struct {
	Raw     string
	Words   []Word
	Classes ClassSet // of all its words
	lex     *Lexicon // that classified its words; nil when it has none
}

// Word is a lower-case word of a text. A word of quoted code is marked: it names
// something and says nothing.
type Word struct {
	Lower      string
	Start, End int      // byte offsets in Text.Raw
	Classes    ClassSet // none in code
	Line       int      // of the log; 0 when not known
	Code       bool
}

// Span returns the lines of t, or fallback if t does not know its lines.
func (t Text) Span(fallback episode.Span) episode.Span {
	if len(t.Words) == 0 || t.Words[0].Line == 0 {
		return fallback
	}
	return episode.Span{t.Words[0].Line, t.Words[len(t.Words)-1].Line}
}

// Empty reports whether t has no words.
func (t Text) Empty() bool { return len(t.Words) == 0 }

// Sub returns the part of t between two byte offsets, trimmed of white space and
// of joining punctuation.
func (t Text) Sub(from, to int) Text {
	const edge = " \t\n:,;—–-→"
	s := strings.TrimLeft(t.Raw[from:to], edge)
	from = to - len(s)
	s = strings.TrimRight(s, edge)
	lo := sort.Search(len(t.Words), func(i int) bool { return t.Words[i].Start >= from })
	hi := lo + sort.Search(len(t.Words)-lo, func(i int) bool { return t.Words[lo+i].End > from+len(s) })
	out := Text{Raw: s, Words: slices.Clone(t.Words[lo:hi]), lex: t.lex}
	for i := range out.Words {
		w := &out.Words[i]
		w.Start, w.End = w.Start-from, w.End-from
		out.Classes.addAll(w.Classes)
	}
	return out
}

// FirstRune is the first rune of s.
func FirstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// Has reports whether phrase (lower-case words split by single spaces) occurs in t, outside code.
func (t Text) Has(phrase string) bool {
	for i := range t.Words {
		if t.PhraseAt(i, phrase) {
			return true
		}
	}
	return false
}

// PhraseAt reports whether phrase begins at word i, outside code.
func (t Text) PhraseAt(i int, phrase string) bool {
	for len(phrase) > 0 {
		if i >= len(t.Words) || t.Words[i].Code {
			return false
		}
		w := t.Words[i].Lower
		if !strings.HasPrefix(phrase, w) {
			return false
		}
		switch {
		case len(phrase) == len(w):
			return true
		case phrase[len(w)] != ' ':
			return false
		}
		phrase = phrase[len(w)+1:]
		i++
	}
	return true
}

// First is the first word that is not a number, or "".
func (t Text) First() string {
	for _, w := range t.Words {
		if !IsNumber(w.Lower) {
			return w.Lower
		}
	}
	return ""
}

// IsNumber reports whether s consists of digits and dots.
func IsNumber(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsDigit(r) && r != '.' })
}

// Sentences splits t at full stops, question marks and semicolons that end a
// clause. A dot inside a word or code does not.
func (t Text) Sentences() []Text {
	var out []Text
	from := 0
	for i := 0; i < len(t.Raw); i++ {
		switch t.Raw[i] {
		case '.', '!', '?':
			if i+1 < len(t.Raw) && t.Raw[i+1] != ' ' || t.abbreviated(i) {
				continue
			}
		case ';':
		default:
			continue
		}
		if s := t.Sub(from, i); !s.Empty() {
			out = append(out, s)
		}
		from = i + 1
	}
	if s := t.Sub(from, len(t.Raw)); !s.Empty() {
		out = append(out, s)
	}
	return out
}

func (t Text) abbreviated(dot int) bool {
	s := t.Raw[:dot]
	return slices.ContainsFunc(abbreviations, func(a string) bool {
		return strings.HasSuffix(s, a) && (len(s) == len(a) || !unicode.IsLetter(rune(s[len(s)-len(a)-1])))
	})
}

// Collapse folds white space to single spaces.
func Collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// IsLetter reports whether r is a letter, or any character beyond ASCII but a dash
// or an arrow.
func IsLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f && r != '—' && r != '–' && r != '→'
}

// StartsClause reports whether a clause may begin after s.
func StartsClause(s string) bool {
	s = strings.TrimRight(s, " ")
	return s == "" || strings.ContainsAny(s[len(s)-1:], ".;:,!?)") || clauseOpeners.End(s)
}

// InlineFix finds a clause that says how what is before it was fixed: "Fixed by a retry". It returns where the clause
// starts, its text and its verb; at is -1 if there is none.
func (t Text) InlineFix() (at int, clause, verb Text) {
	m := fixClause().FindStringSubmatchIndex(t.Raw)
	if m == nil {
		return -1, Text{}, Text{}
	}
	return m[2], t.Sub(m[2], len(t.Raw)), t.Sub(m[2], m[3])
}

var fixClause = lazy.Pattern(`(?:^|[.;—–] )((?i:fixed|solved|resolved)) (?:by|with|via) `)
