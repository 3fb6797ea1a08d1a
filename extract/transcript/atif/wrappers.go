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
	// returnCode matches the tags of mini-swe-agent around an output.
	returnCode = lazy.Pattern(`(?s)^<returncode>(-?\d+)</returncode>\s*(?:<output>\n?(.*?)(?:</output>)?\s*)?$`)
	// geminiCode matches the line with the exit code in an output of Gemini's shell.
	geminiCode = lazy.Pattern(`(?m)^Exit Code: (-?\d+)$`)
)

// Unwrap removes the lines that agents of several kinds add to the text of res, and sets the exit
// code from them.
func Unwrap(res *turns.ToolResult) {
	var o struct {
		Output     *string `json:"output"`
		ReturnCode *int    `json:"returncode"`
		Metadata   struct {
			ExitCode *int `json:"exit_code"`
		} `json:"metadata"`
	}
	code := ""
	switch m := returnCode().FindStringSubmatch(res.Text); {
	case m != nil:
		code, res.Text = m[1], strings.TrimRight(m[2], "\n")
	case strings.HasPrefix(res.Text, "{") && json.Unmarshal([]byte(res.Text), &o) == nil && o.Output != nil:
		res.Text = *o.Output
		for _, exit := range []*int{o.Metadata.ExitCode, o.ReturnCode} {
			if exit != nil {
				res.Exit = exit
			}
		}
	case strings.HasPrefix(res.Text, "Command: "):
		if m := geminiCode().FindStringSubmatch(res.Text); m != nil {
			code = m[1]
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
	if n, err := strconv.Atoi(code); err == nil && res.Exit == nil {
		res.Exit = turns.Exited(n)
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
