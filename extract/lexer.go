package extract

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// lexer splits texts into words.
type lexer struct {
	words arena[word]
	line  int32           // of the words to come
	low   strings.Builder // holds words that had to be put in lower case
}

// lexers are for texts that belong to no reader. Their words stay where they are.
var lexers = sync.Pool{New: func() any { return newLexer() }}

func newLexer() *lexer { return &lexer{words: arena[word]{size: 256}} }

// lowPiece is how many bytes of words in lower case share one piece of memory.
const lowPiece = 2048

// What a byte may be in a word, as bits.
const (
	inWord  = 1 << iota // a letter or digit
	capital             // a capital letter
	joiner              // may stand inside a word
	wide                // begins a letter beyond ASCII, or is part of one
	unspaced
)

var byteKinds = func() (t [256]uint8) {
	for c := range t {
		switch b := byte(c); {
		case b >= utf8.RuneSelf:
			t[c] = wide
		case b >= 'A' && b <= 'Z':
			t[c] = inWord | capital
		case isWordRune(rune(b)):
			t[c] = inWord
		case b == '\'' || b == '-' || b == '_' || b == '.':
			t[c] = joiner
		}
	}
	return t
}()

// text splits s into words; code is as for newText.
func (l *lexer) text(s string, code [][2]int, lex *lexicon) text {
	free := l.words.room(len(s)/6 + 4)
	words := free[:0]
	low := "" // s in lower case, once asked for
	for i := 0; i < len(s); {
		if byteKinds[s[i]]&(inWord|wide) == 0 {
			i++
			continue
		}
		start, end, kind := i, i, uint8(0)
		for end < len(s) && byteKinds[s[end]]&inWord != 0 { // as most words are, to their end
			kind |= byteKinds[s[end]]
			end++
		}
		if end < len(s) && byteKinds[s[end]]&(joiner|wide) != 0 {
			end, kind = wordEnd(s, i)
		}
		if end == start {
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
			continue
		}
		i = end
		for len(code) > 0 && code[0][1] <= start {
			code = code[1:]
		}
		w := word{s: s[start:end], start: start, end: end, line: l.line, code: len(code) > 0 && start >= code[0][0]}
		if kind&(wide|capital) == 0 {
			words = append(words, w)
			continue
		}
		if kind&wide != 0 {
			if low == "" {
				low = lower(s)
			}
			w.s = low[start:end]
			if kind&unspaced != 0 && !w.code {
				lex.segment(w.s, func(a, b int) {
					words = append(words, word{start: start + a, end: start + b, s: low[start+a : start+b], line: l.line})
				})
				continue
			}
		}
		switch {
		case kind&capital == 0:
		case kind&wide != 0:
			w.s = strings.ToLower(w.s)
		default:
			w.s = l.lower(w.s)
		}
		words = append(words, w)
	}
	n := len(words)
	if n <= len(free) {
		l.words.take(n)
	}
	t := text{s: s, words: words[:n:n], lexer: l}
	t.classify(lex)
	return t
}

// wordEnd is where the word ends that begins at byte i, i itself when none does,
// and the kinds of what it holds.
func wordEnd(s string, i int) (end int, kind uint8) {
	start := i
	for i < len(s) {
		k := byteKinds[s[i]]
		switch {
		case k&inWord != 0:
			kind |= k
			i++
		case k == joiner:
			if i == start || !wordAt(s, i+1) {
				return i, kind
			}
			i++
		case k == wide:
			r, n := utf8.DecodeRuneInString(s[i:])
			if !isWordRune(r) && !(i > start && r == '’' && wordAt(s, i+n)) {
				return i, kind
			}
			kind |= wide
			if isUnspaced(r) {
				kind |= unspaced
			}
			i += n
		default:
			return i, kind
		}
	}
	return i, kind
}

// wordAt reports whether a letter or digit stands at byte i of s.
func wordAt(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	if s[i] < utf8.RuneSelf {
		return byteKinds[s[i]]&inWord != 0
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return isWordRune(r)
}

// lower is a word of ASCII in lower case.
func (l *lexer) lower(w string) string {
	if l.low.Cap()-l.low.Len() < len(w) {
		l.low.Reset() // the words in the old piece keep it
		l.low.Grow(max(len(w), lowPiece))
	}
	from := l.low.Len()
	for i := 0; i < len(w); i++ {
		c := w[i]
		if byteKinds[c]&capital != 0 {
			c |= 0x20
		}
		l.low.WriteByte(c)
	}
	return l.low.String()[from:]
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

// isWordRune reports whether r is a letter or a digit.
func isWordRune(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	case r >= 0x2010 && r <= 0x206f, r >= 0x2190 && r <= 0x2bff, r >= 0x1f000 && r <= 0x1faff:
		return false // punctuation, arrows, marks, pictures: the most frequent ones, told quickly
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// classify gives each word outside code its classes. A phrase marks its first word.
func (t *text) classify(lex *lexicon) {
	for i := range t.words {
		w := &t.words[i]
		if w.code || !lex.mayHold(w.s) {
			continue
		}
		e := lex.entry(w.s)
		if e == nil {
			continue
		}
		w.classes = &e.classes
		for k := range e.phrases {
			if p := &e.phrases[k]; t.follows(i+1, p.rest) {
				all := *w.classes
				all.addAll(p.classes)
				w.classes = &all
			}
		}
		t.classes.addAll(*w.classes)
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
