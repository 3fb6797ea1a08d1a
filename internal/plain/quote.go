package plain

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Prefix begins each line of a quoted block.
const Prefix = "> "

// Cut cuts a text to n bytes, between characters, and marks that it did.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return Clip(s, n-len("…")) + "…"
}

// Clip cuts a text to at most n bytes, between characters.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n = max(n, 0); n > 0 && !utf8.RuneStart(s[n]); {
		n--
	}
	return strings.TrimRight(s[:n], "\u200c\u200d") // which join nothing any more
}

// Unquote replaces all variants of the double quotation mark by an apostrophe, so that a text
// cannot end the quotation around it.
func Unquote(s string) string { return apostrophes.Replace(s) }

var apostrophes = func() *strings.Replacer {
	var pairs []string
	for _, r := range `"“”„‟″‶‴〃〝〞〟＂˝ʺ״❝❞⹂` { // all that reads as a double quotation mark
		pairs = append(pairs, string(r), "'")
	}
	return strings.NewReplacer(pairs...)
}()

// Quote puts a text of others, cut to n bytes, on one line in quotation marks that it
// cannot end.
func Quote(s string, n int) string { return `"` + Cut(Unquote(Words(s)), n) + `"` }

// Block quotes a text of others line by line, cut to n bytes without the prefixes: each
// line begins with Prefix and ends in a line end, and what is cut off is counted. Quotation marks
// stay: the prefixes show where the text ends.
func Block(s string, n int) string {
	s = strings.TrimRight(strings.Trim(Text(s), "\n"), " \t")
	rest := ""
	if len(s) > n {
		const left = "… (%d bytes left out)"
		kept := Clip(s, n-len(fmt.Sprintf(left, len(s))))
		rest = fmt.Sprintf(left, len(s)-len(kept))
		s = kept
	}
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteString(Prefix + line + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n") + rest + "\n"
}

// Name is an identifier or the path of a file as it is, or quoted where it has characters
// by which it could be taken for more than a name. It is cut to n bytes.
func Name(s string, n int) string {
	for i := range len(s) {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.IndexByte("-_./\\#>@+:~", c) >= 0) {
			return Quote(s, n)
		}
	}
	if s == "" {
		return `""`
	}
	return Cut(s, n)
}
