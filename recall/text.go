package recall

import (
	"strings"
	"unicode/utf8"

	"episodes/internal/lazy"
)

// clause matches the ends of sentences and clauses.
var clause = lazy.Pattern(`[^\d][.;!?,:] | / | [–—] |[。、，；]`)

// Cut shortens a text to at most most bytes: after a clause unless that leaves less than three fifths of them,
// else between two words, or within a word that is longer than half of it.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if most < len("…") {
		return ""
	}
	at := most - len("…")
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	head := s[:at]
	if s[at] != ' ' {
		if space := strings.LastIndexByte(head, ' '); space >= most/2 {
			head = head[:space]
		}
	}
	if all := clause().FindAllStringIndex(head, -1); len(all) > 0 && 5*all[len(all)-1][1] >= 3*most {
		head = head[:all[len(all)-1][1]]
	}
	if head = strings.TrimRight(head, " /,;:–—…"); head != "" && strings.ContainsAny(head[len(head)-1:], ".!?") {
		return head // a whole sentence
	}
	return head + "…"
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
