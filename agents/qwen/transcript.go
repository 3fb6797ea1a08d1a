package qwen

import (
	"encoding/json"
	"strings"

	"episodes/agents/gemini"
	"episodes/episode"
	"episodes/internal/turns"
)

// This file reads the chats of Qwen Code: JSON lines in the envelope of Claude Code, with the
// messages of the Gemini CLI in it.

// detect reports whether head begins a chat of Qwen Code.
func detect(head []byte) bool {
	return turns.AnyLine(head, func(r *record) bool {
		return r.UUID != "" && r.SessionID != "" &&
			(r.Message.Parts != nil || r.Type == "system" && r.Payload != nil)
	})
}

// read reads a chat.
func read(in *turns.Reader) error {
	r := &reader{Reader: in, tools: map[string]turns.Tool{}}
	defer func() { in.Session.Cut = in.AtWork() }()
	return turns.Records(in, "", r.record)
}

type reader struct {
	*turns.Reader
	tools map[string]turns.Tool // of calls without a result, by their id
}

// record is a line. Only what is needed is decoded.
type record struct {
	Type       string          `json:"type"`
	Subtype    string          `json:"subtype"`
	Provenance string          `json:"provenance"`
	UUID       string          `json:"uuid"`
	SessionID  string          `json:"sessionId"`
	Timestamp  string          `json:"timestamp"`
	Cwd        string          `json:"cwd"`
	Branch     string          `json:"gitBranch"`
	Payload    json.RawMessage `json:"systemPayload"`
	Message    struct {
		Parts []part `json:"parts"`
	} `json:"message"`
	Usage struct {
		Total int `json:"totalTokenCount"`
	} `json:"usageMetadata"`
	Result struct {
		Status string `json:"status"`
	} `json:"toolCallResult"`
}

type part struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought"`
	Call    *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	Response *struct {
		ID       string `json:"id"`
		Response struct {
			Output turns.Content `json:"output"`
			Error  turns.Content `json:"error"`
		} `json:"response"`
	} `json:"functionResponse"`
}

func (r *reader) record(rec *record, at episode.Span) {
	if s := &r.Session; s.ID == "" {
		s.ID, s.Dir, s.Started = rec.SessionID, rec.Cwd, rec.Timestamp
	}
	r.Session.On(rec.Branch)
	switch rec.Type {
	case "user", "assistant", "tool_result":
	case "system":
		return
	default:
		r.Unknown(rec.Type)
		return
	}
	r.Session.Tokens += max(0, rec.Usage.Total)
	for i := range rec.Message.Parts {
		t := turns.Turn{At: at, Time: rec.Timestamp}
		if !r.part(rec, &rec.Message.Parts[i], &t) {
			continue
		}
		r.Put(t)
	}
}

// part fills in the turn of a part; ok is false if it has no turn.
func (r *reader) part(rec *record, p *part, t *turns.Turn) (ok bool) {
	text := strings.TrimSpace(p.Text)
	switch {
	case p.Call != nil:
		t.Role, t.Call = turns.Call, turns.CallOf(p.Call.ID, p.Call.Name, p.Call.Args)
		r.tools[p.Call.ID] = t.Call.Tool
		return true
	case p.Response != nil:
		t.Role, t.Result = turns.Result, r.result(rec, p)
		return true
	case p.Thought || text == "":
		return false
	case rec.Type == "assistant":
		t.Role, t.Text = turns.Agent, text
		return true
	}
	t.Role, t.Text = turns.User, text
	generated := rec.Subtype != "" && rec.Subtype != "mid_turn_user_message" || rec.Provenance != "" && rec.Provenance != "real_user"
	return rec.Type == "user" && !generated && !strings.HasPrefix(text, "<system-reminder>")
}

func (r *reader) result(rec *record, p *part) *turns.ToolResult {
	res := &turns.ToolResult{Text: string(p.Response.Response.Output + p.Response.Response.Error)}
	shell := r.tools[p.Response.ID] == turns.Shell
	delete(r.tools, p.Response.ID)
	if shell {
		res = gemini.Unwrap(res.Text)
	}
	switch rec.Result.Status {
	case "cancelled":
		res.State = turns.NotRun
	case "error":
		res.State = turns.Failed
	case "success":
		if !shell { // that a command ran is a success as well
			res.State = turns.OK
		}
	}
	res.ID = p.Response.ID
	return res
}
