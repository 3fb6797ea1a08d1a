package loop

import (
	"strings"

	"episodes/internal/lazy"
)

// listed matches an item of a list: its box, if any, and its words.
var listed = lazy.Pattern(`^(?:(?:[-*+]|\d+[.)])\s+)(?:\[([ xX])\]\s+)?(.*)`)

// Tasks reads a list of tasks. Those of a Markdown task list are its items with a box, each with the lines
// below it that are indented further; open are those whose box is not ticked, done how many are. In a text
// without boxes each line is an open task, but for headings.
func Tasks(text string) (open []string, done int) {
	var lines []string // without boxes
	in, margin := false, 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimRight(line, " \t\r\n")
		words := strings.TrimLeft(line, " \t")
		indent := len(line) - len(words)
		m := listed().FindStringSubmatch(words)
		switch {
		case words == "":
		case in && indent > margin:
			open[len(open)-1] += "\n" + line
		case m != nil && m[1] == " ":
			open, in, margin = append(open, m[2]), true, indent
		case m != nil && m[1] != "":
			done, in = done+1, false
		case m != nil:
			lines, in = append(lines, m[2]), false
		case words[0] != '#':
			lines, in = append(lines, words), false
		default:
			in = false
		}
	}
	if len(open)+done == 0 {
		return lines, 0
	}
	return open, done
}
