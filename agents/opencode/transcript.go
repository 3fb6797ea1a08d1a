package opencode

import (
	"encoding/json"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// This file reads sessions as `opencode export` writes them: one JSON value, of
// messages that are lists of parts. Spans count the parts of all messages.

// detect reports whether head begins an exported session of OpenCode.
func detect(head []byte) bool {
	shape := turns.ShapeOf(head)
	return shape.Has("info.projectID") && shape.Has("info.directory") ||
		shape.Has("info.id") && shape.Has("messages[].info.role") && shape.Has("messages[].parts")
}

// read reads a session, or that of one of its sub-agents.
func read(in *turns.Reader) error {
	r := &reader{Reader: in}
	defer func() { in.Session.Cut = in.AtWork() }()
	r.Session.Unit = "part"
	return in.Document(r.document)
}

type reader struct {
	*turns.Reader
}

func (r *reader) document(d *turns.Document) {
	d.Members(func(name string) {
		switch name {
		case "info":
			var s session
			d.Value(&s)
			r.session(&s)
		case "messages":
			d.Elements(func(int) { r.message(d) })
		default:
			d.Skip()
		}
	})
}

type session struct {
	ID        string `json:"id"`
	ParentID  string `json:"parentID"`
	Directory string `json:"directory"`
	Title     string `json:"title"`
	Time      struct {
		Created float64 `json:"created"`
	} `json:"time"`
}

func (r *reader) session(s *session) {
	to := &r.Session
	to.ID, to.Dir, to.Started = s.ID, s.Directory, turns.Millis(s.Time.Created)
	if s.ParentID != "" {
		to.Parent, to.Agent = s.ParentID, s.ID
	}
	if !strings.HasPrefix(s.Title, "New session - ") && !strings.HasPrefix(s.Title, "Child session - ") {
		to.Title = s.Title
	}
}

// info is the metadata of a message.
type info struct {
	Role    string          `json:"role"`
	Mode    string          `json:"mode"`
	Summary json.RawMessage `json:"summary"` // true in a compaction; an object in users' messages
	Time    struct {
		Created float64 `json:"created"`
	} `json:"time"`
	Error struct {
		Name string `json:"name"`
	} `json:"error"`
	Cost   float64 `json:"cost"`
	Tokens struct {
		Total int `json:"total"` // others may include reasoning
	} `json:"tokens"`
}

// part is one of a message.
type part struct {
	Type      string `json:"type"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"` // injected
	Ignored   bool   `json:"ignored"`
	Tool      string `json:"tool"`
	State     state  `json:"state"`
	Time      struct {
		Start float64 `json:"start"`
	} `json:"time"`
}

// aborted is the error of a message that the human stopped.
const aborted = "MessageAbortedError"

func (r *reader) message(d *turns.Document) {
	var of info
	d.Members(func(name string) {
		switch name {
		case "info":
			d.Value(&of)
		case "parts":
			d.Elements(func(int) {
				var p part
				r.At++
				if d.Value(&p) {
					r.part(&of, &p)
				}
			})
		default:
			d.Skip()
		}
	})
	r.Session.Tokens += of.Tokens.Total
	r.Session.Cost += of.Cost
	if at := max(r.At, 1); of.Error.Name == aborted && d.Good() {
		r.Put(turns.Turn{Role: turns.Stop, At: episode.Span{at, at}, Time: turns.Millis(of.Time.Created)})
	}
}

// control are types of parts that say nothing of what was done.
var control = lazy.Words("step-start step-finish reasoning patch snapshot subtask file agent compaction retry")

func (r *reader) part(of *info, p *part) {
	t := turns.Turn{At: episode.Span{r.At, r.At}, Time: turns.Millis(of.Time.Created)}
	switch p.Type {
	case "text":
		if p.Synthetic || p.Ignored || strings.TrimSpace(p.Text) == "" {
			return
		}
		t.Text = p.Text
		if p.Time.Start > 0 {
			t.Time = turns.Millis(p.Time.Start)
		}
		switch {
		case of.Role == "user" && r.Session.Agent == "": // the prompts of a sub-agent come from an agent
			t.Role = turns.User
		case of.Role == "assistant" && of.Mode != "compaction" && string(of.Summary) != "true":
			t.Role = turns.Agent
		default:
			return
		}
		r.Put(t)
		return
	case "tool":
		r.tool(p, t)
		return
	}
	if !control()[p.Type] {
		r.Unknown(p.Type)
	}
}
