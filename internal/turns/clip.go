package turns

import (
	"strings"
	"unicode/utf8"
)

// MaxText is the maximum size of one text, in bytes. The middle of a longer text is dropped,
// since error messages are at the beginning or at the end of an output.
const MaxText = 16 << 10

// longestWord is how much may be a part of a word where a text is cut.
const longestWord = 100

const cutMark = "\n[…]\n"

// Clip keeps the beginning and the end of a long text, at most MaxText bytes of valid
// UTF-8, without colours and other escape sequences of terminals.
func Clip(s string) string {
	return strings.ToValidUTF8(stripEscapes(Ends(s, MaxText)), "\uFFFD")
}

// Ends is the beginning and the end of a text, at most n bytes of it, cut between words that are not longer than
// longestWord; "" if n has no room for both.
func Ends(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if n < 2*len(cutMark) {
		return ""
	}
	tail := s[len(s)-n/2+len(cutMark):]
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	if space := strings.IndexAny(tail, " \n"); 0 < space && space < longestWord {
		tail = tail[space:]
	}
	return head(s, n) + cutMark + tail
}

// head is how Ends begins.
func head(s string, n int) string {
	start := Start(s, n/2)
	if space := strings.LastIndexAny(start, " \n"); space > max(0, len(start)-longestWord) {
		return start[:space]
	}
	return start
}

// between is where the part of s begins and ends that its Ends with at most n bytes do not have, in lines.
func between(s, ends string, n int) (from, to int) {
	begins := head(s, n)
	return strings.Count(begins, "\n"), strings.Count(s, "\n") - strings.Count(ends[len(begins)+len(cutMark):], "\n")
}

// EndsInPlace is Ends where each line of s is the same line of the result; those that are left out are empty.
func EndsInPlace(s string, n int) string {
	ends := Ends(s, n)
	if len(ends) == len(s) || ends == "" {
		return ends
	}
	begins, mark := head(s, n), " […] "
	if from, to := between(s, ends, n); from < to {
		mark = " […]" + strings.Repeat("\n", to-from)
	}
	return begins + mark + ends[len(begins)+len(cutMark):]
}

// stripEscapes removes ANSI escape sequences (ECMA-48: CSI and OSC) and the text that a
// carriage return overwrites.
func stripEscapes(s string) string {
	if !strings.ContainsAny(s, "\x1b\r") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\x1b':
			i += escapeLen(s[i:])
		case s[i] == '\r' && i+1 < len(s) && s[i+1] != '\n': // a progress bar writes over itself
			out := b.String()
			b.Reset()
			b.WriteString(out[:strings.LastIndexByte(out, '\n')+1])
			i++
		case s[i] == '\r':
			i++
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

func escapeLen(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
		}
		return len(s)
	case ']':
		if end := strings.IndexAny(s[2:], "\a\x1b"); end >= 0 {
			return 2 + end + 1
		}
		return len(s)
	}
	return 2
}

// Start is the beginning of a text, at most n bytes of it, cut between characters.
func Start(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
