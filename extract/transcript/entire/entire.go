// Package entire reads the compact transcripts that the Entire CLI writes for many agents
// (transcript.jsonl of checkpoints v2): JSON lines with messages and tool calls; each call
// contains its result.
package entire

import (
	"cmp"
	"encoding/json"
	"strings"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/agents/claude"
	"episodes/episode"
	"episodes/internal/turns"
)

// Format is the format.
var Format = turns.Format{Name: "entire", Title: "Entire", Detect: detect, Read: read}

// record is a line.
type record struct {
	V       int             `json:"v"`
	Agent   string          `json:"agent"`
	Type    string          `json:"type"`
	Time    json.RawMessage `json:"ts"`
	Input   int             `json:"input_tokens"`
	Output  int             `json:"output_tokens"`
	Content json.RawMessage `json:"content"`
}

// block is a part of a message.
type block struct {
	Type   string          `json:"type"`
	Text   string          `json:"text"`
	ID     string          `json:"id"`
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	Result *struct {
		Output turns.Content `json:"output"`
		Status string        `json:"status"`
	} `json:"result"`
}

// detect reports whether head begins a compact transcript.
func detect(head []byte) bool {
	return turns.AnyLine(head, func(r *record) bool {
		return r.V == 1 && r.Agent != "" && (r.Type == "user" || r.Type == "assistant") && r.Content != nil
	})
}

// read reads a transcript. For some agents it has no results.
func read(in *turns.Reader) error {
	r := &reader{Reader: in}
	err := turns.Records(in, "", r.record)
	in.Session.NoResults = !r.results
	return err
}

type reader struct {
	*turns.Reader
	results bool
}

func (r *reader) record(rec *record, at episode.Span) {
	t := turns.Turn{At: at, Time: when(rec.Time)}
	r.Session.Started = cmp.Or(r.Session.Started, t.Time)
	r.Session.Tokens += max(0, rec.Input) + max(0, rec.Output)
	switch rec.Type {
	case "user":
		var text turns.Content
		_ = json.Unmarshal(rec.Content, &text)
		if t.Text = typed(string(text)); t.Text == "" {
			return
		}
		if t.Role = turns.User; strings.HasPrefix(t.Text, "[Request interrupted by user") {
			t.Role, t.Text = turns.Stop, ""
		}
		r.Put(t)
	case "assistant":
		var blocks []block
		turns.Decode(rec.Content, &blocks)
		for i := range blocks {
			r.block(agents.Named(rec.Agent), &blocks[i], t)
		}
	default:
		r.Unknown(rec.Type)
	}
}

func (r *reader) block(a *agent.Agent, b *block, t turns.Turn) {
	switch {
	case b.Type == "text" && strings.TrimSpace(b.Text) != "":
		r.Say(t, turns.Agent, strings.TrimSpace(b.Text))
		return
	case b.Type != "tool_use":
		return
	}
	r.Call(t, turns.CallOf(b.ID, b.Name, b.Input))
	if b.Result == nil {
		return
	}
	r.results = true
	res := &turns.ToolResult{Text: string(b.Result.Output)}
	if a != nil && a.Unwrap != nil {
		res = a.Unwrap(res.Text)
	}
	switch {
	case res.State == turns.Refused || res.State == turns.NotRun:
	case b.Result.Status == "error":
		res.State = turns.Failed
	case turns.KindOf(b.Name) != turns.Shell && res.State == turns.Unsaid: // that a command ran is a success as well
		res.State = turns.OK
	}
	res.ID = b.ID
	r.Result(t, res)
}

// when parses a time: RFC 3339, or milliseconds since 1970. It returns "" for any other value.
func when(raw json.RawMessage) (text string) {
	var ms float64
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	_ = json.Unmarshal(raw, &ms)
	return turns.Millis(ms)
}

func typed(text string) string {
	text = claude.Typed(strings.NewReplacer("<user_query>", "", "</user_query>", "").Replace(text))
	return turns.Typed(text, "<hook_context>", "<turn_aborted>")
}
