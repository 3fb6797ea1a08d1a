// Package chat reads trajectories in the form of OpenAI's chat completions, as data sets and
// harnesses store them: messages with tool calls, and messages of the role tool with the results.
// A file is one JSON value, a list of messages or an object with such a list, where spans count
// messages; or JSON lines with one message each.
package chat

import (
	"cmp"
	"encoding/json"
	"strings"

	"episodes/episode"
	"episodes/extract/transcript/atif"
	"episodes/internal/turns"
)

// Format is the format.
var Format = turns.Format{Name: "openai-chat", Title: "OpenAI chat", Detect: detect, Read: read}

// lists are the names under which objects have the messages.
var lists = []string{"messages", "trajectory", "conversation", "history", "traj"}

// detect reports whether head begins a file of messages, with tool calls among them.
func detect(head []byte) bool {
	shape := turns.ShapeOf(head)
	if shape.Has("info") || shape.Has("trajectory_format") {
		return false // mini-swe-agent
	}
	for _, list := range append(lists, "") {
		list += "[]"
		if shape.Has(list+".role") && shape.Has(list+".tool_calls[].function.name") {
			return true
		}
	}
	return turns.AnyLine(head, func(m *message) bool {
		return m.Role == "assistant" && len(m.ToolCalls) > 0 && m.ToolCalls[0].Function.Name != ""
	})
}

// read reads a trajectory.
func read(in *turns.Reader) error {
	r := &reader{Reader: in}
	if in.JSONLines() && turns.ShapeOf(in.Peek()).Has("role") { // else each line is a trajectory
		return turns.Records(in, "", r.message)
	}
	in.Session.Unit = "message"
	return in.Document(r.document)
}

type reader struct {
	*turns.Reader
}

type message struct {
	Role       string        `json:"role"`
	Content    turns.Content `json:"content"`
	Timestamp  string        `json:"timestamp"`
	ToolCallID string        `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// document reads one trajectory; others behind it are other sessions.
func (r *reader) document(d *turns.Document) {
	messages := turns.Element(d, r.message)
	s := &r.Session
	d.Either(func(name string) {
		switch name {
		case "trajectory_id", "session_id", "traj_id":
			d.Value(&s.ID)
			return
		case "instance_id":
			d.Value(&s.Task)
			return
		}
		for _, list := range lists {
			if name == list && r.At == 0 {
				d.Elements(messages)
				return
			}
		}
		d.Skip()
	}, messages)
	if d.Next() {
		r.Unknown("another trajectory")
	}
}

func (r *reader) message(m *message, at episode.Span) {
	t := turns.Turn{At: at, Time: m.Timestamp}
	r.Session.Started = cmp.Or(r.Session.Started, m.Timestamp)
	text := strings.TrimSpace(string(m.Content))
	switch m.Role {
	case "user":
		t.Role, t.Text = turns.User, atif.Typed(text)
	case "assistant":
		t.Role, t.Text = turns.Agent, text
	case "tool":
		res := &turns.ToolResult{ID: m.ToolCallID, Text: strings.TrimPrefix(string(m.Content), "OBSERVATION:\n")}
		atif.Unwrap(res)
		r.Result(t, res)
		return
	case "system", "developer":
		return
	default:
		r.Unknown(m.Role)
		return
	}
	if t.Text != "" {
		r.Put(t)
	}
	for _, c := range m.ToolCalls {
		t := turns.Turn{Role: turns.Call, At: t.At, Time: t.Time, Call: turns.CallOf(c.ID, c.Function.Name, c.Function.Arguments)}
		r.Put(t)
	}
}
