package reflexion

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"episodes/internal/plain"
)

// mostListed is the longest list of numbers that is written out.
const mostListed = 5

// inIterations formats a list such as "iterations 0, 1 and 4".
func inIterations(xs []int) string { return listed("iteration", xs) }

// listed formats numbers of things such as "attempts 1, 2 and 5".
func listed(thing string, xs []int) string {
	n := len(xs)
	switch {
	case n == 1:
		return fmt.Sprintf("%s %d", thing, xs[0])
	case n > mostListed:
		return fmt.Sprintf("%d %ss from %d to %d", n, thing, xs[0], xs[n-1])
	}
	words := make([]string, n)
	for i, x := range xs {
		words[i] = fmt.Sprint(x)
	}
	return thing + "s " + strings.Join(words[:n-1], ", ") + " and " + words[n-1]
}

// FirstLine is the first line of a text that is not blank.
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
	head := plain.Clip(s, max(0, n-len(mark))/2)
	tail := s[len(s)-max(0, n-len(mark))/2:]
	for tail != "" && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return head + mark + tail
}

// oneLine is the first line of a text, cut to n bytes.
func oneLine(s string, n int) string { return Shorten(FirstLine(s), n) }

// quoteLine quotes the first line of a text, cut to n bytes.
func quoteLine(s string, n int) string { return plain.Quote(FirstLine(s), n) }

// inAttempts lists iterations as people count them, from 1.
func inAttempts(iterations []int) string {
	out := make([]int, len(iterations))
	for i, n := range iterations {
		out[i] = n + 1
	}
	return listed("attempt", out)
}

// Seconds is a time in RFC 3339, without fractions of a second; "" for what is no time.
func Seconds(stamp string) string {
	t, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
