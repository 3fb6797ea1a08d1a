package pi

import (
	"encoding/json"
	"strconv"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// This file reads the sessions of pi, versions 1 to 3: JSON lines, one entry each. Entries form a
// tree. They are read in the order of the file, which is that in which they were written.

// entry is a line. Only what is needed is decoded.
type entry struct {
	Type      string  `json:"type"`
	ID        string  `json:"id"`
	Timestamp string  `json:"timestamp"`
	Cwd       string  `json:"cwd"`
	Version   int     `json:"version"`
	Name      string  `json:"name"` // of the session, as the user gave it
	Message   message `json:"message"`
}

type message struct {
	Role       string             `json:"role"`
	Content    json.RawMessage    `json:"content"`
	StopReason string             `json:"stopReason"`
	Usage      turns.Loose[usage] `json:"usage"`
	ToolCallID string             `json:"toolCallId"`
	ToolName   string             `json:"toolName"`
	IsError    bool               `json:"isError"`
	// Of a command that the user ran.
	Command   string `json:"command"`
	Output    string `json:"output"`
	ExitCode  *int   `json:"exitCode"`
	Cancelled bool   `json:"cancelled"`
}

type usage struct {
	Total int `json:"totalTokens"`
	Cost  struct {
		Total float64 `json:"total"`
	} `json:"cost"`
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// detect reports whether head begins a session of pi.
func detect(head []byte) bool {
	return turns.AnyLine(head, func(e *entry) bool {
		return e.Timestamp != "" && e.ID != "" && e.Type == "session" && e.Version > 0 && e.Cwd != ""
	})
}

// read reads a session.
func read(in *turns.Reader) error {
	r := &reader{in}
	err := turns.Records(in, `{"type":"`, r.entry)
	in.Session.Cut = in.AtWork()
	return err
}

type reader struct{ *turns.Reader }

// control are the types of entries that say nothing of what was done, or say it again.
var control = []string{"model_change", "thinking_level_change", "custom", "label", "compaction", "branch_summary"}

func (r *reader) entry(e *entry, at episode.Span) {
	t := turns.Turn{At: at, Time: e.Timestamp}
	switch e.Type {
	case "session":
		if s := &r.Session; s.ID == "" {
			s.ID, s.Dir, s.Started = e.ID, e.Cwd, e.Timestamp
		}
	case "session_info":
		r.Session.Title = e.Name
	case "message":
		r.message(e, t)
	default:
		if !turns.Begins(e.Type, control) {
			r.Unknown(e.Type)
		}
	}
}

// skill matches the text of a skill, which pi puts before what the user typed.
var skill = lazy.Pattern(`(?s)^\s*<skill name=[^>]*>.*?</skill>`)

func (r *reader) message(e *entry, t turns.Turn) {
	m := &e.Message
	switch m.Role {
	case "user":
		if t.Text = strings.TrimSpace(skill().ReplaceAllString(text(m.Content), "")); t.Text == "" {
			return
		}
		t.Role = turns.User
		r.Put(t)
		return
	case "assistant":
		r.answer(m, t)
		return
	case "toolResult":
		r.Result(t, result(m))
		return
	case "bashExecution":
		r.Call(t, &turns.ToolCall{ID: e.ID, Name: "bash", Tool: turns.Shell, Command: turns.Script(m.Command)})
		t.Role, t.Call, t.Result = turns.Result, nil, &turns.ToolResult{ID: e.ID, Text: m.Output, Exit: m.ExitCode}
		if m.Cancelled {
			t.Result.State = turns.NotRun
		}
		r.Put(t)
		return
	case "custom", "hookMessage", "branchSummary", "compactionSummary":
		return
	}
	r.Unknown(m.Role)
}

// answer emits the text and the calls of an answer of the model.
func (r *reader) answer(m *message, t turns.Turn) {
	r.Session.Tokens += m.Usage.Is.Total
	r.Session.Cost += m.Usage.Is.Cost.Total
	var blocks []block
	turns.Decode(m.Content, &blocks)
	for _, b := range blocks {
		turn := t
		switch {
		case b.Type == "toolCall":
			turn.Role, turn.Call = turns.Call, turns.CallOf(b.ID, b.Name, b.Arguments)
		case b.Type == "text" && strings.TrimSpace(b.Text) != "":
			turn.Role, turn.Text = turns.Agent, strings.TrimSpace(b.Text)
		default:
			continue
		}
		r.Put(turn)
	}
	if m.StopReason == "aborted" {
		r.Stop(t)
	}
}

// text is a content that is a string, or the texts of one that is blocks.
func text(content json.RawMessage) string {
	var c turns.Content
	json.Unmarshal(content, &c)
	return string(c)
}

// ended matches what pi puts below the output of a command that failed or was stopped.
var ended = lazy.Pattern(`\n*Command (?:exited with code (\d+)|(aborted)|timed out after \d+ seconds)\s*$`)

// result reads the result of a call. A command without an error has the exit code 0: of any other
// pi says the code, and flags the result as an error.
func result(m *message) *turns.ToolResult {
	res := &turns.ToolResult{ID: m.ToolCallID, Text: text(m.Content), State: turns.OK}
	if m.IsError {
		res.State = turns.Failed
	}
	if turns.KindOf(m.ToolName) != turns.Shell {
		return res
	}
	if !m.IsError {
		res.Exit = turns.Exited(0)
	} else if at := ended().FindStringSubmatchIndex(res.Text); at != nil {
		if at[2] >= 0 {
			code, _ := strconv.Atoi(res.Text[at[2]:at[3]])
			res.Exit = turns.Exited(code)
		} else if at[4] >= 0 {
			res.State = turns.NotRun
		}
		res.Text = res.Text[:at[0]]
	}
	return res
}
