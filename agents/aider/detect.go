package aider

import (
	"bytes"

	"episodes/internal/lazy"
)

var (
	startLine = lazy.Pattern(`^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$`)
	// doneLine is what only aider says: what it changed, what that cost, and that it was stopped.
	doneLine = lazy.Pattern(`^> (?:Applied edit to .+|Commit [0-9a-f]{7,40}(?: .*)?|Tokens: \S+ sent, .+|\^C (?:KeyboardInterrupt|again to \w+) *)$`)
)

// leastDone is how many lines of what aider did tell a page that a chat was copied to. A
// log may quote one.
const leastDone = 3

// detect reports whether a file that begins so is a chat history of aider: the first line
// that is not empty says when a chat started, or a human types and aider says time and
// again what it did. What stands in a fence is quoted.
func detect(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if startLine().Match(bytes.TrimSuffix(line, []byte("\r"))) {
		return true
	}
	typed, done, fence := false, 0, ""
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		human, _ := marked(line, "####")
		_, said := marked(line, ">")
		switch m := fenceMark().FindSubmatch(line); {
		case fence != "":
			if m != nil && len(m[2]) == 0 && string(m[1]) == fence {
				fence = ""
			}
		case m != nil:
			fence = string(m[1])
		case human:
			typed = true
		case typed && said && doneLine().Match(line):
			done++
		}
	}
	return done >= leastDone
}
