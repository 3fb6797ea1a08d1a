package agent

// Moment is when an agent calls a hook.
type Moment uint8

// The moments. A hook gives no answer at a Silent one: the agent would ignore it, or there is
// nothing to answer.
const (
	Silent Moment = iota
	Start         // a session begins, resumes, or was compacted
	Prompt        // the user submitted a prompt
	Before        // a tool call is about to run
	After         // a tool call ended; its result says whether it failed
	Failed        // a tool call failed
	End           // a turn or a session ended: its transcript can be read
)

// String returns the name of the moment, in lower case.
func (m Moment) String() string {
	return [...]string{"silent", "start", "prompt", "before", "after", "failed", "end"}[m]
}

// Hooks describes the hooks of an agent.
type Hooks struct {
	Fields Fields
	// Events lists the events of the agent, including those that setup does not wire, since a user
	// may wire them by hand. Users' settings contain the names, so these never change.
	Events []Event
}

// Event is one hook event of an agent.
type Event struct {
	Name   string // as the agent spells it
	Also   string // a second spelling; "" if there is only one
	Moment Moment
	// Answer wraps a text in the JSON value that the agent accepts as the answer to an event. The
	// answer only adds context: it allows, denies and changes nothing. Nil at Silent and End.
	Answer func(event, text string) any
	// Worked says that the agent fires the event only for a tool that exited with 0, unless the
	// payload says otherwise.
	Worked bool
	// Wired says that setup adds the event to the agent's settings, in the order of Events.
	Wired bool
	// Tools restricts a wired event to some tools, in the syntax of the agent's settings; "" means all.
	Tools string
}

// Fields are the names of fields in hook payloads. Of several names the first one present is used.
type Fields struct {
	Session, Sub, Cwd, Source      []string
	Tool, Input, Response, Failure []string
	Command                        []string // of a payload about a command line alone
	Stopped, Prompt, Transcript    []string
	Own                            []string // the transcript of a sub-agent
}

// Snake returns the snake_case field names that several agents share.
func Snake() Fields {
	return Fields{
		Session: []string{"session_id"}, Sub: []string{"agent_id"}, Cwd: []string{"cwd"}, Source: []string{"source"},
		Tool: []string{"tool_name"}, Input: []string{"tool_input"},
		Response: []string{"tool_response", "tool_result", "tool_output"},
		Failure:  []string{"error", "error_message"}, Stopped: []string{"is_interrupt"}, Prompt: []string{"prompt"},
		Transcript: []string{"transcript_path"}, Own: []string{"agent_transcript_path"},
	}
}

// Event returns the event with a name, in either spelling; ok is false if there is no such event.
func (h *Hooks) Event(name string) (e *Event, ok bool) {
	for i := range h.Events {
		if e = &h.Events[i]; name != "" && (e.Name == name || e.Also == name) {
			return e, true
		}
	}
	return nil, false
}

// Wired returns the events that setup adds to the agent's settings.
func (h *Hooks) Wired() (out []Event) {
	for _, e := range h.Events {
		if e.Wired {
			out = append(out, e)
		}
	}
	return out
}

// Specific returns an answer of the form {"hookSpecificOutput":{"hookEventName":…,"additionalContext":…}}.
func Specific(event, text string) any {
	type output struct {
		Event string `json:"hookEventName"`
		Text  string `json:"additionalContext"`
	}
	return struct {
		Output output `json:"hookSpecificOutput"`
	}{output{event, text}}
}
