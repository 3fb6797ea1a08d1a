package atif

import (
	"encoding/json"
	"strconv"
	"strings"

	"episodes/agents/openhands"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

var (
	// screen matches the heading above the terminal contents that Terminus records.
	screen = lazy.Pattern(`^(?:New Terminal Output|Current Terminal Screen):\n+`)
	// geminiCode matches the line with the exit code in an output of Gemini's shell.
	geminiCode = lazy.Pattern(`(?m)^Exit Code: (-?\d+)$`)
)

// Unwrap removes the lines that agents of several kinds add to the text of res, and sets the exit
// code from them.
func Unwrap(res *turns.ToolResult) {
	switch {
	case turns.Returned(res):
	case strings.HasPrefix(res.Text, "Command: "):
		if m := geminiCode().FindStringSubmatch(res.Text); m != nil && res.Exit == nil {
			if code, err := strconv.Atoi(m[1]); err == nil {
				res.Exit = &code
			}
		}
	default:
		head, output, exit := turns.Headed(res.Text)
		if head == "" {
			openhands.Unwrap(res)
			break
		}
		if res.Text = output; res.Exit == nil {
			res.Exit = exit
		}
	}
	res.Text = screen().ReplaceAllString(res.Text, "")
}

// converted holds the parts of a result's record that the converter of Claude Code writes below the
// result. Most of them repeat it.
type converted struct {
	metadata    json.RawMessage
	exit        *int
	interrupted bool
}

var mark = lazy.Pattern(`(?m)^\[(stdout|stderr|exit_code|interrupted|is_image|metadata)\](?: |\n|$)`)

// strip removes the parts from a text and stores their values in c. If no text is left, it returns
// the output that the parts record.
func (c *converted) strip(text string) string {
	marks := mark().FindAllStringSubmatchIndex(text, -1)
	if len(marks) == 0 || marks[0][0] > 1 && text[marks[0][0]-2] != '\n' {
		return text
	}
	var out []string
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		value := strings.TrimRight(text[m[1]:end], "\n")
		switch text[m[2]:m[3]] {
		case "stdout", "stderr":
			out = append(out, value)
		case "exit_code":
			if code, err := strconv.Atoi(value); err == nil {
				c.exit = turns.Exited(code)
			}
		case "interrupted":
			c.interrupted = true
		case "metadata":
			c.metadata = json.RawMessage(value)
		}
	}
	if above := strings.TrimRight(text[:marks[0][0]], "\n"); above != "" {
		return blocks(above)
	}
	return strings.Join(out, "\n")
}

// blocks returns the text of the blocks that the converter wrote as JSON, one after the other.
func blocks(text string) string {
	if !strings.HasPrefix(text, `{"type":`) {
		return text
	}
	var parts []string
	for dec := json.NewDecoder(strings.NewReader(text)); dec.More(); {
		var b struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if dec.Decode(&b) != nil {
			return text
		}
		if b.Type == "text" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}
