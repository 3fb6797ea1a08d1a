package claude

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"io"
	"strings"

	"episodes/agents/agent"
	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// This file reads the session files of Claude Code since 1.0: JSON lines, one record each. The
// format is not published; records of unknown types are counted and skipped.

// detect reports whether head begins a session of Claude Code.
func detect(head []byte) bool {
	return turns.AnyLine(head, func(r *record) bool {
		return r.SessionID != "" && r.UUID != "" &&
			(r.Message != nil && r.Message.Content != nil || r.Type == "system" &&
				r.SystemPayload == nil || r.Type == "attachment" || r.Type == "progress")
	})
}

// read reads the transcript of a session or of a sub-agent.
func read(in *turns.Reader) error {
	r := &reader{Reader: in, seen: map[uint64]bool{}}
	defer func() { in.Session.Cut = in.AtWork() }()
	return turns.Records(in, `{"parentUuid"`, r.record)
}

type reader struct {
	*turns.Reader
	usage, older map[string]int // tokens by answer, of the last ones
	seen         map[uint64]bool
}

// record is a line. Only what is needed is decoded.
type record struct {
	Type             string          `json:"type"`
	UUID             string          `json:"uuid"`
	SessionID        string          `json:"sessionId"`
	AgentID          string          `json:"agentId"`
	Timestamp        string          `json:"timestamp"`
	Cwd              string          `json:"cwd"`
	GitBranch        string          `json:"gitBranch"`
	IsSidechain      bool            `json:"isSidechain"`
	IsMeta           bool            `json:"isMeta"`
	IsCompactSummary bool            `json:"isCompactSummary"`
	IsAPIError       bool            `json:"isApiErrorMessage"`
	CustomTitle      string          `json:"customTitle"`
	AITitle          string          `json:"aiTitle"`
	Message          *message        `json:"message"`
	ToolUseResult    json.RawMessage `json:"toolUseResult"`
	SystemPayload    json.RawMessage `json:"systemPayload"` // of Qwen Code, which has this envelope too
	Attachment       struct {
		Type   string `json:"type"`
		Prompt any    `json:"prompt"`
	} `json:"attachment"`
}

type message struct {
	ID    string             `json:"id"`
	Model string             `json:"model"`
	Usage turns.Loose[usage] `json:"usage"`
	// Content is a string, or blocks. It is decoded as any in the same pass: a type of its
	// own would scan it again, and it is most of a file.
	Content any `json:"content"`
}

// usage is the token usage of one answer of the model. An answer has one record for each block, and
// each of them repeats the usage. Figures of an unknown form count as 0.
type usage struct {
	Input   int `json:"input_tokens"`
	Written int `json:"cache_creation_input_tokens"`
	Read    int `json:"cache_read_input_tokens"`
	Output  int `json:"output_tokens"`
}

// mostCounted is the minimum number of recent answers whose counted tokens are remembered. The
// records of one answer are near each other.
const mostCounted = 1000

// count adds the tokens of an answer once: the maximum over its records. Records that are written
// while the answer streams have lower figures.
func (r *reader) count(m *message) {
	u := m.Usage.Is
	n := u.Input + u.Written + u.Read + u.Output
	if r.usage == nil || len(r.usage) == mostCounted {
		r.usage, r.older = map[string]int{}, r.usage
	}
	before := max(r.usage[m.ID], r.older[m.ID])
	if m.ID == "" {
		before = 0
	}
	r.Session.Tokens += max(0, n-before)
	r.usage[m.ID] = max(n, before)
}

// content are the blocks of a message.
type content []block

type block struct {
	Type, Text, ID, Name, ToolUseID string
	IsError                         bool
	Input                           agent.Object
	Content                         content
}

// blocksOf converts a content to blocks. A string becomes one block of text; values of an unknown
// form are left out.
func blocksOf(v any) content {
	if s, ok := v.(string); ok {
		return content{{Type: "text", Text: s}}
	}
	list, _ := v.([]any)
	out := make(content, 0, len(list))
	for _, e := range list {
		m, ok := e.(map[string]any)
		if !ok {
			continue
		}
		is := agent.Object(m)
		b := block{Type: is.Str("type"), Text: is.Str("text"), ID: is.Str("id"), Name: is.Str("name"),
			ToolUseID: is.Str("tool_use_id"), Content: blocksOf(m["content"])}
		b.IsError, _ = m["is_error"].(bool)
		b.Input, _ = m["input"].(map[string]any)
		out = append(out, b)
	}
	return out
}

// text joins the texts of the blocks; images and the like have none.
func (c content) text() string {
	var parts []string
	for _, b := range c {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// control lists the types of records that carry no work of the agent.
var control = lazy.Words(`
	progress file-history-snapshot file-history-delta system summary queue-operation last-prompt permission-mode
	mode pr-link agent-name frame-link worktree-state cost-state fork-context-ref started result tag`)

func (r *reader) record(rec *record, at episode.Span) {
	switch rec.Type {
	case "user", "assistant":
		r.session(rec)
		if rec.Message == nil {
			return
		}
		blocks := blocksOf(rec.Message.Content)
		if r.copied(rec, blocks) {
			return
		}
		if rec.Type == "user" {
			r.user(rec, blocks, at)
			return
		}
		r.count(rec.Message)
		r.assistant(rec, blocks, at)
	case "attachment":
		if rec.Attachment.Type == "queued_command" {
			r.words(rec, at, blocksOf(rec.Attachment.Prompt).text())
		}
	case "custom-title":
		r.Session.Title = rec.CustomTitle
	case "ai-title":
		r.Session.Title = cmp.Or(r.Session.Title, rec.AITitle)
	default:
		if !control()[rec.Type] {
			r.Unknown(rec.Type)
		}
	}
}

// session reads the metadata of the session from its first records.
func (r *reader) session(rec *record) {
	s := &r.Session
	if rec.IsSidechain && rec.AgentID != "" && s.ID == "" { // in a file of its own
		s.Parent, s.Agent = rec.SessionID, rec.AgentID
		s.ID = rec.SessionID
	}
	s.ID, s.Dir = cmp.Or(s.ID, rec.SessionID), cmp.Or(s.Dir, rec.Cwd)
	s.On(rec.GitBranch)
	s.Started = cmp.Or(s.Started, rec.Timestamp)
}

// sub returns the id of the sub-agent of a side chain within the file; "" for the agent of the file.
func (r *reader) sub(rec *record) string {
	switch {
	case !rec.IsSidechain || r.Session.Agent != "" && rec.AgentID == r.Session.Agent:
		return ""
	case rec.AgentID != "":
		return rec.AgentID
	}
	return "sidechain"
}

// copied reports whether a record repeats an earlier one. A session that is resumed or forked begins
// with copies, which have ids of their own, but the time and the blocks of the original.
func (r *reader) copied(rec *record, blocks content) bool {
	if rec.Timestamp == "" {
		return false
	}
	h := fnv.New64a()
	io.WriteString(h, rec.Type+rec.Timestamp)
	for _, b := range blocks {
		for _, part := range []string{b.Type, b.ID, b.ToolUseID, b.Text} {
			io.WriteString(h, "\x00"+part)
		}
	}
	sum := h.Sum64()
	copied := r.seen[sum]
	r.seen[sum] = true
	return copied
}

func (r *reader) user(rec *record, blocks content, at episode.Span) {
	for i := range blocks {
		b := &blocks[i]
		switch b.Type {
		case "tool_result":
			r.Put(turns.Turn{Role: turns.Result, At: at, Time: rec.Timestamp, Sub: r.sub(rec),
				Result: Result(b.ToolUseID, b.Content.text(), b.IsError, rec.ToolUseResult)})
		case "text":
			if !rec.IsMeta && !rec.IsCompactSummary {
				r.words(rec, at, b.Text)
			}
		}
	}
}

// words emits a prompt or an interruption by the user. The prompts of a sub-agent come from an agent,
// and are left out.
func (r *reader) words(rec *record, at episode.Span, text string) {
	if strings.HasPrefix(text, "[Request interrupted by user") {
		r.Put(turns.Turn{Role: turns.Stop, At: at, Time: rec.Timestamp, Sub: r.sub(rec)})
		return
	}
	if rec.IsSidechain || r.Session.Agent != "" {
		return
	}
	if strings.HasPrefix(text, planMark) { // the agent wrote it, and the user agreed
		r.Put(turns.Turn{Role: turns.Agent, At: at, Time: rec.Timestamp, Text: text})
		return
	}
	if text = Typed(text); text == "" {
		return
	}
	r.Put(turns.Turn{Role: turns.User, At: at, Time: rec.Timestamp, Text: text})
}

var reminder = lazy.Pattern(`(?s)<system-reminder>.*?(?:</system-reminder>|$)`)

// planMark begins the prompt that Claude Code makes of a plan.
const planMark = "Implement the following plan:"

// Typed returns the part of a prompt that the user typed, or "".
func Typed(text string) string {
	return turns.Typed(strings.TrimSpace(reminder().ReplaceAllString(text, "")), planMark)
}

func (r *reader) assistant(rec *record, blocks content, at episode.Span) {
	if rec.IsAPIError || rec.Message.Model == "<synthetic>" {
		return
	}
	for i := range blocks {
		b := &blocks[i]
		t := turns.Turn{Role: turns.Agent, At: at, Time: rec.Timestamp, Sub: r.sub(rec), Text: b.Text}
		switch {
		case b.Type == "tool_use":
			t.Role, t.Text, t.Call = turns.Call, "", call(b)
		case b.Type != "text" || strings.TrimSpace(b.Text) == "":
			continue
		}
		r.Put(t)
	}
}
