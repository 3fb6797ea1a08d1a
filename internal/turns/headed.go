package turns

import (
	"cmp"
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

var (
	returnCode = lazy.Pattern(`^\s*<returncode>\s*(-?\d+)\s*</returncode>\s*`)
	warning    = lazy.Pattern(`(?s)^<warning>.*?</warning>\s*`) // about the length of an output
	outputTags = lazy.Pattern(`(?m)^<output(?:_head|_tail)?>\n?|</output(?:_head|_tail)?>$`)
)

// Returned takes the exit code and the output out of a result that mini-swe-agent put in tags, or in an object, as others
// do too. It reports whether the result has this form.
func Returned(res *ToolResult) bool {
	if m := returnCode().FindStringSubmatch(res.Text); m != nil {
		if code, err := strconv.Atoi(m[1]); err == nil {
			res.Exit = cmp.Or(res.Exit, &code)
		}
		text := warning().ReplaceAllString(res.Text[len(m[0]):], "")
		res.Text = strings.Trim(outputTags().ReplaceAllString(text, ""), "\n")
		return true
	}
	var o struct {
		Output     *string
		ReturnCode *int
		Metadata   struct {
			ExitCode *int `json:"exit_code"`
		}
	}
	if !strings.HasPrefix(res.Text, "{") || !Decode([]byte(res.Text), &o) || o.Output == nil {
		return false
	}
	res.Text, res.Exit = *o.Output, cmp.Or(o.ReturnCode, o.Metadata.ExitCode, res.Exit)
	return true
}
