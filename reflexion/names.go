package reflexion

import (
	"fmt"
	"strconv"
	"strings"

	"episodes/internal/lazy"
)

// FileName returns the file name of an iteration: the guide's three digits, counted from 1, so
// that iteration 0 is 001.json and 998 is 999.json.
func FileName(iteration int) string { return Ordinal(iteration+1) + ".json" }

// Ordinal formats n, which counts from 1, so that names sort by number: three digits or, where the
// guide stops, more with a letter for how many there are (a1000, b10000).
func Ordinal(n int) string {
	digits := fmt.Sprintf("%03d", n)
	if extra := len(digits) - 3; extra > 0 {
		return string(rune('a'+extra-1)) + digits
	}
	return digits
}

// ParseOrdinal reads what Ordinal wrote; false for every other name.
func ParseOrdinal(s string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz"))
	return n, err == nil && n > 0 && Ordinal(n) == s
}

var loopID = lazy.Pattern(`^ralph-[a-z0-9-]+$`)

// ValidLoopID reports whether id matches the schema's pattern and has at most 120 bytes;
// such an id is also a safe folder name.
func ValidLoopID(id string) bool { return loopID().MatchString(id) && len(id) <= 120 }

// LoopIDFrom makes a loop id from any words: lower case, with hyphens for everything but
// letters and digits, at most 60 bytes after the prefix.
func LoopIDFrom(words string) string {
	s := strings.Trim(notSlug().ReplaceAllString(strings.ToLower(words), "-"), "-")
	s = strings.TrimPrefix(s, "ralph-")
	if len(s) > 60 {
		s = strings.TrimRight(s[:60], "-")
	}
	if s == "" {
		s = "task"
	}
	return "ralph-" + s
}

var notSlug = lazy.Pattern(`[^a-z0-9]+`)
