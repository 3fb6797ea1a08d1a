package reflexion

import (
	"fmt"
	"strings"
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

// oneLine is the first line of a text, cut to n bytes.
func oneLine(s string, n int) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}
