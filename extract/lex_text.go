package extract

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"episodes/episode"
)

// text is one piece of prose: as it is shown, and as words to be judged by.
type text struct {
	s       string
	words   []word
	classes classSet // of all its words
	lex     *lexicon // that classified its words; nil when it has none
}

// word is a lower-case word of a text. A word of quoted code is marked: it names
// something and says nothing.
type word struct {
	s          string
	start, end int      // in text.s
	classes    classSet // none in code
	line       int      // of the log; 0 when not known
	code       bool
}

// span is the range of lines on which t stands, or the fallback when it does not know.
func (t text) span(fallback episode.Span) episode.Span {
	if len(t.words) == 0 || t.words[0].line == 0 {
		return fallback
	}
	return episode.Span{t.words[0].line, t.words[len(t.words)-1].line}
}

func (t text) empty() bool { return len(t.words) == 0 }

// sub returns the part of t between two byte offsets, trimmed of white space and
// of joining punctuation.
func (t text) sub(from, to int) text {
	const edge = " \t\n:,;—–-→"
	s := strings.TrimLeft(t.s[from:to], edge)
	from = to - len(s)
	s = strings.TrimRight(s, edge)
	lo := sort.Search(len(t.words), func(i int) bool { return t.words[i].start >= from })
	hi := lo + sort.Search(len(t.words)-lo, func(i int) bool { return t.words[lo+i].end > from+len(s) })
	out := text{s: s, words: slices.Clone(t.words[lo:hi]), lex: t.lex}
	for i := range out.words {
		w := &out.words[i]
		w.start, w.end = w.start-from, w.end-from
		out.classes.addAll(w.classes)
	}
	return out
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// find returns the index of the first word at which phrase (lower-case words
// split by single spaces) stands outside code, or -1.
func (t text) find(phrase string) int {
	for i := range t.words {
		if t.phraseAt(i, phrase) {
			return i
		}
	}
	return -1
}

func (t text) has(phrase string) bool { return t.find(phrase) >= 0 }

// phraseAt reports whether phrase begins at word i, outside code.
func (t text) phraseAt(i int, phrase string) bool {
	for len(phrase) > 0 {
		if i >= len(t.words) || t.words[i].code {
			return false
		}
		w := t.words[i].s
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

// first is the first word that is not a number, or "".
func (t text) first() string {
	for _, w := range t.words {
		if !isNumber(w.s) {
			return w.s
		}
	}
	return ""
}

func isNumber(s string) bool {
	for _, r := range s {
		if !unicode.IsDigit(r) && r != '.' {
			return false
		}
	}
	return s != ""
}

// sentences splits t at full stops, question marks and semicolons that end a
// clause. A dot inside a word or code does not.
func (t text) sentences() []text {
	var out []text
	from := 0
	for i := 0; i < len(t.s); i++ {
		switch t.s[i] {
		case '.', '!', '?':
			if i+1 < len(t.s) && t.s[i+1] != ' ' || t.abbreviated(i) {
				continue
			}
		case ';':
		default:
			continue
		}
		if s := t.sub(from, i); !s.empty() {
			out = append(out, s)
		}
		from = i + 1
	}
	if s := t.sub(from, len(t.s)); !s.empty() {
		out = append(out, s)
	}
	return out
}

func (t text) abbreviated(dot int) bool {
	s := t.s[:dot]
	for _, a := range []string{"e.g", "i.e", "vs", "etc", "approx", "cf", "no", "bzw", "z.B", "t.ex", "bijv"} {
		if strings.HasSuffix(s, a) && (len(s) == len(a) || !unicode.IsLetter(rune(s[len(s)-len(a)-1]))) {
			return true
		}
	}
	return false
}

// collapse folds white space to single spaces.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

func isLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f && r != '—' && r != '–' && r != '→'
}

// startsClause reports whether a clause may begin after s.
func startsClause(s string) bool {
	s = strings.TrimRight(s, " ")
	return s == "" || strings.ContainsAny(s[len(s)-1:], ".;:,!?)") || strings.HasSuffix(s, " same") || strings.HasSuffix(s, " the")
}
