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

// arguments are those of the tools that are known.
type arguments struct {
	Cmd       words            `json:"cmd"`     // exec_command
	Command   words            `json:"command"` // shell, shell_command
	Workdir   string           `json:"workdir"`
	Sandbox   string           `json:"sandbox_permissions"`
	Escalated bool             `json:"with_escalated_permissions"`
	Input     string           `json:"input"` // apply_patch as a function
	Patch     string           `json:"patch"`
	Path      string           `json:"path"`
	FilePath  string           `json:"file_path"`
	Query     string           `json:"query"`
	Pattern   string           `json:"pattern"`
	Title     string           `json:"title"`
	Message   string           `json:"message"`
	Prompt    string           `json:"prompt"`
	TaskName  string           `json:"task_name"`
	SessionID number           `json:"session_id"` // write_stdin
	CellID    number           `json:"cell_id"`    // wait
	Chars     string           `json:"chars"`
	Questions []turns.Question `json:"questions"`
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

// tools are the kinds of the tools of Codex; all others are turns.Other.
var tools = map[string]turns.Tool{
	"exec_command": turns.Shell, "shell": turns.Shell, "shell_command": turns.Shell, "container.exec": turns.Shell, "local_shell": turns.Shell,
	"apply_patch": turns.Edit, "view_image": turns.Read, "read_file": turns.Read,
	"grep_files": turns.Search, "list_dir": turns.Search, "web_search": turns.Search, "tool_search": turns.Search, "web__run": turns.Search,
	"request_user_input": turns.Ask, "update_plan": turns.Plan,
	"spawn_agent": turns.Delegate, "send_input": turns.Delegate, "followup_task": turns.Delegate,
}

func (r *reader) call(it *item, p place) error {
	name := it.Name
	var args arguments
	switch it.Type {
	case "local_shell_call":
		name, args.Command, args.Workdir = "local_shell", words(turns.Command(it.Action.Command)), it.Action.Dir
	case "web_search_call":
		name, args.Query = "web_search", strings.TrimSpace(it.Action.Query+" "+it.Action.URL+" "+it.Action.Pattern)
	case "tool_search_call":
		name = "tool_search"
		turns.Decode(it.Arguments, &args)
	case "custom_tool_call":
		if name == codeTool {
			return r.code(it, p)
		}
		args.Input = it.Input
	default:
		var inner string
		turns.Decode(it.Arguments, &inner)
		turns.Decode([]byte(inner), &args)
	}
	c := &call{ids: []string{it.CallID}, ask: tools[name] == turns.Ask}
	if it.CallID != "" && !r.copied {
		r.calls[it.CallID] = c
	}
	if c.as = r.started(name, &args); c.as != "" || r.passes && name == "wait" {
		return nil // it only waits
	}
	made := toolCall(it.CallID, it.Namespace, name, &args)
	raw := it.Arguments
	if it.Type == "custom_tool_call" {
		raw, _ = json.Marshal(it.Input)
	}
	made.Unnamed(raw)
	return r.put(p, turns.Turn{Role: turns.Call, Call: made})
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

func toolCall(id, namespace, name string, args *arguments) *turns.ToolCall {
	c := &turns.ToolCall{ID: id, Name: name, Tool: tools[name]}
	if namespace != "" {
		c.Name = namespace + "." + name
	}
	switch c.Tool {
	case turns.Shell:
		c.Command, c.Dir = string(args.Cmd+args.Command), args.Workdir
		c.Outside = args.Escalated || args.Sandbox == escalated
		if patch := patchOf(c.Command); patch != "" {
			c.Tool, c.Command, c.New, c.Files = turns.Edit, "", patch, turns.PatchFiles(patch)
		}
	case turns.Edit:
		c.New = args.Input + args.Patch
		c.Files = turns.PatchFiles(c.New)
	case turns.Read:
		c.Files = []string{args.Path + args.FilePath}
	case turns.Ask:
		c.Asks(args.Questions)
	case turns.Delegate:
		c.Text = args.TaskName + " " + args.Prompt + args.Message
	default:
		c.Text = args.Query + " " + args.Pattern + " " + args.Title + args.Chars
	}
	c.Text = strings.TrimSpace(c.Text)
	return c
}

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

func (r *reader) output(it *item, p place) error {
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
		return r.codeOutput(c, out, p)
	}
	res, running := result(strings.Join(out, "\n"))
	if res.Exit == nil && res.State != turns.Running {
		res.Exit = c.exit
	}
	res.State = cmp.Or(res.State, c.state)
	if c.ask {
		res.Said = answers(res.Text)
	}
	return r.ended(c, c.ids[0], res, running, p)
}

// ended emits a result, which may belong to a process that an earlier call started.
func (r *reader) ended(c *call, id string, res *turns.ToolResult, running string, p place) error {
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
		return nil // its item was the result
	}
	return r.put(p, turns.Turn{Role: turns.Result, Result: res})
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
