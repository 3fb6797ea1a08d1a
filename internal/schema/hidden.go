package schema

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"episodes/internal/plain"
)

// hidden finds texts with characters that are taken out when an episode is read, since
// they cannot be seen or are obeyed. The path of a log may have any.
func hidden(v any, ptr string, lines *locator) (out []Problem) {
	switch v := v.(type) {
	case string:
		if ptr != "/provenance/source/path" && plain.Text(v) != v {
			out = append(out, Problem{Line: lines.line(ptr), Message: fmt.Sprintf("%s: has %U, which cannot be seen or is obeyed; it is taken out when it is read", dotted(ptr), firstHidden(v))})
		}
	case []any:
		for i, x := range v {
			out = append(out, hidden(x, fmt.Sprintf("%s/%d", ptr, i), lines)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = append(out, hidden(v[key], ptr+"/"+escape(key), lines)...)
		}
	}
	return out
}

// firstHidden is the first character of a text that does not stay.
func firstHidden(s string) rune {
	t := plain.Text(s)
	for i, r := range s {
		if kept, n := utf8.DecodeRuneInString(t[min(i, len(t)):]); n == 0 || kept != r {
			return r
		}
	}
	return utf8.RuneError
}
