package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/extract/actions"
)

// Event is the payload of an invocation, in the same form for all agents.
type Event struct {
	Moment  agent.Moment
	Session string // untrusted, like all that follows
	Sub     string // the sub-agent that acts; "": the agent itself
	Cwd     string // "" when the payload does not name an absolute path
	Source  string // how a session came to start
	Prompt  string
	Call    *actions.Live // nil at moments without a tool
	Result  Result        // of Call, where it has ended

	Transcript string // "" when the payload names none
	Going      bool   // the turn goes on because a hook asked
}

// maxPayload is the size in bytes of the largest payload that is read.
const maxPayload = 4 << 20

var (
	errTooLarge = errors.New("the payload is too large")
	errNoObject = errors.New("the payload is no JSON object")
)

// payload are the members of a payload.
type payload map[string]json.RawMessage

func parse(data []byte) (payload, error) {
	if len(data) > maxPayload {
		return nil, errTooLarge
	}
	var p payload
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &p); err != nil || p == nil {
		return nil, errNoObject // the error would quote it
	}
	return p, nil
}

// raw is the first of some members that is there.
func (p payload) raw(names string) json.RawMessage {
	for name := range strings.FieldsSeq(names) {
		if v, ok := p[name]; ok && string(v) != "null" {
			return v
		}
	}
	return nil
}

// text is the first of some members that is a text, or a list that begins with one.
func (p payload) text(names string) string {
	for name := range strings.FieldsSeq(names) {
		var s string
		if json.Unmarshal(p[name], &s) == nil && s != "" {
			return s
		}
		var list []string
		if json.Unmarshal(p[name], &list) == nil && len(list) > 0 && list[0] != "" {
			return list[0]
		}
	}
	return ""
}

func (p payload) flag(names string) bool {
	var b bool
	return json.Unmarshal(p.raw(names), &b) == nil && b
}

// sender returns the agent that sent a payload to the hook of a named one: that agent, or another
// one that runs its hooks.
func (p payload) sender(named *agent.Agent) *agent.Agent {
	for _, a := range agents.Which(agents.HasHooks) {
		if _, marked := p[a.Hooks.Mark]; marked && a.Hooks.Shares == named.Name {
			return a
		}
	}
	return named
}

// read makes an Event of a payload at an event of an agent.
func (p payload) read(a *agent.Agent, e *agent.Event) *Event {
	f, u := &a.Hooks.Fields, unwrap(a.Unwrap)
	v := &Event{Moment: e.Moment, Session: p.text(f.Session), Sub: p.text(f.Sub), Source: p.text(f.Source), Prompt: p.text(f.Prompt),
		Transcript: p.text(f.Own + " " + f.Transcript), Going: p.flag("stop_hook_active")}
	if cwd := p.text(f.Cwd); filepath.IsAbs(cwd) {
		v.Cwd = filepath.Clean(cwd)
	}
	if e.Moment != agent.Before && e.Moment != agent.After && e.Moment != agent.Failed {
		return v
	}
	name, args := p.text(f.Tool), p.raw(f.Input)
	if command := p.text(f.Command); name == "" && command != "" {
		name = "shell"
		args, _ = json.Marshal(map[string]string{"command": command})
	}
	v.Call = actions.LiveCall(name, args)
	switch e.Moment {
	case agent.After:
		v.Result = u.result(p.raw(f.Response), 0)
		if zero := 0; e.Worked && v.Result.Exit == nil && v.Result.Said == actions.Unsaid {
			v.Result.Exit = &zero
		}
	case agent.Failed:
		v.Result = u.result(p.raw(f.Failure+" "+f.Response), 0)
		v.Result.Said = actions.DidFail
		v.Result.Stopped = v.Result.Stopped || p.flag(f.Stopped)
	}
	return v
}
