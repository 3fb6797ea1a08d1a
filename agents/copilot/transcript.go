package copilot

import (
	"cmp"
	"encoding/json"
	"strings"

	"episodes/episode"
	"episodes/internal/turns"
)

// This file reads the events of sessions of the Copilot CLI (events.jsonl): JSON
// lines, one event each.

// detect reports whether head begins a file of Copilot CLI events.
func detect(head []byte) bool {
	return turns.AnyLine(head, func(ev *event) bool {
		if ev.ID == "" || ev.Timestamp == "" {
			return false
		}
		switch ev.Type {
		case "session.start":
			return ev.Data.SessionID != ""
		case "assistant.message":
			return ev.Data.MessageID != ""
		case "tool.execution_start", "tool.execution_complete":
			return ev.Data.ToolCallID != ""
		}
		return false
	})
}

// read reads a session; its sub-agents are in the same file.
func read(in *turns.Reader) error {
	r := &reader{Reader: in, calls: map[string]*call{}, shells: map[string]string{}}
	err := turns.Records(in, `{"type":"`, r.event) // the next event may follow a torn one
	in.Session.Cut = r.works
	return err
}

type reader struct {
	*turns.Reader
	works  bool              // the main agent has not ended its turn
	calls  map[string]*call  // without a result yet, by their id
	shells map[string]string // that still run: the id of the call that started each
}

// event is a line. Only what is needed is decoded.
type event struct {
	Type      string `json:"type"`
	ID        string `json:"id"`
	Timestamp string `json:"timestamp"`
	AgentID   string `json:"agentId"`
	Data      data   `json:"data"`
}

type data struct {
	SessionID string `json:"sessionId"`
	StartTime string `json:"startTime"`
	Context   struct {
		Cwd    string `json:"cwd"`
		Branch string `json:"branch"`
	} `json:"context"`
	Title string `json:"title"`

	Content   string `json:"content"`
	Source    string `json:"source"` // of a message of the user that is generated
	MessageID string `json:"messageId"`

	AgentID          string                 `json:"agentId"`
	ParentToolCallID string                 `json:"parentToolCallId"`
	ToolCallID       string                 `json:"toolCallId"`
	ToolName         string                 `json:"toolName"`
	Arguments        json.RawMessage        `json:"arguments"`
	Success          *bool                  `json:"success"`
	Result           turns.Loose[result]    `json:"result"`
	Error            turns.Loose[failure]   `json:"error"`
	Telemetry        turns.Loose[telemetry] `json:"toolTelemetry"`
	Execution        turns.Loose[execution] `json:"shellExecution"`
	Kind             turns.Loose[ending]    `json:"kind"`
	Requests         []json.RawMessage      `json:"toolRequests"`
}

// result is that of a tool, or that of a question whether it may run.
type result struct {
	Content  string `json:"content"`
	Kind     string `json:"kind"`
	Feedback string `json:"feedback"`
}

type failure struct {
	Message string `json:"message"`
	Code    string `json:"code"`
}

type telemetry struct {
	Metrics struct {
		ExitCode *int `json:"exit_code"`
	} `json:"metrics"`
}

type execution struct {
	ExitCode *int `json:"exitCode"`
}

// ending is that of a shell in the background.
type ending struct {
	ShellID  string `json:"shellId"`
	ExitCode *int   `json:"exitCode"`
}

// control begin types of events that say nothing of what was done, or say again what
// another event says.
var control = []string{
	"session.", "hook.", "assistant.", "system.", "skill.", "subagent.", "permission.", "tool.user_requested", "tool.execution_p", "user_input.",
	"user.input", "elicitation.", "external_tool.", "command.", "exit_plan_mode.", "capabilities.", "mcp.", "sampling.", "commands.", "pending_messages.",
}

func (r *reader) event(ev *event, at episode.Span) {
	d := &ev.Data
	r.progress(ev)
	t := turns.Turn{At: at, Time: ev.Timestamp, Sub: cmp.Or(ev.AgentID, d.AgentID, d.ParentToolCallID)}
	switch ev.Type {
	case "session.start":
		if s := &r.Session; s.ID == "" {
			s.ID, s.Dir, s.Started = d.SessionID, d.Context.Cwd, cmp.Or(d.StartTime, ev.Timestamp)
			s.On(d.Context.Branch)
		}
	case "session.title_changed":
		r.Session.Title = d.Title
	case "user.message":
		if d.Source != "" && d.Source != "user" || t.Sub != "" || strings.TrimSpace(d.Content) == "" {
			return
		}
		r.Say(t, turns.User, strings.TrimSpace(d.Content))
	case "assistant.message":
		if strings.TrimSpace(d.Content) == "" {
			return
		}
		r.Say(t, turns.Agent, d.Content)
	case "abort":
		r.Stop(t)
	case "permission.completed":
		r.permission(d)
	case "tool.execution_start":
		r.start(d, t)
	case "tool.execution_complete":
		r.complete(d, t)
	case "system.notification":
		r.notification(d, t)
	default:
		if !turns.Begins(ev.Type, control) {
			r.Unknown(ev.Type)
		}
	}
}

// progress notes whether the main agent is at work. The file is written with a delay: if it ends
// while the agent works, the rest of the session is missing.
func (r *reader) progress(ev *event) {
	switch d := &ev.Data; {
	case ev.AgentID != "" || d.AgentID != "" || d.ParentToolCallID != "":
	case ev.Type == "assistant.message":
		r.works = len(d.Requests) > 0
	case ev.Type == "user.message", ev.Type == "assistant.turn_start", strings.HasPrefix(ev.Type, "tool.execution_"):
		r.works = true
	case ev.Type == "abort", ev.Type == "session.shutdown", ev.Type == "session.error", ev.Type == "session.idle":
		r.works = false
	}
}
