package reflexion

import (
	"fmt"
	"strings"

	"episodes/internal/plain"
)

// inIterations formats a list such as "iterations 0, 1 and 4".
func inIterations(xs []int) string {
	words := make([]string, len(xs))
	for i, x := range xs {
		words[i] = fmt.Sprint(x)
	}
	if n := len(words); n > 1 {
		return "iterations " + strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return "iteration " + strings.Join(words, "")
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

// oneLine is the first line of a text, cut to n bytes.
func oneLine(s string, n int) string { return Shorten(FirstLine(s), n) }

// quoteLine quotes the first line of a text, cut to n bytes.
func quoteLine(s string, n int) string { return plain.Quote(FirstLine(s), n) }
