package capture

import (
	"cmp"
	"slices"
	"strings"
)

// A heading is reported if so many logs have it, and one in so many.
const (
	leastLogsOfHeading = 5
	oneLogIn           = 20
)

// recurring lists the headings that are not understood in several logs, the commonest first.
func recurring(read []parsed) (out []Heading) {
	logs, text := map[string]int{}, map[string]string{}
	for _, p := range read {
		mine := map[string]bool{}
		for _, h := range p.headings {
			key := strings.ToLower(h)
			if !mine[key] {
				mine[key] = true
				logs[key]++
				text[key] = max(text[key], h)
			}
		}
	}
	for key, n := range logs {
		if n >= leastLogsOfHeading && n*oneLogIn >= len(read) {
			out = append(out, Heading{text[key], n})
		}
	}
	slices.SortFunc(out, func(a, b Heading) int { return cmp.Or(b.Logs-a.Logs, strings.Compare(a.Text, b.Text)) })
	return out
}
