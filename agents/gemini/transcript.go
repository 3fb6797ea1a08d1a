package gemini

import (
	"bytes"
	"encoding/json"
	"strings"

	"episodes/episode"
	"episodes/internal/turns"
)

// This file reads the chats of the Gemini CLI. Older ones are one JSON value, and spans count its
// messages. Since 2026 they are JSON lines, and spans count lines; a message is written again
// whenever it grows.

// detect reports whether head begins a chat of the Gemini CLI.
func detect(head []byte) bool {
	shape := turns.ShapeOf(head)
	return shape.Has("sessionId") && shape.Has("projectHash")
}

// read reads the chat of a session or of a sub-agent.
func read(in *turns.Reader) error {
	r := &reader{Reader: in, told: map[string]*told{}}
	defer func() { in.Session.Cut = in.AtWork() }()
	if isLines(in.Peek()) {
		return turns.Records(in, "", r.record)
	}
	r.Session.Unit = "message"
	return in.Document(r.document)
}

// isLines reports whether a chat is in JSON lines, whose first line has no messages.
func isLines(head []byte) bool {
	line, _, whole := bytes.Cut(head, []byte("\n"))
	var first struct {
		Messages json.RawMessage `json:"messages"`
	}
	return whole && turns.Decode(line, &first) && first.Messages == nil
}

type reader struct {
	*turns.Reader
	told    map[string]*told
	order   []string // ids, oldest first
	project string   // hash of the project's folder
}

// told records which parts of a message were emitted.
type told struct {
	text    bool
	tokens  int
	calls   map[string]bool
	results map[string]bool
}

// mostTold is how many messages are remembered. Only recent messages grow.
const mostTold = 256

// session is the metadata of a chat, in one value or in several updates.
type session struct {
	SessionID   string   `json:"sessionId"`
	StartTime   string   `json:"startTime"`
	Kind        string   `json:"kind"`
	Summary     string   `json:"summary"`
	Directories []string `json:"directories"`
	ProjectHash string   `json:"projectHash"` // SHA-256 of the path of the project's folder
}

func (r *reader) session(s *session) {
	to := &r.Session
	set := func(to *string, v string) {
		if v != "" {
			*to = v
		}
	}
	set(&to.ID, s.SessionID)
	set(&to.Started, s.StartTime)
	set(&to.Title, s.Summary)
	set(&r.project, s.ProjectHash)
	if s.Kind == "subagent" {
		to.Agent = to.ID
		if len(s.Directories) > 0 {
			to.Dir = s.Directories[0] // of other chats these are additional ones
		}
	}
}

func (r *reader) document(d *turns.Document) {
	var s session
	d.Members(func(name string) {
		var to any
		switch name {
		case "messages":
			turns.Each(d, r.message)
			return
		case "sessionId":
			to = &s.SessionID
		case "startTime":
			to = &s.StartTime
		case "kind":
			to = &s.Kind
		case "summary":
			to = &s.Summary
		case "projectHash":
			to = &s.ProjectHash
		case "directories":
			to = &s.Directories
		default:
			d.Skip()
			return
		}
		d.Value(to)
		r.session(&s)
	})
}

// record is a line: a message, the metadata of the chat, or an update of the metadata. A rewind
// does not undo what the agent did, so it is ignored.
type record struct {
	message
	session
	Set    *session `json:"$set"`
	Rewind string   `json:"$rewindTo"`
}

func (r *reader) record(rec *record, at episode.Span) {
	switch {
	case rec.Rewind != "":
	case rec.Set != nil:
		r.session(rec.Set)
	case rec.SessionID != "":
		r.session(&rec.session)
	default:
		r.message(&rec.message, at)
	}
}

type message struct {
	ID             string     `json:"id"`
	Type           string     `json:"type"`
	Timestamp      string     `json:"timestamp"`
	Content        content    `json:"content"`
	DisplayContent content    `json:"displayContent"` // what was typed, where content is more
	ToolCalls      []toolCall `json:"toolCalls"`
	Tokens         struct {
		Total int `json:"total"`
	} `json:"tokens"`
}

// content is a string, a part, or parts; only their text is kept.
type content string

// UnmarshalJSON never fails.
func (c *content) UnmarshalJSON(data []byte) error {
	type part struct {
		Text    string `json:"text"`
		Thought bool   `json:"thought"`
	}
	var parts []part
	switch data[0] {
	case '"':
		turns.Decode(data, (*string)(c))
		return nil
	case '{':
		parts = make([]part, 1)
		turns.Decode(data, &parts[0])
	case '[':
		turns.Decode(data, &parts)
	}
	var b strings.Builder
	for _, p := range parts {
		if !p.Thought {
			b.WriteString(p.Text)
		}
	}
	*c = content(b.String())
	return nil
}

func (r *reader) message(m *message, at episode.Span) {
	was := r.remember(m.ID)
	t := turns.Turn{At: at, Time: m.Timestamp}
	switch m.Type {
	case "user":
		t.Role, t.Text = turns.User, typed(m)
		if r.Session.Agent != "" { // the prompts of a sub-agent come from an agent
			return
		}
	case "gemini":
		t.Role, t.Text = turns.Agent, string(m.Content)
		r.Session.Tokens += max(0, m.Tokens.Total-was.tokens)
		was.tokens = max(was.tokens, m.Tokens.Total)
	case "info":
		if was.text || !strings.HasPrefix(string(m.Content), cancelMark) {
			return
		}
		was.text = true
		r.Stop(t)
		return
	case "error", "warning":
		return
	default:
		r.Unknown(m.Type)
		return
	}
	if strings.TrimSpace(t.Text) != "" && !was.text {
		was.text = true
		r.Put(t)
	}
	for i := range m.ToolCalls {
		r.tool(m, i, was, at)
	}
}

// remember returns the record of what was emitted of a message. It is empty for a new message, and
// for one without an id.
func (r *reader) remember(id string) *told {
	if was := r.told[id]; was != nil && id != "" {
		return was
	}
	was := &told{calls: map[string]bool{}, results: map[string]bool{}}
	if id != "" {
		if len(r.order) == mostTold {
			delete(r.told, r.order[0])
			r.order = r.order[1:]
		}
		r.told[id], r.order = was, append(r.order, id)
	}
	return was
}

const (
	cancelMark = "Request cancelled"
	filesMark  = "\n--- Content from referenced files ---"
)

// injected are prefixes of user messages that no human typed.
var injected = []string{"This is the Gemini CLI.", "<state_snapshot>", "<system", "System: Please continue"}

// typed returns the part of a message that the user typed. The content of files that the prompt
// names is removed. The result is "" for a message that no human typed.
func typed(m *message) string {
	text := string(m.DisplayContent)
	if text == "" {
		text, _, _ = strings.Cut(string(m.Content), filesMark)
	}
	if _, prompt, found := strings.Cut(text, hookEnd); found && strings.HasPrefix(text, hookMark) {
		text = prompt
	}
	text = strings.TrimSpace(text)
	return turns.Typed(text, injected...)
}
