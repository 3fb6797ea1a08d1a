package plain

import "strings"

// maxString is the longest control string that is dropped as one: looking further for
// its end would take long in a text that opens many and closes none.
const maxString = 1024

// escape returns the length of the terminal escape sequence that s begins with,
// or 0 (ECMA-48: ESC or its 8-bit form, then parameters and a final byte; or a
// string up to its terminator). An unfinished sequence extends to the end of s.
func escape(s string) int {
	var kind byte
	switch {
	case len(s) >= 2 && s[0] == 0x1b:
		kind = s[1]
	case s[0] == 0x1b:
		return 1
	case len(s) >= 2 && s[0] == 0xc2 && s[1] >= 0x80 && s[1] <= 0x9f && s[1] != 0x85: // U+0080 to U+009F, except the line end
		kind = s[1] - 0x40
	default:
		return 0
	}
	rest := s[2:]
	switch {
	case kind == '[':
		return 2 + controlSequence(rest)
	case strings.IndexByte("]PX^_", kind) >= 0:
		return 2 + controlString(rest)
	case kind >= 0x80 || kind < 0x20:
		return 1 // ESC before a byte that is not part of a sequence
	}
	return 2 + afterIntermediate(kind, rest)
}

// controlSequence is the length of the parameters and the final byte of a CSI sequence.
func controlSequence(s string) (n int) {
	for n < len(s) && s[n] >= 0x20 && s[n] <= 0x3f {
		n++
	}
	if n < len(s) && s[n] >= 0x40 && s[n] <= 0x7e {
		n++
	}
	return n
}

// controlString is the length of a string with its terminator, if that is on the same
// line: an opening alone must not swallow the rest of a text.
func controlString(s string) (n int) {
	line, _, _ := strings.Cut(s[:min(len(s), maxString)], "\n")
	for _, end := range []string{"\a", "\x1b\\", "\u009c"} {
		if i := strings.Index(line, end); i >= 0 {
			line = line[:i+len(end)]
			n = len(line)
		}
	}
	return n
}

// afterIntermediate is the length of the rest of a sequence after its first byte: more
// intermediate bytes while the previous one is one, then a final byte.
func afterIntermediate(prev byte, s string) (n int) {
	for n < len(s) && s[n] < 0x7f && prev >= 0x20 && prev <= 0x2f {
		prev = s[n]
		n++
	}
	return n
}
