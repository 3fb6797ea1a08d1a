package redact

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"episodes/internal/plain"
)

// What is read again around a code, in bytes.
const (
	beforeCode = 256
	afterCode  = 1024

	mostSlashes = 32 // of JSON in JSON in JSON
)

var (
	codeByte   = bytesOf("\x80\xf4", "\\%&=\x1b")
	markedByte = bytesOf("azAZ09", "#")
)

// coded reads again, as a reader sees it, what stands around characters that are written as codes or
// not shown at all, and takes the secrets that are found only so.
func (sc *scan) coded() {
	s := sc.orig
	for at := 0; at < len(s) && sc.depth < maxDepth; {
		first := at
		for first < len(s) && !(codeByte[s[first]] && codeAt(s, first) > 0) {
			first++
		}
		if first == len(s) {
			return
		}
		from := max(at, first-beforeCode)
		if i := strings.LastIndexByte(s[from:first], '\n'); i >= 0 {
			from += i + 1
		} else if from > at {
			from = run(s, from, first-from, &tokenByte)
		}
		var text []byte
		var of []int // offsets of its bytes in s
		stop := first + afterCode
		for at = from; at < min(stop, len(s)); {
			n, c := 0, -1
			if codeByte[s[at]] {
				n, c = code(s[at:])
			}
			switch {
			case n == 0:
				text, of = append(text, s[at]), append(of, at)
				n = 1
			case c >= 0:
				text, of = append(text, byte(c)), append(of, at)
				fallthrough
			default:
				stop = max(stop, at+afterCode)
			}
			at += n
		}
		for _, sp := range sc.r.findWith(sc.engine, string(text), sc.depth+1) {
			last := of[sp.end-1]
			sp.start, sp.end = of[sp.start], last+max(1, codeAt(s, last))
			sc.spans = append(sc.spans, sp)
		}
	}
}

func codeAt(s string, at int) int {
	n, _ := code(s[at:])
	return n
}

// code returns the length of the code that s begins with, or 0, and the character of ASCII that it
// stands for; -1 for what is not shown.
func code(s string) (n, c int) {
	switch s[0] {
	case '%':
		return hexCode(s, 1, 2)
	case '=':
		if strings.HasPrefix(s, "=3D") { // quoted-printable
			return len("=3D"), '='
		}
		return 0, 0
	case '&':
		end := run(s, 1, 10, &markedByte)
		if end == 1 || end == len(s) || s[end] != ';' {
			return 0, 0
		}
		if r := html.UnescapeString(s[:end+1]); len(r) == 1 {
			return end + 1, int(r[0])
		}
		return 0, 0
	case '\\':
		for n < min(len(s), mostSlashes) && s[n] == '\\' {
			n++
		}
		switch {
		case n == len(s):
		case s[n] == 'u':
			return hexCode(s, n+1, 4)
		case s[n] == 'x':
			return hexCode(s, n+1, 2)
		case strings.IndexByte("/_-", s[n]) >= 0: // JSON's, and Markdown's
			return n + 1, int(s[n])
		}
		return 0, 0
	}
	return plain.Hidden(s), -1
}

// hexCode reads a number of so many hexadecimal digits.
func hexCode(s string, at, digits int) (n, c int) {
	if at+digits > len(s) {
		return 0, 0
	}
	x, err := strconv.ParseUint(s[at:at+digits], 16, 32)
	switch {
	case err != nil:
		return 0, 0
	case x < utf8.RuneSelf:
		return at + digits, int(x)
	case plain.Hidden(string(rune(x))) > 0:
		return at + digits, -1
	}
	return 0, 0
}
