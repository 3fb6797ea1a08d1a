package episode

import "strings"

// MaxContent is the longest quote kept of a fact, in bytes; the span leads to the rest.
const MaxContent = 400

// Shorten cuts s at a word, to n bytes and an ellipsis, and folds its white space.
func Shorten(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	cut := n
	for cut > n/2 && s[cut] != ' ' {
		cut--
	}
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return strings.TrimRight(s[:cut], " ,;:") + " …"
}
