package openhands

import (
	"cmp"
	"encoding/json"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// sdkControl lists the kinds of events that carry no work of the agent.
var sdkControl = lazy.Words(`
	SystemPromptEvent Condensation CondensationRequest CondensationSummaryEvent ConversationStateUpdateEvent
	ConversationErrorEvent TokenEvent LLMCompletionLogEvent StreamingDeltaEvent HookExecutionEvent`)

// sdk reads an event of the SDK.
func (r *reader) sdk(e *event, t turns.Turn) {
	switch e.Kind {
	case "MessageEvent":
		if e.Source == "user" {
			r.ask(t, string(e.LLMMessage.Content))
			return
		}
		if e.Source == "agent" {
			r.say(t, string(e.LLMMessage.Content))
			return
		}
		return
	case "ActionEvent":
		r.sdkAction(e, t)
		return
	case "PauseEvent", "InterruptEvent":
		r.Stop(t)
		return
	}
	res := &turns.ToolResult{ID: e.ToolCallID}
	switch e.Kind {
	case "ObservationEvent":
		if e.ToolName == "finish" || e.ToolName == "think" {
			return
		}
		r.seen(res, &e.Observation.seen)
	case "AgentErrorEvent":
		res.State, res.Text = turns.Failed, string(e.Error)
	case "UserRejectObservation":
		res.State, res.Said = turns.Refused, e.RejectionReason
		if e.RejectionSource == "hook" {
			res.State, res.Text, res.Said = turns.NotRun, e.RejectionReason, ""
		}
	default:
		if !sdkControl()[e.Kind] {
			r.Unknown(e.Kind)
		}
		return
	}
	r.result(t, res)
}

func (r *reader) seen(res *turns.ToolResult, s *seen) {
	if dir := s.Metadata.WorkingDir; dir != "" && r.Session.Dir == "" {
		r.Session.Dir = dir
	}
	res.Text = cmp.Or(string(s.Content), string(s.Output))
	if res.Exit = s.ExitCode; res.Exit == nil {
		res.Exit = s.Metadata.ExitCode
	}
	Unwrap(res)
	failed := cmp.Or(s.IsError, s.Error)
	switch {
	case failed == nil || res.State != turns.Unsaid:
	case *failed:
		res.State = turns.Failed
	case res.Exit == nil || *res.Exit == 0:
		res.State = turns.OK
	}
}

func (r *reader) sdkAction(e *event, t turns.Turn) {
	if e.ToolName == "think" {
		return
	}
	r.say(t, string(e.arguments.Thought))
	a := &e.Action.arguments
	if e.ToolName == "finish" {
		r.say(t, a.Message)
		return
	}
	c := turns.CallOf(e.ToolCallID, e.ToolName, e.Action.toolArguments())
	r.call(t, c, a.IsInput)
}

// toolArguments returns the arguments as JSON. Tools of an MCP server have them in the member "data".
func (a *action) toolArguments() json.RawMessage {
	var of struct {
		Data json.RawMessage `json:"data"`
	}
	if turns.Decode(a.raw, &of); len(of.Data) > 0 && of.Data[0] == '{' {
		return of.Data
	}
	return a.raw
}
