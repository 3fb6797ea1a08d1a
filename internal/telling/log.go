package telling

import (
	"slices"
	"strings"
)

// How many lines of what a tool printed are kept at its beginning and end, when there are more than both.
const keptEnds = 4

// InLog returns the lines of a Markdown log with those emptied that a tool printed: of a long block of code the middle
// goes, but for lines that report an error and sides of a diff.
func InLog(lines []string) []string {
	out := slices.Clone(lines)
	for i := 0; i < len(lines); i++ {
		mark := strings.TrimSpace(lines[i])
		if len(mark) < 3 || mark[:3] != "```" && mark[:3] != "~~~" {
			continue
		}
		first := i + 1
		for i++; i < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[i]), mark[:3]); i++ {
		}
		if i == len(lines) { // nothing closes it
			break
		}
		for n := first + keptEnds; n < i-keptEnds; n++ {
			if l := strings.TrimSpace(lines[n]); Of(l) < Reported && !strings.HasPrefix(l, "+") && !strings.HasPrefix(l, "-") {
				out[n] = ""
			}
		}
	}
	return out
}
