package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is the largest number of combining marks on one base. Vietnamese takes two,
// pointed Hebrew and Tibetan up to four.
const maxMarks = 4

// Text filters a text of several lines. Line ends become "\n", tabs stay.
func Text(s string) string { return run(s, true) }

// Line filters a text and puts it on one line: each white space becomes a space.
func Line(s string) string { return run(s, false) }

// Words is Line with single spaces, and none at the ends.
func Words(s string) string { return strings.Join(strings.Fields(Line(s)), " ") }

// filter holds what is written so far, as far as the next character depends on it.
type filter struct {
	strings.Builder
	lines bool // keep line ends and tabs
	base  rune // to combine with, or 0
	last  rune
	marks int // on the base
}

func run(s string, lines bool) string {
	if readable(s, lines) == len(s) {
		return s
	}
	f := &filter{lines: lines}
	for s != "" {
		if n := readable(s, lines); n > 1 { // but for the last one, which may be a base
			f.WriteString(s[:n-1])
			s = s[n-1:]
		}
		if n := escape(s); n > 0 {
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		rest := s[n:]
		switch {
		case r == utf8.RuneError && n == 1:
			for invalid(rest) { // one for a run
				rest = rest[1:]
			}
			f.replace()
		case r == '\r' && lines && strings.HasPrefix(rest, "\n"):
		case unicode.IsSpace(r): // before control characters, since some are both
			f.space(r)
		default:
			f.add(r, rest)
		}
		s = rest
	}
	return f.String()
}

// readable is the length of the part of s, from its beginning, that is plain ASCII.
func readable(s string, lines bool) int {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && !(lines && (c == '\n' || c == '\t')) {
			return i
		}
	}
	return len(s)
}

func invalid(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return r == utf8.RuneError && n == 1 // 0 at the end
}

func (f *filter) put(r rune) {
	f.WriteRune(r)
	f.last = r
}

func (f *filter) begin(base rune) {
	f.put(base)
	f.base, f.marks = base, 0
}

func (f *filter) replace() {
	f.begin(utf8.RuneError)
	f.base = 0
}

func (f *filter) space(r rune) {
	switch {
	case !f.lines:
		r = ' '
	case r == '\r':
		r = '\n'
	case r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029:
		r = ' '
	}
	f.begin(r)
	f.base = 0
}

// add adds a character that is no white space; rest is what follows it.
func (f *filter) add(r rune, rest string) {
	switch {
	case r < 0x300: // most characters
		if !unicode.IsControl(r) && r != 0xad {
			f.begin(r)
		}
	case r == zwj || r == zwnj:
		next, _ := utf8.DecodeRuneInString(rest)
		if r == zwj && emoji(f.base) && (f.last == f.base || f.last == 0xfe0f) && emoji(next) ||
			unicode.IsOneOf(letterOrMark, f.last) && joins(f.last) && unicode.IsLetter(next) && joins(next) {
			f.put(r)
		}
	case unicode.Is(unicode.Variation_Selector, r):
		if f.last == f.base && takes(f.base, r, rest) {
			f.put(r)
		}
	case ignorable(r):
	case unicode.IsMark(r):
		if f.marks++; f.base != 0 && (f.marks <= maxMarks || unicode.Is(unicode.Mc, r)) {
			f.put(r)
		}
	case unicode.IsGraphic(r) || unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		r >= 0x1f000 && r <= 0x1faff: // also emoji yet to come
		f.begin(r)
	default:
		f.replace()
	}
}

const zwnj, zwj = 0x200c, 0x200d

var letterOrMark = []*unicode.RangeTable{unicode.L, unicode.M}

// ignorable reports whether r is a character that is shown as nothing.
func ignorable(r rune) bool {
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || r == 0x2800 || // a braille cell without dots
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// Hidden is the length of the escape sequence, or of the character that is shown as nothing, that s
// begins with, or 0.
func Hidden(s string) int {
	if n := escape(s); n > 0 {
		return n
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == 0xad || r >= 0x300 && (ignorable(r) || unicode.Is(unicode.Variation_Selector, r)) {
		return n
	}
	return 0
}

// emoji reports whether r may be part of an emoji of several characters.
func emoji(r rune) bool {
	return r >= 0x2190 && (unicode.In(r, unicode.So, unicode.Sk) || r == 0x2194) && r != utf8.RuneError
}

// joins reports whether r is of a script in which joiners change how letters are written.
func joins(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
		unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
		unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// takes reports whether a base takes a variation selector (Unicode, StandardizedVariants,
// emoji-variation-sequences and the Ideographic Variation Database).
func takes(base, selector rune, rest string) bool {
	switch {
	case selector >= 0xe0100:
		return unicode.Is(unicode.Ideographic, base)
	case selector == 0xfe0e || selector == 0xfe0f:
		if base < 0x80 {
			return strings.ContainsRune("0123456789#*", base) && strings.HasPrefix(rest, "\u20e3") // a keycap
		}
		return unicode.In(base, unicode.So, unicode.Sm) || strings.ContainsRune("‼⁉ℹ〰", base)
	case selector >= 0xfe00 && selector <= 0xfe02:
		return unicode.In(base, unicode.Ideographic, unicode.Sm)
	}
	return false
}

// Plural counts things in words: 1 episode, 2 episodes.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
