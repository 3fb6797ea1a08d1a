package reflexion

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"episodes/internal/plain"
)

// listed formats numbers of things, of which the first has the number from, such as "attempts 1,
// 2 and 5"; the first and last of more than five.
func listed(thing string, numbers []int, from int) string {
	words := make([]string, len(numbers))
	for i, x := range numbers {
		words[i] = fmt.Sprint(x + from)
	}
	switch n := len(words); {
	case n == 1:
		return thing + " " + words[0]
	case n > 5:
		return fmt.Sprintf("%d %ss from %s to %s", n, thing, words[0], words[n-1])
	}
	return thing + "s " + enumerate(words)
}

func enumerate(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func FirstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// Shorten cuts a text to n bytes, between characters, and marks that it did.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return plain.Clip(s, n) + "…"
}

// Middle cuts a text to about n bytes in its middle, and says how much it left out.
func Middle(s string, n int) string {
	if len(s) <= n {
		return s
	}
	mark := fmt.Sprintf(" … (%d bytes left out) … ", len(s)-n)
	half := max(0, n-len(mark)) / 2
	tail := s[len(s)-half:]
	for tail != "" && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return plain.Clip(s, half) + mark + tail
}

func quoteLine(s string, n int) string { return plain.Quote(FirstLine(s), n) }

// Seconds is a time in RFC 3339, without fractions of a second; "" for what is no time.
func Seconds(stamp string) string {
	t, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
