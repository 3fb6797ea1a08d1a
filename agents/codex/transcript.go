package codex

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// This file reads the rollouts of the Codex CLI: JSON lines of what the model saw (response items)
// and what the screen showed (events). Events are used only for what the items lack. Rollouts of
// 2025 are flat: items without an envelope.

// detect reports whether head begins a rollout of Codex.
func detect(head []byte) bool {
	return turns.AnyLine(head, func(r *record) bool {
		if r.Timestamp == "" && r.RecordType == "" {
			return false
		}
		switch r.Type {
		case "session_meta":
			return r.Payload.ID != ""
		case "response_item", "event_msg":
			return r.Payload.Type != ""
		case "":
			return r.RecordType == "state" || r.ID != "" && r.Instructions != nil
		}
		return false
	})
}

// read reads the rollout of a session or of a sub-agent.
func read(in *turns.Reader) error {
	r := &reader{Reader: in, calls: map[string]*call{}, over: map[string]bool{}, processes: map[string]string{}, exited: map[string]bool{}}
	defer func() { in.Session.Cut = in.AtWork() }()
	_ = turns.Records(in, `{"timestamp":"`, r.record)
	r.release()
	return in.Err()
}

type reader struct {
	*turns.Reader
	calls     map[string]*call  // without a result yet, by their id
	over      map[string]bool   // calls that have a result, the last ones
	processes map[string]string // still running: the id of the call that started each
	exited    map[string]bool   // of them, by those ids: ended, as an item says
	held      *held
	passes    bool      // scripts are ignored: events have their commands
	copied    bool      // records repeat the thread that it was forked from
	turned    bool      // turns of that history have records of their starts
	written   time.Time // when the last of them was written
	guardian  bool      // a thread that judges approvals: it does no work
	stopped   bool      // the last turn is a stop
}

// record is a line. Only what is needed is decoded.
type record struct {
	Timestamp    string          `json:"timestamp"`
	Type         string          `json:"type"`
	Payload      item            `json:"payload"`
	item                         // of a flat rollout
	Instructions json.RawMessage `json:"instructions"` // of the first line of a flat rollout
	RecordType   string          `json:"record_type"`  // of flat rollouts
}

// item is the payload of a record; in a flat rollout it is the line itself.
type item struct {
	Type string `json:"type"`

	// session_meta
	ID        string          `json:"id"`
	SessionID string          `json:"session_id"`
	Parent    string          `json:"parent_thread_id"`
	Timestamp string          `json:"timestamp"`
	Cwd       string          `json:"cwd"`
	Source    json.RawMessage `json:"source"`
	Git       git             `json:"git"`

	// items
	Role      string          `json:"role"`
	Content   pieces          `json:"content"`
	Name      string          `json:"name"`
	Namespace string          `json:"namespace"`
	CallID    string          `json:"call_id"`
	Arguments json.RawMessage `json:"arguments"` // JSON in a string; of tool_search_call an object
	Input     string          `json:"input"`
	Output    pieces          `json:"output"`
	Action    action          `json:"action"`

	// events
	ExitCode   *int            `json:"exit_code"`
	Status     string          `json:"status"`
	Success    *bool           `json:"success"`
	Result     json.RawMessage `json:"result"`
	Reason     string          `json:"reason"`
	StartedAt  int64           `json:"started_at"` // seconds since 1970
	ThreadName string          `json:"thread_name"`
	Info       tokens          `json:"info"`
	Item       executed        `json:"item"`
}

type git struct {
	Branch string `json:"branch"`
	URL    string `json:"repository_url"`
}

// action is what local_shell_call and web_search_call do.
type action struct {
	Command []string `json:"command"`
	Dir     string   `json:"working_directory"`
	Query   string   `json:"query"`
	URL     string   `json:"url"`
	Pattern string   `json:"pattern"`
}

// pieces are the texts of a string, of a list of parts, or of an object with a content.
type pieces []string

// UnmarshalJSON never fails: a value of an unknown form has no text.
func (p *pieces) UnmarshalJSON(data []byte) error {
	*p = nil
	switch data[0] {
	case '"':
		var s string
		turns.Decode(data, &s)
		*p = pieces{s}
	case '[':
		var parts []struct {
			Text *string `json:"text"`
		}
		turns.Decode(data, &parts)
		for _, part := range parts {
			if part.Text != nil {
				*p = append(*p, *part.Text)
			}
		}
	case '{':
		var of struct {
			Content string `json:"content"`
		}
		turns.Decode(data, &of)
		*p = pieces{of.Content}
	}
	return nil
}

// tokens is the total token usage of the session so far.
type tokens struct {
	Total struct {
		Tokens int `json:"total_tokens"`
	} `json:"total_token_usage"`
}

// control lists the types of records and payloads that carry no work of the agent, or repeat another
// record.
var control = lazy.Words(`
	turn_context world_state compacted inter_agent_communication_metadata inter_agent_communication reasoning
	agent_message compaction compaction_summary context_compaction ghost_snapshot image_generation_call other`)

func (r *reader) record(rec *record, span episode.Span) {
	at := place{at: span, time: rec.Timestamp}
	if r.copied {
		r.copied = !r.resumes(rec)
	}
	switch {
	case rec.Type == "session_meta":
		r.session(rec)
	case rec.Type == "event_msg":
		r.event(&rec.Payload, at)
	case rec.Type == "response_item":
		r.item(&rec.Payload, at)
	case rec.RecordType != "" || control()[rec.Type]:
	case rec.Type == "" && rec.ID != "":
		if s := &r.Session; s.ID == "" {
			s.ID, s.Started = rec.ID, rec.Timestamp
			s.On(rec.Git.Branch)
		}
	default: // flat, or a type nobody knows
		at.time, rec.item.Type = "", rec.Type
		r.item(&rec.item, at)
	}
}

// place is the position and the time of a record.
type place struct {
	at   episode.Span
	time string
}

func (r *reader) put(p place, t turns.Turn) {
	if r.copied || r.guardian {
		return
	}
	t.At, t.Time = p.at, p.time
	r.stopped = t.Role == turns.Stop
	r.hold(t)
}

// session reads the metadata in the first record of its type. Later ones are written when a session
// resumes, or belong to the thread that this one was forked from and precede its history.
func (r *reader) session(rec *record) {
	s, meta := &r.Session, &rec.Payload
	if s.ID != "" {
		r.copied = r.copied || meta.ID != s.ID
		return
	}
	s.ID, s.Dir, s.Started = meta.ID, meta.Cwd, meta.Timestamp
	s.On(meta.Git.Branch)
	s.Started = cmp.Or(s.Started, rec.Timestamp)
	by, sub := meta.subagent()
	if !sub {
		return
	}
	s.Agent, s.Parent = meta.ID, meta.Parent
	if meta.SessionID != "" && meta.SessionID != meta.ID {
		s.Parent = meta.SessionID
	}
	s.Parent = cmp.Or(s.Parent, by.Spawn.Parent)
	r.guardian = by.Other == "guardian"
}

// starter is what started a sub-agent.
type starter struct {
	Other string `json:"other"`
	Spawn struct {
		Parent string `json:"parent_thread_id"`
	} `json:"thread_spawn"`
}

// subagent returns what started the sub-agent of a rollout; is is false for a session.
func (meta *item) subagent() (by starter, is bool) {
	var source struct {
		Subagent json.RawMessage `json:"subagent"`
	}
	turns.Decode(meta.Source, &source) // of sessions it is a text
	turns.Decode(source.Subagent, &by)
	return by, source.Subagent != nil || meta.Parent != ""
}

// pause is how much later than the record before it the first prompt after a copied history is
// written. The history itself is written in one go.
const pause = 500 * time.Millisecond

// resumes reports whether a record begins the part of a fork that is its own: where starts of turns
// are not recorded, it is a prompt after a pause.
func (r *reader) resumes(rec *record) bool {
	before := r.written
	r.written, _ = time.Parse(time.RFC3339, rec.Timestamp)
	created, err := time.Parse(time.RFC3339, r.Session.Started)
	return rec.Type == "response_item" && rec.Payload.Role == "user" && !r.turned && err == nil && !before.IsZero() &&
		r.written.After(created) && r.written.Sub(before) > pause
}

// event reads an event, which records what the screen showed.
func (r *reader) event(ev *item, p place) {
	switch ev.Type {
	case "task_started", "turn_started":
		if created, err := time.Parse(time.RFC3339, r.Session.Started); err != nil ||
			ev.StartedAt == 0 || ev.StartedAt >= created.Unix() {
			r.copied = false // a turn of its own
		}
		r.turned = true
	case "turn_aborted":
		if ev.Reason == "" || ev.Reason == "interrupted" {
			r.stop(p)
		}
	case "token_count":
		if !r.copied {
			r.Session.Tokens = max(r.Session.Tokens, ev.Info.Total.Tokens)
		}
	case "thread_name_updated":
		r.Session.Title = ev.ThreadName
	case "item_completed":
		r.completed(&ev.Item, p)
	case "exec_command_end", "patch_apply_end", "mcp_tool_call_end":
		if c := r.calls[ev.CallID]; c != nil {
			c.ended(ev)
		}
	default:
		if !screen().MatchString(ev.Type) {
			r.Unknown(ev.Type)
		}
	}
}

// screen matches the other known events. They repeat an item, or concern only the screen.
var screen = lazy.Pattern(`^(?:(?:user|agent)_message|agent_reasoning|(?:task|turn)_complete|context_compacted|sub_agent_activity|` +
	`thread_(?:settings_applied|rolled_back|goal_updated)|(?:entered|exited)_review_mode|item_started|plan_update|turn_diff|` +
	`(?:stream_)?error|warning|background_event|view_image_tool_call|session_configured|raw_response_item|deprecation_notice|request_\w+|\w+_request|` +
	`(?:hook|collab|guardian|undo|mcp|image_generation|dynamic_tool_call)_\w+|\w+_(?:begin|end|delta|raw_content|section_break))$`)

// stop emits an interruption once, although the file has it twice: as an event, and as a message to
// the model.
func (r *reader) stop(p place) {
	if r.stopped {
		return
	}
	r.put(p, turns.Turn{Role: turns.Stop})
}

// item reads a response item, which records what the model saw.
func (r *reader) item(it *item, p place) {
	switch it.Type {
	case "message":
		r.message(it, p)
		return
	case "function_call", "custom_tool_call", "local_shell_call", "tool_search_call", "web_search_call":
		r.call(it, p)
		return
	case "function_call_output", "custom_tool_call_output", "tool_search_output":
		r.output(it, p)
		return
	}
	if !control()[it.Type] {
		r.Unknown(it.Type)
	}
}

func (r *reader) message(it *item, p place) {
	switch it.Role {
	case "assistant":
		if text := strings.Join(it.Content, "\n"); strings.TrimSpace(text) != "" {
			r.put(p, turns.Turn{Role: turns.Agent, Text: text})
		}
	case "user":
		var typed []string
		for _, text := range it.Content {
			if strings.HasPrefix(text, abortMark) {
				r.stop(p)
				return
			}
			if text = own(text); text != "" {
				typed = append(typed, text)
			}
		}
		if len(typed) > 0 && r.Session.Agent == "" { // the prompts of a sub-agent come from an agent
			r.put(p, turns.Turn{Role: turns.User, Text: strings.Join(typed, "\n")})
		}
	}
}

const abortMark = "<turn_aborted>"

// injected are prefixes of messages in the role of the user that no human typed.
var injected = []string{
	"<INSTRUCTIONS>", "<skill", "<permissions instructions>",
	"<collaboration_mode>", "<model_switch>", "<user_action>", "<user_shell_command>", "<subagent_notification>", "<recommended_plugins", "<plugin",
	"<apps_instructions>", "<codex_delegation>", "## Code review guidelines:", "<image", "</image>", "<hook_prompt", "<goal_context>", "Warning: ", "PLEASE IMPLEMENT THIS PLAN:",
	"Another language model started to solve this problem", "You were originally given instructions from a user",
}

// requestMark precedes the user's words in a prompt to which an editor added its state.
const requestMark = "\n## My request for Codex:"

// own returns the part of a message that the user typed.
func own(text string) string {
	if _, request, found := strings.Cut(text, requestMark); found && strings.HasPrefix(strings.TrimSpace(text), "# ") {
		text = request
	}
	text = strings.TrimSpace(text)
	return turns.Typed(text, injected...)
}
