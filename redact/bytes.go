package redact

import (
	"math"
	"strings"
)

// table is a set of bytes.
type table [256]bool

func bytesOf(ranges string, others string) (t table) {
	for i := 0; i+1 < len(ranges); i += 2 {
		for c := ranges[i]; c <= ranges[i+1]; c++ {
			t[c] = true
		}
	}
	for i := range len(others) {
		t[others[i]] = true
	}
	return t
}

var (
	wordByte   = bytesOf("azAZ09", "_")
	nameByte   = bytesOf("azAZ09", "_.-")
	tokenByte  = bytesOf("azAZ09", "_-+/=.~%|:*!#$&@^?")
	base64Byte = bytesOf("azAZ09", "+/=-_")
	urlByte    = bytesOf("azAZ09", "-_.~%!$&*+=:@^#?;|,{}[]()") // of user and password; RFC 3986, and what people write
	letterByte = bytesOf("azAZ", "")
	digitByte  = bytesOf("09", "")
)

func allOf(s string, first, last byte) bool {
	for i := range len(s) {
		if s[i] < first || s[i] > last {
			return false
		}
	}
	return s != ""
}

func only(s string, t *table) bool {
	for i := range len(s) {
		if !t[s[i]] {
			return false
		}
	}
	return s != ""
}

// entropy returns Shannon's entropy in bits per character, as gitleaks computes it.
func entropy(s string) (h float64) {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	for _, n := range counts {
		if n > 0 {
			f := float64(n) / float64(len(s))
			h -= f * math.Log2(f)
		}
	}
	return h
}

// run returns the end of the run of at most n characters of a set that starts at an offset.
func run(s string, at, n int, t *table) int {
	for end := min(len(s), at+n); at < end && t[s[at]]; {
		at++
	}
	return at
}

// back returns the start of the run of at most n characters of a set that ends at an offset.
func back(s string, at, n int, t *table) int {
	for first := max(0, at-n); at > first && t[s[at-1]]; {
		at--
	}
	return at
}

func containsFold(s, lower string) bool { return strings.Contains(strings.ToLower(s), lower) }

// lowerASCII returns the text with ASCII letters in lower case. Unlike strings.ToLower it
// keeps the length.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
