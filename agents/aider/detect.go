package aider

import (
	"bytes"

	"episodes/internal/lazy"
)

var (
	startLine = lazy.Pattern(`^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$`)
	starts    = lazy.Pattern(`(?m)^(?:\r?\n)?# aider chat started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d[ \t\r]*$`)
	// doneLine matches messages that only aider writes: edits, commits, costs and interruptions.
	doneLine = lazy.Pattern(`^> (?:Applied edit to .+|Commit [0-9a-f]{7,40}(?: .*)?|Tokens: \S+ sent, .+|\^C (?:KeyboardInterrupt|again to \w+) *)$`)
)

// leastDone is how many such messages identify a page that a chat was copied to. A log of another
// agent may quote one or two.
const leastDone = 3

// detect reports whether head begins a chat history of aider: the first line that is not empty
// gives the start of a chat, or a prompt is followed by at least leastDone messages of aider. Text
// in fenced blocks is quoted, and ignored.
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
