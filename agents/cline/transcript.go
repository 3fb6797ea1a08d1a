// Package cline reads the tasks of Cline, and the sessions of its command line. A task has two files: the conversation with the model
// (api_conversation_history.json), whose tool calls are XML in the text or blocks of the API, and
// the messages shown in the window (ui_messages.json). Each is one JSON array, and spans count its
// elements. Forks of Cline (Roo Code and others) write the same files.
//
// The reader finds out from each element which of the two files it belongs to. transcript.go reads
// the conversation, window.go the messages of the window, tools.go the calls and results of both, and
// cli.go what the command line writes.
package cline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"episodes/agents/agent"
	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// Agent is Cline.
var Agent = agent.Agent{
	Name: "cline", Title: "Cline",
	Format: &turns.Format{Name: "cline", Title: "Cline", Detect: detect, Read: read},
}

// detect reports whether head begins a file of a task.
func detect(head []byte) bool {
	shape := turns.ShapeOf(head)
	if head = bytes.TrimSpace(head); len(head) == 0 || head[0] != '[' {
		return shape.Has("sessionId") && shape.Has("updated_at") && shape.Has("agent") && shape["messages[].role"] == "user"
	}
	return shape.Has("[].ts") && (shape["[].type"] == "say" || shape["[].type"] == "ask") &&
		(shape.Has("[].say") || shape.Has("[].ask")) ||
		shape["[].role"] == "user" && shape.Has("[].content") &&
			(bytes.Contains(head, []byte("<environment_details>")) ||
				strings.HasPrefix(strings.TrimSpace(shape["[].content[].text"]), "<task>"))
}

// read reads either file of a task.
func read(in *turns.Reader) error {
	in.Session.Unit = "message"
	r := &reader{Reader: in}
	one := bytes.HasPrefix(bytes.TrimSpace(in.Peek()), []byte("{"))
	_ = in.Document(func(d *turns.Document) {
		if one {
			r.session(d)
			return
		}
		d.Elements(func(n int) { r.element(d, n) })
	})
	r.emit(&r.out)
	r.emit(&r.halt)
	return in.Err()
}

// element reads a message of either file.
func (r *reader) element(d *turns.Document, n int) {
	r.At = n
	var m message
	if !d.Value(&m) {
		return
	}
	t := turns.Turn{At: episode.Span{n, n}, Time: millis(m.TS)}
	r.Session.Started = cmp.Or(r.Session.Started, t.Time)
	if m.Type != "" {
		r.shown(&m, t)
		return
	}
	r.message(&m, t)
}

type reader struct {
	*turns.Reader
	cli  bool        // a session of the command line
	said string      // the id of the call that holds a message of the agent
	out  *turns.Turn // the output of a command, as far as shown
	halt *turns.Turn // stopped by the user; shown before the output
}

// message is an element of either file. The first fields are those of the conversation.
type message struct {
	TS      int64        `json:"ts"`
	Role    string       `json:"role"`
	Content turns.Blocks `json:"content"`

	Type    string `json:"type"` // this and the following fields: of the window
	Say     string `json:"say"`
	Ask     string `json:"ask"`
	Text    string `json:"text"`
	Partial bool   `json:"partial"`
}

func millis(ms int64) string {
	if ms <= 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format(time.RFC3339Nano)
}

func (r *reader) message(m *message, t turns.Turn) {
	switch m.Role {
	case "assistant":
		for i := range m.Content {
			r.assistant(&m.Content[i], t)
		}
	case "user":
		r.user(m.Content, t)
	case "":
	default:
		r.Unknown(m.Role)
	}
}

var thinking = lazy.Pattern(`(?s)<thinking>.*?</thinking>`)

func (r *reader) assistant(b *turns.Block, t turns.Turn) {
	switch b.Type {
	case "tool_use":
		r.call(b.ID, b.Name, b.Input, t)
		return
	case "text":
	case "thinking", "redacted_thinking", "reasoning", "reasoning_details", "image":
		return
	default:
		r.Unknown(b.Type)
		return
	}
	text := thinking().ReplaceAllString(b.Text, "")
	text, stopped := strings.CutSuffix(strings.TrimSpace(text), stopMark)
	text = strings.TrimSuffix(text, brokenMark)
	for {
		before, name, args, rest, found := toolIn(text)
		r.say(before, t)
		if !found {
			break
		}
		r.call("", name, args, t)
		text = rest
	}
	if !stopped {
		return
	}
	r.Stop(t)
}

// The texts that Cline appends to an answer that was cut off.
const (
	stopMark   = "[Response interrupted by user]"
	brokenMark = "[Response interrupted by API Error]"
)

func (r *reader) say(text string, t turns.Turn) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	r.Say(t, turns.Agent, text)
}

// spoken maps the tools that hold a message of the agent to the argument with its text.
var spoken = map[string]string{"attempt_completion": "result", "plan_mode_respond": "response", "condense": "", "summarize_task": ""}

func (r *reader) call(id, name string, args json.RawMessage, t turns.Turn) {
	if member, ok := spoken[name]; ok {
		var said map[string]json.RawMessage
		var text string
		turns.Decode(args, &said)
		_ = json.Unmarshal(said[member], &text)
		r.said = id
		r.say(text, t)
		return
	}
	for _, c := range r.callsOf(id, name, args) {
		r.Call(t, c)
	}
}

// user reads the results of calls, and the words of the user between them.
func (r *reader) user(content turns.Blocks, t turns.Turn) {
	var res *output
	flush := func() {
		if res == nil {
			return
		}
		r.output(res, t)
		res = nil
	}
	for i := range content {
		b := &content[i]
		switch b.Type {
		case "tool_result":
			flush()
			if r.cli {
				r.results(b, t)
				continue
			}
			var text turns.Content
			_ = text.UnmarshalJSON(b.Content)
			res = &output{id: b.ToolUseID, text: string(text), failed: b.IsError, block: true}
			if b.ToolUseID != "" && b.ToolUseID == r.said {
				res.tool = "attempt_completion"
			}
			if m := header().FindStringSubmatch(res.text); m != nil {
				res.tool, res.text = m[1], res.text[len(m[0]):]
			}
		case "text":
			text := r.environment(b.Text)
			if m := header().FindStringSubmatch(text); m != nil {
				flush()
				res = &output{tool: m[1], text: text[len(m[0]):]}
			} else if res != nil && !res.block {
				res.text += "\n" + text
			} else {
				flush()
				r.human(text, t)
			}
		case "image", "document":
		default:
			r.Unknown(b.Type)
		}
	}
	flush()
}

var (
	header  = lazy.Pattern(`^\s*\[(\w+)(?: for '(?s:.*?)'| [^\n\]]*)?\] Result:[ \t]*\n*`)
	details = lazy.Pattern(`(?s)<environment_details>.*?(?:</environment_details>|$)`)
	folder  = lazy.Pattern(`(?m)^# Current (?:Working|Workspace) Directory \((.+?)\)`)
	words   = lazy.Pattern(`(?s)<(?:task|feedback|user_message|new_task|user_input mode="\w+")>\s*(.*?)\s*</(?:task|feedback|user_message|new_task|user_input)>`)
)

// environment removes Cline's description of the editor from a text, and takes the folder of the
// session from it.
func (r *reader) environment(text string) string {
	return details().ReplaceAllStringFunc(text, func(d string) string {
		if m := folder().FindStringSubmatch(d); m != nil && r.Session.Dir == "" {
			r.Session.Dir = m[1]
		}
		return ""
	})
}

// human emits the text that the user typed. It is enclosed in tags; all other text is from Cline.
func (r *reader) human(text string, t turns.Turn) {
	for _, m := range words().FindAllStringSubmatch(text, -1) {
		if m[1] == "" {
			continue
		}
		r.Say(t, turns.User, m[1])
	}
}
