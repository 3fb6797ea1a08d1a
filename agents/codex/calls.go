package codex

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"episodes/internal/turns"
)

// call is a call without a result so far.
type call struct {
	ids  []string // the ids of its turns; several in code mode
	as   string   // the call whose process it polls
	ask  bool
	code bool // in code mode

	exit  *int // of the result, from an event
	state turns.State
}

// ended keeps the exit code and state of an event, for a result that has neither.
func (c *call) ended(ev *item) {
	switch {
	case ev.Type == "exec_command_end":
		c.exit = ev.ExitCode
	case ev.Type == "patch_apply_end" && ev.Success != nil && *ev.Success:
		c.state = turns.OK
	case ev.Type == "patch_apply_end" && ev.Success != nil:
		c.state = turns.Failed
	case ev.Type == "mcp_tool_call_end":
		var res struct {
			Ok *struct {
				IsError bool `json:"isError"`
			}
			Err json.RawMessage
		}
		turns.Decode(ev.Result, &res)
		switch {
		case res.Err != nil || res.Ok != nil && res.Ok.IsError:
			c.state = turns.Failed
		case res.Ok != nil:
			c.state = turns.OK
		}
	}
	if ev.Status == "declined" {
		c.state = turns.Refused
	}
}

// arguments are those that are read besides what all agents have.
type arguments struct {
	Sandbox   string `json:"sandbox_permissions"`
	Escalated bool   `json:"with_escalated_permissions"`
	SessionID number `json:"session_id"` // write_stdin
	CellID    number `json:"cell_id"`    // wait
}

// words are a command: a string, or a list of arguments.
type words string

// UnmarshalJSON never fails.
func (w *words) UnmarshalJSON(data []byte) error {
	var s string
	var argv []string
	if json.Unmarshal(data, &s) == nil {
		*w = words(turns.Script(s))
	} else if json.Unmarshal(data, &argv) == nil {
		*w = words(turns.Command(argv))
	}
	return nil
}

// number is a number, or a string that names something.
type number string

// UnmarshalJSON never fails.
func (n *number) UnmarshalJSON(data []byte) error {
	*n = number(strings.Trim(string(data), `"`))
	return nil
}

func (r *reader) call(it *item, p place) {
	name, raw := it.Name, it.Arguments
	switch it.Type {
	case "local_shell_call":
		name = "local_shell"
		raw, _ = json.Marshal(map[string]any{"command": it.Action.Command, "workdir": it.Action.Dir})
	case "web_search_call":
		name = "web_search"
		raw, _ = json.Marshal(map[string]any{"query": strings.TrimSpace(it.Action.Query + " " + it.Action.Pattern), "url": it.Action.URL})
	case "tool_search_call":
		name = "tool_search"
	case "custom_tool_call":
		if name == codeTool {
			r.code(it, p)
			return
		}
		raw, _ = json.Marshal(it.Input)
	}
	var args turns.Inner[arguments]
	_ = args.UnmarshalJSON(raw)
	c := &call{ids: []string{it.CallID}, ask: turns.KindOf(name) == turns.Ask}
	if it.CallID != "" && !r.copied {
		r.calls[it.CallID] = c
	}
	if c.as = r.started(name, &args.Is); c.as != "" || r.passes && name == "wait" {
		return // it only waits
	}
	made := turns.CallOf(it.CallID, name, raw)
	made.Outside = args.Is.Escalated || args.Is.Sandbox == escalated
	if patch := patchOf(made.Command); patch != "" {
		made.Tool, made.Command, made.New, made.Files = turns.Edit, "", patch, turns.PatchFiles(patch)
	}
	if it.Namespace != "" {
		made.Name = it.Namespace + "." + name
	}
	r.put(p, turns.Turn{Role: turns.Call, Call: made})
}

// started is the call of the process that a call asks for; "" when it asks for none.
func (r *reader) started(name string, args *arguments) string {
	switch name {
	case "write_stdin":
		return r.processes[string(args.SessionID)]
	case "wait":
		return r.processes[cell+string(args.CellID)]
	}
	return ""
}

// escalated is the value of sandbox_permissions of a command outside of the sandbox.
const escalated = "require_escalated"

// cell begins the names of scripts of code mode among the processes.
const cell = "cell "

// patchOf is the patch that a shell command applies and nothing else: older models call
// apply_patch there.
func patchOf(command string) string {
	before, patch, found := strings.Cut(command, patchMark)
	patch, after, whole := strings.Cut(patch, patchEnd)
	if !found || !whole || !strings.Contains(before, "apply_patch") || len(strings.Fields(after)) > 1 {
		return ""
	}
	return patchMark + patch + patchEnd
}

const (
	patchMark = "*** Begin Patch"
	patchEnd  = "*** End Patch"
)

func (r *reader) output(it *item, p place) {
	c := r.calls[it.CallID]
	if c == nil {
		c = &call{ids: []string{it.CallID}}
	}
	delete(r.calls, it.CallID)
	if len(r.over) == mostEnded {
		clear(r.over)
	}
	r.over[it.CallID] = true
	out := it.Output
	if c.code || len(out) > 0 && scriptLine().MatchString(out[0]) {
		r.codeOutput(c, out, p)
		return
	}
	res, running := result(strings.Join(out, "\n"))
	if res.Exit == nil && res.State != turns.Running {
		res.Exit = c.exit
	}
	res.State = cmp.Or(res.State, c.state)
	if c.ask {
		res.Said = answers(res.Text)
	}
	r.ended(c, c.ids[0], res, running, p)
}

// ended emits a result, which may belong to a process that an earlier call started.
func (r *reader) ended(c *call, id string, res *turns.ToolResult, running string, p place) {
	res.ID = id
	if c.as != "" {
		res.ID = c.as
	}
	if running != "" {
		r.processes[running] = res.ID
	}
	if res.State != turns.Running && c.as != "" {
		maps.DeleteFunc(r.processes, func(_, id string) bool { return id == c.as })
	}
	if r.exited[res.ID] {
		return // its item was the result
	}
	r.put(p, turns.Turn{Role: turns.Result, Result: res})
}

// answers returns the user's answers, sorted by the names of the questions.
func answers(text string) string {
	var said struct {
		Answers map[string]struct {
			Answers []string `json:"answers"`
		} `json:"answers"`
	}
	if !turns.Decode([]byte(text), &said) {
		return ""
	}
	var all []string
	for _, question := range slices.Sorted(maps.Keys(said.Answers)) {
		all = append(all, said.Answers[question].Answers...)
	}
	return strings.Join(all, "\n")
}
