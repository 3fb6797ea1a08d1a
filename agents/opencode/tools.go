package opencode

import (
	"encoding/json"
	"fmt"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// state is a call and its result.
type state struct {
	Status   string                `json:"status"` // pending, running, completed, error
	Input    json.RawMessage       `json:"input"`
	Output   string                `json:"output"`
	Error    string                `json:"error"`
	Metadata turns.Loose[metadata] `json:"metadata"`
	Time     struct {
		Start float64 `json:"start"`
		End   float64 `json:"end"`
	} `json:"time"`
}

type metadata struct {
	Exit    *int       `json:"exit"`
	Answers [][]string `json:"answers"`
}

// invalid is the name under which OpenCode records a malformed call.
const invalid = "invalid"

// tool emits a call and its result, which are in one part. Their ids are made from the position,
// since the ids in the record may be redacted.
func (r *reader) tool(p *part, t turns.Turn) {
	s := &p.State
	id := fmt.Sprintf("part %d", r.At)
	if s.Time.Start > 0 {
		t.Time = turns.Millis(s.Time.Start)
	}
	r.Call(t, turns.CallOf(id, p.Tool, s.Input))
	if s.Status != "completed" && s.Status != "error" {
		return // pending, or still running where the file ends
	}
	if s.Time.End > 0 {
		t.Time = turns.Millis(s.Time.End)
	}
	t.Role, t.Call, t.Result = turns.Result, nil, result(p.Tool, s)
	t.Result.ID = id
	r.Put(t)
}

const (
	noOutput     = "(no output)"
	rejectMark   = "The user rejected permission"
	dismissMark  = "The user dismissed this question"
	feedbackMark = "feedback: "
	abortMark    = "Tool execution aborted"
	ruleMark     = "The user has specified a rule"
)

// told is the answer that the plugin appended to an output.
var told = lazy.Pattern(`(?s)\n\n<episodes>\n.*</episodes>$`)

// result reads the result of a call. For a command the status "completed" only means that it ran, so
// only its exit code shows whether it succeeded.
func result(tool string, s *state) *turns.ToolResult {
	res := &turns.ToolResult{Text: s.Output, Exit: s.Metadata.Is.Exit, State: turns.OK}
	res.Text = told().ReplaceAllString(res.Text, "")
	if strings.TrimSpace(res.Text) == noOutput {
		res.Text = ""
	}
	switch {
	case s.Status == "error":
		res.Text, res.State = s.Error, turns.Failed
		switch {
		case strings.HasPrefix(s.Error, rejectMark):
			res.State = turns.Refused
			_, res.Said, _ = strings.Cut(s.Error, feedbackMark)
		case strings.HasPrefix(s.Error, dismissMark):
			res.State = turns.Refused
		case strings.HasPrefix(s.Error, abortMark), strings.HasPrefix(s.Error, ruleMark):
			res.State = turns.NotRun
		}
	case tool == invalid:
		res.State = turns.Failed
	case turns.KindOf(tool) == turns.Shell:
		res.State = turns.Unsaid
	}
	var said []string
	for _, answers := range s.Metadata.Is.Answers {
		said = append(said, strings.Join(answers, ", "))
	}
	if len(said) > 0 {
		res.Said = strings.Join(said, "\n")
	}
	return res
}
