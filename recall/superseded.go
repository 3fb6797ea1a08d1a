package recall

import (
	"slices"
	"strings"

	"episodes/internal/plain"
	"episodes/keys"
)

// undoes reports whether a decision is against what an earlier one chose.
func (d *Document) undoes(old *Document) bool {
	words, have := keys.Words(old.chosen()), keys.Words(d.chosen())
	return len(words) > 1 && keys.Opposite(old.chosen(), d.chosen()) &&
		!slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) })
}

// chosen returns what a decision chose: the line of its text that its options repeat, or the one
// below its question.
func (d *Document) chosen() string {
	lines := strings.Split(d.Text, "\n")
	for i, l := range lines {
		if slices.Contains(lines[i+1:], l) {
			return l
		}
	}
	if len(lines) > 2 || len(lines) == 2 && strings.HasSuffix(lines[0], "?") {
		return lines[1]
	}
	return lines[0]
}

// was begins the text of a decision that no longer holds: with what does.
func (d *Document) was() string {
	if d.Later == "" || d.Later == Unnamed {
		return ""
	}
	return "Now: " + plain.Quote(d.Later, longestNote) + "; was: "
}
