package turns

import (
	"strconv"
	"strings"

	"episodes/internal/lazy"
)

var (
	// headLine matches a line that a tool puts before the output of a command.
	headLine = lazy.Pattern(`^(?:Chunk ID: |Wall time:? |Process exited with code |Process running with session ID |Original token count: |Exit code: |Total output lines: |Command: )`)
	headExit = lazy.Pattern(`(?m)^(?:Process exited with code|Exit code:) (-?\d+)`)
)

const headEnd = "Output:"

// Headed splits the result of a command into the lines that some tools put before the output, such as
// "Exit code: 1" or "Wall time: 2 seconds", and the output. exit is the exit code in these lines, nil
// without one. A result without such lines is all output.
func Headed(text string) (head, output string, exit *int) {
	if !headLine().MatchString(text) {
		return "", text, nil
	}
	head, output = SplitHead(text)
	if m := headExit().FindStringSubmatch(head); m != nil {
		if code, err := strconv.Atoi(m[1]); err == nil {
			exit = &code
		}
	}
	return head, output, exit
}

// SplitHead is Headed for a result that may begin with another line: it splits at the line "Output:".
func SplitHead(text string) (head, output string) {
	if at := strings.Index(text, "\n"+headEnd); at >= 0 {
		if output := text[at+1+len(headEnd):]; output == "" || output[0] == '\n' {
			return text[:at], strings.TrimPrefix(output, "\n")
		}
	}
	for rest := text; rest != ""; {
		line, next, _ := strings.Cut(rest, "\n")
		if !headLine().MatchString(line) {
			return text[:len(text)-len(rest)], rest
		}
		rest = next
	}
	return text, ""
}
