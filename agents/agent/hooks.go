package agent

// Moment is when an agent calls a hook.
type Moment uint8

// The moments. At Silent ones nothing is asked, since the agent drops the answer or there is
// nothing to ask.
const (
	Silent Moment = iota
	Start         // a session begins, goes on, or was compacted
	Prompt        // a person gave a task
	Before        // a tool is about to be called
	After         // a tool was called; its result says whether it failed
	Failed        // a tool was called and failed
	End           // a turn or a session ended: its transcript can be read
)

// String names the moment.
func (m Moment) String() string {
	return [...]string{"silent", "start", "prompt", "before", "after", "failed", "end"}[m]
}

// Hooks is how an agent calls hooks.
type Hooks struct {
	Fields Fields
	// Events are those that the agent has, also ones that are not wired: a user may have wired
	// them by hand. Names stand in the settings of users and never change.
	Events []Event
}

// Event is how an agent calls at one moment.
type Event struct {
	Name   string // as the agent spells it
	Also   string // another spelling of it; "": it has one
	Moment Moment
	// Answer makes of a text what the agent takes for an answer to the event of a name. Nil at
	// Silent and End. An answer allows, denies and changes nothing.
	Answer func(event, text string) any
	// Worked says that the agent calls only where the tool exited with 0, unless the payload
	// says otherwise.
	Worked bool
	// Wired says that setup wires it, in the order of the events.
	Wired bool
	// Tools are those that a wired event is about, as the agent's settings name them; "": all.
	Tools string
}

// Fields are the names under which payloads have things. The first that is there counts.
type Fields struct {
	Session, Sub, Cwd, Source      []string
	Tool, Input, Response, Failure []string
	Command                        []string // of a payload about a command line alone
	Stopped, Prompt, Transcript    []string
	Own                            []string // the transcript of a sub-agent
}

// Snake are the names of fields that several agents share.
func Snake() Fields {
	return Fields{
		Session: []string{"session_id"}, Sub: []string{"agent_id"}, Cwd: []string{"cwd"}, Source: []string{"source"},
		Tool: []string{"tool_name"}, Input: []string{"tool_input"},
		Response: []string{"tool_response", "tool_result", "tool_output"},
		Failure:  []string{"error", "error_message"}, Stopped: []string{"is_interrupt"}, Prompt: []string{"prompt"},
		Transcript: []string{"transcript_path"}, Own: []string{"agent_transcript_path"},
	}
}

// Event is the event of a name; ok is false where there is none.
func (h *Hooks) Event(name string) (e *Event, ok bool) {
	for i := range h.Events {
		if e = &h.Events[i]; name != "" && (e.Name == name || e.Also == name) {
			return e, true
		}
	}
	return nil, false
}

// Wired are the events that setup wires.
func (h *Hooks) Wired() (out []Event) {
	for _, e := range h.Events {
		if e.Wired {
			out = append(out, e)
		}
	}
	return out
}

// Specific is an answer of the form {"hookSpecificOutput":{"hookEventName":…,"additionalContext":…}}.
func Specific(event, text string) any {
	type output struct {
		Event string `json:"hookEventName"`
		Text  string `json:"additionalContext"`
	}
	return struct {
		Output output `json:"hookSpecificOutput"`
	}{output{event, text}}
}
