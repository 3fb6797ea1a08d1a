package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable makes text from a log safe to print on one line: terminal escape
// sequences, control characters and marks that reorder text are dropped, white
// space is folded, and bytes that are not UTF-8 become U+FFFD.
func Printable(s string) string { return strings.Join(strings.Fields(strip(s)), " ") }

// strip does the same but keeps white space, each as one space.
func strip(s string) string {
	var b strings.Builder
	for s != "" {
		if n := escape(s); n > 0 {
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		switch {
		case unicode.IsSpace(r): // before control characters, since some are both
			b.WriteByte(' ')
		case !unicode.IsControl(r) && !invisible(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// invisible reports marks that change how the text around them is shown: those
// of bidirectional writing, which can make a line read as another, and the line
// and byte order marks.
func invisible(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff ||
		r >= 0xe0000 && r <= 0xe007f // tags: a text within the text that nobody sees
}

// escape returns the length of the terminal escape sequence that s begins with,
// or 0 (ECMA-48: ESC or its 8-bit form, then parameters and a final byte; or a
// string up to its terminator). A sequence that is not finished ends with s.
func escape(s string) int {
	var kind byte
	n := 0
	switch {
	case len(s) >= 2 && s[0] == 0x1b:
		kind, n = s[1], 2
	case s[0] == 0x1b:
		return 1
	case len(s) >= 2 && s[0] == 0xc2 && s[1] >= 0x80 && s[1] <= 0x9f && s[1] != 0x85: // U+0080 to U+009F, but for the line end
		kind, n = s[1]-0x40, 2
	default:
		return 0
	}
	switch kind {
	case '[':
		for n < len(s) && s[n] >= 0x20 && s[n] <= 0x3f {
			n++
		}
		if n < len(s) && s[n] >= 0x40 && s[n] <= 0x7e {
			n++
		}
	case ']', 'P', 'X', '^', '_':
		// Only a string that is closed on its own line is taken out whole: an
		// opening alone must not swallow the rest of a text.
		line, _, _ := strings.Cut(s[n:], "\n")
		for _, end := range []string{"\a", "\x1b\\", "\u009c"} {
			if i := strings.Index(line, end); i >= 0 {
				line = line[:i+len(end)]
			}
		}
		if strings.HasSuffix(line, "\a") || strings.HasSuffix(line, "\x1b\\") || strings.HasSuffix(line, "\u009c") {
			n += len(line)
		}
	default:
		if kind >= 0x80 || kind < 0x20 {
			return 1 // ESC before something that is no part of a sequence
		}
		for n < len(s) && s[n] < 0x7f && s[n-1] >= 0x20 && s[n-1] <= 0x2f { // intermediate bytes, then one final
			n++
		}
	}
	return n
}
