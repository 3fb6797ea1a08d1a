package codex

import (
	"cmp"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

var (
	truncated   = lazy.Pattern(`^(?:Warning: truncated output [^\n]*\n)?Total output lines: \d+\n+`)
	runningLine = lazy.Pattern(`(?m)^Process running with session ID (\d+)`)
)

// structured is the form of older tools, and of code mode.
type structured struct {
	Output   *string `json:"output"`
	Metadata struct {
		ExitCode *int `json:"exit_code"`
	} `json:"metadata"`
	ExitCode  *int   `json:"exit_code"`
	SessionID number `json:"session_id"`
	ChunkID   string `json:"chunk_id"`
}

// refused, cancelled and unable begin what Codex itself says instead of an output.
var (
	refused   = []string{"exec command rejected by user", "patch rejected by user", "rejected by user"}
	cancelled = []string{"aborted by user"}
	unable    = []string{
		"apply_patch verification failed", "tool call error:", "failed in sandbox", "error: Failed to find expected lines", "execution error:",
		"exec_command failed", "write_stdin failed", "failed to parse function arguments", "unsupported call:", "unsupported custom tool call:",
		"error: Invalid patch",
	}
)

// result reads the text of a result. If the process still runs, running names it.
func result(text string) (res *turns.ToolResult, running string) {
	text = text[len(truncated().FindString(text)):]
	res = &turns.ToolResult{Text: text}
	if r, running, ok := structuredResult(text); ok {
		return r, running
	}
	head, body, exit := turns.Headed(text)
	res.Text, res.Exit = body[len(truncated().FindString(body)):], exit
	if m := runningLine().FindStringSubmatch(head); m != nil && exit == nil {
		res.State = turns.Running
		return res, m[1]
	}
	switch {
	case res.Exit != nil:
	case turns.Begins(res.Text, refused):
		res.State = turns.Refused
	case turns.Begins(res.Text, cancelled), res.Text == "aborted":
		res.State = turns.NotRun
	case turns.Begins(res.Text, unable):
		res.State = turns.Failed
	}
	return res, ""
}

// structuredResult reads an output that is a JSON object.
func structuredResult(text string) (res *turns.ToolResult, running string, ok bool) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return nil, "", false
	}
	var s structured
	if !turns.Decode([]byte(text), &s) {
		return nil, "", false
	}
	return s.result()
}

func (s *structured) result() (res *turns.ToolResult, running string, ok bool) {
	exit := cmp.Or(s.ExitCode, s.Metadata.ExitCode)
	if s.Output == nil || exit == nil && s.SessionID == "" && s.ChunkID == "" {
		return nil, "", false // what a program printed
	}
	res = &turns.ToolResult{Text: *s.Output, Exit: exit}
	if exit == nil && s.SessionID != "" && s.SessionID != "null" {
		res.State = turns.Running
		return res, string(s.SessionID), true
	}
	return res, "", true
}
