package text

import (
	"fmt"
	"math"

	"episodes/internal/plain"
	"episodes/query"
)

// learnedBest adds the best path that raises the end, or else the best that lowers it, by counts
// of sessions.
func learnedBest(s *sheet, l *query.Learned, d detail) {
	does, list := "raises", l.Raises
	if len(list) == 0 {
		does, list = "lowers", l.Lowers
	}
	lines := []string{"across sessions, " + does + " " + quote(l.To, d.width) + ":", "  " + quote(list[0].Hops[0].Source, d.width)}
	for _, h := range list[0].Hops {
		lines = append(lines, fmt.Sprintf("  %s %s (%s)", h.Type, quote(h.Target, d.width), withAndWithout(h)))
	}
	s.add(lines...)
}

// withAndWithout counts the sessions of a statistical edge that have its end.
func withAndWithout(h query.LearnedHop) string {
	count := func(rate float64, n int) int { return int(math.Round(rate * float64(n))) }
	return fmt.Sprintf("in %d of %s with the first, in %d of %d without", count(h.With, h.N),
		plain.Plural(h.N, "session"), count(h.Without, h.OtherN), h.OtherN)
}
