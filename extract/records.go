package extract

import (
	"strings"

	"episodes/episode"
	"episodes/internal/turns"
)

// records are the records of a transcript in one line each; "" for one without turns.
type records []string

// recordBytes is how much of a record is shown.
const recordBytes = 200

func (r *records) add(t turns.Turn) {
	n := t.At[0]
	if n < 1 || n > 1<<24 {
		return
	}
	for len(*r) < n {
		*r = append(*r, "")
	}
	var parts []string
	for _, line := range shownTurn(t) {
		if line = strings.TrimSpace(line); line != "" {
			parts = append(parts, line)
		}
	}
	to := &(*r)[n-1]
	*to = turns.Start(strings.TrimPrefix(*to+" / "+strings.Join(parts, " "), " / "), recordBytes)
}

// rest explains the records behind the first, up to n, that taken does not mention.
func (r *records) rest(before, n int, taken []Taken) (out []Taken) {
	for len(*r) < n {
		*r = append(*r, "")
	}
	shown := map[int]bool{}
	for _, t := range taken {
		for i := t.Span[0]; i <= min(t.Span[1], n); i++ {
			shown[i] = true
		}
	}
	for i, text := range *r {
		at := episode.Span{i + 1, i + 1}
		switch {
		case shown[i+1] || i < before:
		case text == "":
			out = append(out, Taken{Span: at, What: "passed over (no turn)", Why: "nobody spoke, called or answered"})
		default:
			out = append(out, Taken{Span: at, What: "passed over (result)", Why: "of no call in this file, or of one that has a result"})
		}
	}
	return out
}
