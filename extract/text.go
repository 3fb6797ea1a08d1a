package extract

import (
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
}

// word is a lower-case word of a text. A word of quoted code is marked: it names
// something and says nothing.
type word struct {
	s          string
	start, end int // in text.s
	line       int // of the log; 0 when not known
	code       bool
	classes    classSet // none in code
}

// newText splits s into words. Byte ranges of code are given as pairs of offsets,
// in order.
func newText(s string, code [][2]int) text {
	t := text{s: s}
	if s == "" {
		return t
	}
	t.words = make([]word, 0, len(s)/6+3)
	lex := lexiconInUse()
	low := s
	if !isASCII(s) {
		low = lower(s)
	}
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf && !asciiWord[c] {
			i++
			continue
		}
		start := i
		end, capitals, unspaced := wordEnd(s, i)
		if end == start {
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
			continue
		}
		i = end
		for len(code) > 0 && code[0][1] <= start {
			code = code[1:]
		}
		w := word{start: start, end: end, s: low[start:end], code: len(code) > 0 && start >= code[0][0]}
		switch {
		case unspaced && !w.code:
			lex.segment(w.s, func(a, b int) {
				t.words = append(t.words, word{start: start + a, end: start + b, s: low[start+a : start+b]})
			})
			continue
		case capitals:
			w.s = strings.ToLower(w.s)
		}
		t.words = append(t.words, w)
	}
	t.classify(lex)
	return t
}

// wordEnd is where the word ends that begins at byte i, i itself when none does;
// whether it has ASCII capitals, and letters of a script without spaces.
func wordEnd(s string, i int) (end int, capitals, unspaced bool) {
	start := i
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if !asciiWord[c] && !(i > start && joins(c) && wordAt(s, i+1)) {
				break
			}
			capitals = capitals || c >= 'A' && c <= 'Z'
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isWordRune(r) && !(i > start && r == '’' && wordAt(s, i+n)) {
			break
		}
		unspaced = unspaced || isUnspaced(r)
		i += n
	}
	return i, capitals, unspaced
}

// asciiWord are the bytes that words are made of.
var asciiWord = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = isWordRune(rune(c))
	}
	return t
}()

// joins reports whether c may stand inside a word.
func joins(c byte) bool { return c == '\'' || c == '-' || c == '_' || c == '.' }

// wordAt reports whether a letter or digit stands at byte i of s.
func wordAt(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	if s[i] < utf8.RuneSelf {
		return asciiWord[s[i]]
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return isWordRune(r)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lower is s in lower case with every byte in its place: letters whose lower
// case has another length stay.
func lower(s string) string {
	low := strings.ToLower(s)
	if len(low) == len(s) {
		return low
	}
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, s)
}

// classify gives each word outside code its classes. A phrase marks its first word.
func (t *text) classify(lex *lexicon) {
	for i := range t.words {
		w := &t.words[i]
		if w.code {
			continue
		}
		if !lex.mayHold(w.s) {
			continue
		}
		e, ok := lex.words[w.s]
		if !ok {
			continue
		}
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

// span is the range of lines on which t stands, or the fallback when it does not know.
func (t text) span(fallback episode.Span) episode.Span {
	if len(t.words) == 0 || t.words[0].line == 0 {
		return fallback
	}
	return episode.Span{t.words[0].line, t.words[len(t.words)-1].line}
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func plain(s string) text { return newText(s, nil) }

func (t text) empty() bool { return len(t.words) == 0 }

// sub returns the part of t between two byte offsets, trimmed of white space and
// of joining punctuation.
func (t text) sub(from, to int) text {
	const edge = " \t\n:,;—–-→"
	for from < to && strings.ContainsRune(edge, firstRune(t.s[from:to])) {
		from += utf8.RuneLen(firstRune(t.s[from:to]))
	}
	s := strings.TrimRight(t.s[from:to], edge)
	lo := sort.Search(len(t.words), func(i int) bool { return t.words[i].start >= from })
	hi := lo + sort.Search(len(t.words)-lo, func(i int) bool { return t.words[lo+i].end > from+len(s) })
	out := text{s: s, words: t.words[lo:hi:hi]}
	if from > 0 {
		out.words = make([]word, hi-lo)
	}
	for i, w := range t.words[lo:hi] {
		if from > 0 {
			w.start, w.end = w.start-from, w.end-from
			out.words[i] = w
		}
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
