// Package term makes texts fit to be printed: free of what a terminal would obey,
// and within a budget of tokens.
package term

import (
	"fmt"
	"strings"

	"episodes/internal/plain"
)

// Line takes out of a line what a terminal would obey or not show; the line keeps its
// spaces.
func Line(line string) string { return plain.Line(line) }

// Lines is Line for a text of several lines.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = Line(l)
	}
	return strings.Join(lines, "\n")
}

// Cut cuts a text to a number of tokens of 4 bytes, keeps the first lines, and
// says how many are left out. 0 tokens: no limit.
func Cut(text string, tokens int) string {
	room := 4 * tokens
	if room == 0 || len(text) <= room {
		return text
	}
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	size := len(strings.Join(lines, ""))
	for n := len(lines) - 1; n > 0; n-- {
		size -= len(lines[n])
		if rest := fmt.Sprintf("(%s left out)\n", Plural(len(lines)-n, "line")); size+len(rest) <= room {
			return strings.Join(lines[:n], "") + rest
		}
	}
	first, rest := Line(strings.TrimSuffix(lines[0], "\n")), ""
	if len(lines) > 1 {
		rest = fmt.Sprintf("(%s left out)\n", Plural(len(lines)-1, "line"))
	}
	if room < 4*len(rest) { // the words themselves are worth more
		rest = ""
	}
	return plain.Clip(first, room-len(rest)-1) + "\n" + rest
}

// Plural counts things in words: 1 episode, 2 episodes.
func Plural(n int, thing string) string {
	return plain.Plural(n, thing)
}
