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
