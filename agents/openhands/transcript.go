// Package openhands reads the sessions of OpenHands, which are lists of events. A list is the whole
// file (the app's download of a trajectory), the member "events" of an export of the app, or the
// member "history" of a line, one session per line, in the output of an evaluation or of the
// resolver. An event has the form of the app (an action or an observation) or of the SDK (a kind).
//
// transcript.go reads files and sessions and passes each event to events.go (app) or sdk.go (SDK).
// Both emit turns by the methods of reader in transcript.go, which match results to calls.
//
// Spans count the events of a file, even if each line is a session: a span of one line would cover a
// whole session. The sessions of a file form one episode. Its task and its outcome are those of the
// first session. The others have tasks of their own and do not fix failures of each other, so they
// are read as sub-agents. Whether an evaluation or the resolver reports success is a claim, and is
// ignored.
package openhands

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"episodes/agents/agent"
	"episodes/episode"
	"episodes/internal/turns"
)

// Agent is OpenHands.
var Agent = agent.Agent{
	Name: "openhands", Title: "OpenHands",
	Format: &turns.Format{Name: "openhands", Title: "OpenHands", Detect: detect, Read: read},
}

// detect reports whether head begins a file of OpenHands events.
func detect(head []byte) bool {
	shape := turns.ShapeOf(head)
	for _, list := range []string{"", "events", "history", "trajectory", "history[]"} {
		has := func(member string) bool { return shape.Has(list + "[]." + member) }
		switch {
		case has("kind") && (has("llm_message") || has("tool_call_id")),
			has("action") && has("args") && has("source"),
			list != "trajectory" && has("action") && has("observation") && (has("thought") || has("cause")):
			return true
		}
	}
	return shape.Has("history") && shape.Has("instruction") && shape.Has("metadata.agent_class")
}

// read reads all sessions of a file.
func read(in *turns.Reader) error {
	in.Session.Unit = "step"
	r := &reader{Reader: in}
	err := in.Document(r.read)
	if r.sessions > 1 {
		in.Note(0, "other-sessions", fmt.Sprintf("the file has %d sessions; task and outcome are those of the first", r.sessions))
	}
	return err
}

type reader struct {
	*turns.Reader
	sessions int // sessions so far, including the current one
	session
}

// session is the state of the session that is being read.
type session struct {
	name    string // its name as a sub-agent, "" for the first session
	task    bool   // the task was emitted
	running string // the id of the command that is still running
	input   string // the call that sent it input, or waits
}

func (r *reader) read(d *turns.Document) {
	r.value(d, true)
	for d.Next() {
		r.value(d, false)
	}
}

// value reads a top-level value of the file, which holds a session.
func (r *reader) value(d *turns.Document, first bool) {
	before := r.At
	event := func(n int) {
		if n == 1 {
			r.begin()
		}
		r.At = before + n
		var events pair
		if !d.Value(&events) {
			return
		}
		if len(events) == 0 {
			r.Torn(r.At)
		}
		for i := range events {
			r.event(&events[i], episode.Span{r.At, r.At})
		}
	}
	d.Either(func(name string) {
		switch name {
		case "history", "events", "trajectory":
			d.Elements(event)
			return
		case "conversation":
			var c conversation
			d.Value(&c)
			if first {
				r.conversation(&c)
			}
			return
		case "metrics":
			var m struct {
				Cost  float64 `json:"accumulated_cost"`
				Usage struct {
					Prompt     int `json:"prompt_tokens"`
					Completion int `json:"completion_tokens"`
				} `json:"accumulated_token_usage"`
			}
			d.Value(&m)
			r.Session.Tokens += m.Usage.Prompt + m.Usage.Completion
			r.Session.Cost += m.Cost
			return
		case "instance_id":
			if first {
				d.Value(&r.Session.Task)
				return
			}
		}
		d.Skip()
	}, event)
}

// begin starts a session that has events.
func (r *reader) begin() {
	r.session = session{}
	if r.sessions++; r.sessions > 1 {
		r.name = "session " + strconv.Itoa(r.sessions)
	}
}

// conversation is the app's metadata of a session.
type conversation struct {
	ConversationID string `json:"conversation_id"`
	ID             string `json:"id"`
	Title          string `json:"title"`
	CreatedAt      string `json:"created_at"`
	SelectedBranch string `json:"selected_branch"`
}

func (r *reader) conversation(c *conversation) {
	r.Session.ID = c.ConversationID
	if c.ConversationID == "" {
		r.Session.ID = c.ID
	}
	r.Session.Title = c.Title
	r.Session.On(c.SelectedBranch)
	if t := utc(c.CreatedAt); t != "" {
		r.Session.Started = t
	}
}

// utc converts a time to RFC 3339. OpenHands writes times without a zone; as in logs, they are taken
// for UTC.
func utc(s string) string {
	if _, err := time.Parse(time.RFC3339, s); err == nil {
		return s
	}
	if _, err := time.Parse("2006-01-02T15:04:05", s); err == nil {
		return s + "Z"
	}
	return ""
}

// pair is an element of a history: one event, or in the evaluations of 2024 an action with its
// observation.
type pair []event

// UnmarshalJSON never fails: a value that is neither an object nor an array yields no events.
func (p *pair) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '[':
		turns.Decode(data, (*[]event)(p))
	case '{':
		*p = make(pair, 1)
		turns.Decode(data, &(*p)[0])
	}
	return nil
}

// event is an event of the app or of the SDK. In the output of the resolver of 2024, the members of
// args and extras are members of the event itself.
type event struct {
	arguments
	ID          json.RawMessage `json:"id"`
	Timestamp   string          `json:"timestamp"`
	Source      string          `json:"source"`
	Message     string          `json:"message"`
	Action      action          `json:"action"`
	Observation observation     `json:"observation"`
	Cause       json.RawMessage `json:"cause"`
	Content     turns.Content   `json:"content"`
	Args        arguments       `json:"args"`
	Extras      extras          `json:"extras"`
	ExitCode    *int            `json:"exit_code"`

	Kind            string        `json:"kind"` // this and the following fields: of the SDK
	LLMMessage      llmMessage    `json:"llm_message"`
	ToolName        string        `json:"tool_name"`
	ToolCallID      string        `json:"tool_call_id"`
	Error           turns.Content `json:"error"`
	RejectionReason string        `json:"rejection_reason"`
	RejectionSource string        `json:"rejection_source"`
}

type llmMessage struct {
	Content turns.Content `json:"content"`
}

// arguments are the arguments of an action, of any tool.
type arguments struct {
	Kind         string                      `json:"kind"`
	Command      string                      `json:"command"`
	IsInput      bool                        `json:"is_input"`
	Cwd          string                      `json:"cwd"`
	Code         string                      `json:"code"`
	Thought      turns.Content               `json:"thought"`
	FinalThought string                      `json:"final_thought"`
	Message      string                      `json:"message"`
	Content      turns.Loose[string]         `json:"content"`
	Path         string                      `json:"path"`
	FileText     string                      `json:"file_text"`
	OldStr       string                      `json:"old_str"`
	NewStr       string                      `json:"new_str"`
	URL          string                      `json:"url"`
	Task         string                      `json:"task"`
	Inputs       turns.Loose[map[string]any] `json:"inputs"`
	AgentState   string                      `json:"agent_state"`
	WaitForReply bool                        `json:"wait_for_response"`
}

// extras are the fields of an observation besides its content.
type extras struct {
	ExitCode *int     `json:"exit_code"`
	Metadata metadata `json:"metadata"`
	Error    bool     `json:"error"`
	ErrorID  string   `json:"error_id"`
}

type metadata struct {
	ExitCode   *int   `json:"exit_code"`
	WorkingDir string `json:"working_dir"`
}

// action is the name of an action of the app, or the arguments of one of the SDK.
type action struct {
	Name string
	arguments
	raw json.RawMessage // of the SDK
}

// UnmarshalJSON never fails: an action of an unknown form is empty.
func (a *action) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &a.Name) != nil {
		turns.Decode(data, &a.arguments)
		a.raw = bytes.Clone(data)
	}
	return nil
}

// observation is the name of an observation of the app, or one of the SDK.
type observation struct {
	Name string
	seen
}

type seen struct {
	Kind     string        `json:"kind"`
	Content  turns.Content `json:"content"`
	Output   turns.Content `json:"output"`
	IsError  *bool         `json:"is_error"`
	Error    *bool         `json:"error"`
	ExitCode *int          `json:"exit_code"`
	Metadata metadata      `json:"metadata"`
}

// UnmarshalJSON never fails: an observation of an unknown form is empty.
func (o *observation) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &o.Name) != nil {
		turns.Decode(data, &o.seen)
	}
	return nil
}

func (r *reader) event(e *event, at episode.Span) {
	when := utc(e.Timestamp)
	r.Session.Started = cmp.Or(r.Session.Started, when)
	t := turns.Turn{At: at, Time: when, Sub: r.name}
	switch {
	case e.Kind != "":
		r.sdk(e, t)
	case e.Action.Name != "":
		r.action(e, t)
	case e.Observation.Name != "":
		r.observation(e, t)
	}
}

// call emits a call, unless it sends input to the running command. input says that it is such a call.
func (r *reader) call(t turns.Turn, c *turns.ToolCall, input bool) {
	c.ID = r.own(c.ID)
	if c.Tool == turns.Shell && r.running != "" && (input || c.Command == "") {
		r.input = c.ID
		return
	}
	r.Call(t, c)
}

// result emits a result. The result of sending input belongs to the running command.
func (r *reader) result(t turns.Turn, res *turns.ToolResult) {
	res.ID = r.own(res.ID)
	if res.ID == r.input && r.input != "" {
		res.ID = r.running
	}
	if res.State == turns.Running {
		r.running = res.ID
	} else if res.ID == r.running {
		r.running, r.input = "", ""
	}
	r.Result(t, res)
}

// own returns an id that is unique in the file, since the events of each session are numbered from
// the start.
func (r *reader) own(id string) string {
	if id == "" || r.name == "" {
		return id
	}
	return r.name + " " + id
}

// say emits a message of the agent.
func (r *reader) say(t turns.Turn, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	r.Say(t, turns.Agent, strings.TrimSpace(text))
}

// ask emits a message of the user. The first one of a session is its task.
func (r *reader) ask(t turns.Turn, text string) {
	first := !r.task
	r.task = true
	if text = typed(text, first); text == "" {
		return
	}
	if t.Role, t.Text = turns.User, text; first && r.name != "" { // it does not reply to the session before
		t.Role, t.Text, t.Call = turns.Call, "", &turns.ToolCall{Name: r.name, Tool: turns.Delegate, Text: text}
	}
	r.Put(t)
}

// taskMarks enclose the task in the prompts of evaluations and of the resolver.
var taskMarks = [][2]string{
	{"<issue_description>", "</issue_description>"}, {"<pr_description>",
		"</pr_description>"}, {"# Problem Statement\n", "\n\nIMPORTANT:"},
}

// generated are prefixes of messages that an evaluation sends in the role of the user.
var generated = []string{"Please continue working on the task on whatever approach you think is suitable."}

func typed(text string, first bool) string {
	for _, g := range generated {
		if strings.HasPrefix(strings.TrimSpace(text), g) {
			return ""
		}
	}
	for _, m := range taskMarks {
		if _, inner, found := strings.Cut(text, m[0]); found && first {
			text, _, _ = strings.Cut(inner, m[1])
			break
		}
	}
	return strings.TrimSpace(text)
}
