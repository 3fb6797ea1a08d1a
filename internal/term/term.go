// Package term makes texts fit to be printed: free of what a terminal would obey,
// and within a budget of tokens.
package term

import (
	"fmt"
	"strings"

	"episodes/query/text"
)

// Line takes out of a line what a terminal would obey; the line keeps its spaces.
func Line(line string) string {
	words := strings.Split(line, " ")
	for i, w := range words {
		words[i] = text.Printable(w)
	}
	return strings.Join(words, " ")
}

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
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for n := len(lines) - 1; n > 0; n-- {
		cut := strings.Join(lines[:n], "\n") + fmt.Sprintf("\n(%s left out)\n", Plural(len(lines)-n, "line"))
		if len(cut) <= room {
			return cut
		}
	}
	first := Line(lines[0])
	return strings.ToValidUTF8(first[:min(room-1, len(first))], "") + "\n"
}

// Plural counts things in words: 1 episode, 2 episodes.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
