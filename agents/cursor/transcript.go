package cursor

import (
	"cmp"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// This file reads the transcripts of Cursor's agents: JSON lines with messages and tool calls. They
// have no results, no ids, no folder, and at most the times of prompts.

// record is a line.
type record struct {
	Type      string `json:"type"`
	Role      string `json:"role"`
	Timestamp string `json:"timestamp"`
	UUID      string `json:"uuid"`
	Message   *struct {
		Content turns.Blocks `json:"content"`
	} `json:"message"`
}

// detect reports whether head begins a transcript of Cursor.
func detect(head []byte) bool {
	return turns.AnyLine(head, func(r *record) bool {
		return (r.Role == "user" || r.Role == "assistant") && r.UUID == "" && r.Type == "" &&
			r.Message != nil && len(r.Message.Content) > 0
	})
}

// read reads a transcript.
func read(in *turns.Reader) error {
	in.Session.NoResults = true
	r := &reader{in}
	return turns.Records(in, "", r.record)
}

type reader struct{ *turns.Reader }

func (r *reader) record(rec *record, at episode.Span) {
	if rec.Message == nil || rec.Role != "user" && rec.Role != "assistant" {
		if rec.Type != "turn_ended" {
			r.Unknown(rec.Type + rec.Role)
		}
		return
	}
	t := turns.Turn{At: at}
	if _, err := time.Parse(time.RFC3339, rec.Timestamp); err == nil {
		t.Time = rec.Timestamp
	}
	for i := range rec.Message.Content {
		r.block(rec.Role, &rec.Message.Content[i], t)
	}
}

func (r *reader) block(role string, b *turns.Block, t turns.Turn) {
	switch {
	case b.Type == "tool_use":
		r.Call(t, turns.CallOf(b.ID, b.Name, b.Input))
		return
	case b.Type != "text":
		r.Unknown(b.Type)
		return
	case role == "user":
		t.Role, t.Text = turns.User, typed(b.Text)
		if when := prompted(b.Text); when != "" && t.Time == "" {
			t.Time = when
		}
		r.Session.Started = cmp.Or(r.Session.Started, t.Time)
	default:
		t.Role, t.Text = turns.Agent, strings.TrimSpace(thinking().ReplaceAllString(b.Text, ""))
	}
	if t.Text == "" {
		return
	}
	r.Put(t)
}

var (
	// thinking matches the placeholder of redacted thinking, alone or below a message.
	thinking = lazy.Pattern(`(?m)^\s*\[REDACTED\]\s*$`)

	query = lazy.Pattern(`(?s)<user_query>(.*?)</user_query>`)
	// injected are parts of a prompt that Cursor writes.
	injected = lazy.Pattern(`(?s)<(?:timestamp|external_links|attached_files|system_reminder|system-reminder|open_and_recently_viewed_files|user_info|git_status|rules|agent_skills|manually_attached_skills|cursor_commands|image_files|project_layout|agent_transcripts|mcp_file_system|terminal_files_information|additional_data|current_file)[^>]*>.*?</[a-z_-]+>`)
	stamp    = lazy.Pattern(`<timestamp>\w+, (\w+ \d+, \d{4}, \d+:\d+ [AP]M) \(UTC([+-]\d+)?(?::(\d\d))?\)</timestamp>`)
)

// typed is the part of a prompt that a human typed.
func typed(text string) string {
	if queries := query().FindAllStringSubmatch(text, -1); len(queries) > 0 {
		var parts []string
		for _, q := range queries {
			parts = append(parts, strings.TrimSpace(q[1]))
		}
		return strings.Join(parts, "\n")
	}
	return strings.TrimSpace(injected().ReplaceAllString(text, ""))
}

// prompted is when a prompt was given, if it says so with a zone.
func prompted(text string) string {
	m := stamp().FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	local, err := time.Parse("Jan 2, 2006, 3:04 PM", m[1])
	if err != nil {
		return ""
	}
	offset, err := time.ParseDuration(cmp.Or(m[2], "+0") + "h" + cmp.Or(m[3], "0") + "m")
	if err != nil {
		return ""
	}
	return local.Add(-offset).Format(time.RFC3339)
}
