package recall

import (
	"strings"

	"episodes/internal/plain"
)

// Cut shortens a text to at most most bytes, between two words, or within a word that is longer than half of it.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head := plain.Clip(s, most-len("…"))
	if space := strings.LastIndexByte(head, ' '); space >= most/2 {
		head = head[:space]
	}
	return strings.TrimRight(head, " /,;:–—…") + "…"
}

// longestNote is the largest length of a name in a note, in bytes.
const longestNote = 70

// LogName returns the end of the path of a log that people know it by: its last name, after two folders
// if a program gave it that name and others the same, "full.jsonl".
func LogName(log string) string {
	parts := strings.FieldsFunc(log, func(r rune) bool { return r == '/' || r == '\\' })
	n := 1
	if last := parts[max(0, len(parts)-1):]; len(last) > 0 && strings.Contains(last[0], ".json") && !strings.ContainsAny(last[0], "0123456789") {
		n = 3
	}
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}
