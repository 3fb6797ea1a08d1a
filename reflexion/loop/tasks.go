package loop

import (
	"strings"

	"episodes/internal/lazy"
)

// listed matches an item of a list at the margin: its box, if any, and its words.
var listed = lazy.Pattern(`^(?:(?:[-*+]|\d+[.)])\s+)(?:\[([ xX])\]\s+)?(.*)`)

// Tasks reads a list of tasks. Those of a Markdown task list are its items at the margin, each with the
// indented lines below it; open are those whose box is not ticked, done how many are. In a text without
// boxes each line is an open task, but for headings.
func Tasks(text string) (open []string, done int) {
	var lines []string // without boxes
	in := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		m := listed().FindStringSubmatch(line)
		switch {
		case m != nil && m[1] == " ":
			open, in = append(open, m[2]), true
		case m != nil && m[1] != "":
			done, in = done+1, false
		case in && line != strings.TrimLeft(line, " \t"):
			open[len(open)-1] += "\n" + line
		case m != nil:
			lines, in = append(lines, m[2]), false
		case line != "" && line[0] != '#':
			lines, in = append(lines, strings.TrimSpace(line)), false
		case line != "":
			in = false
		}
	}
	if len(open)+done == 0 {
		return lines, 0
	}
	return open, done
}
