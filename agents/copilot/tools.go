package copilot

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// call is a call whose result has not come.
type call struct {
	name    string
	tool    turns.Tool
	as      string // the call of the shell that it polls
	shell   string // the shell that it names
	refused bool
	said    string // why
}

// arguments are those of the tools that are known, or the text of apply_patch.
type arguments struct {
	Command  string          `json:"command"`
	Path     string          `json:"path"`
	OldStr   string          `json:"old_str"`
	NewStr   string          `json:"new_str"`
	FileText string          `json:"file_text"`
	Pattern  string          `json:"pattern"`
	Query    string          `json:"query"`
	URL      string          `json:"url"`
	Question string          `json:"question"`
	Summary  string          `json:"summary"`
	Intent   string          `json:"intent"`
	Skill    string          `json:"skill"`
	Prompt   string          `json:"prompt"`
	ShellID  json.RawMessage `json:"shellId"`
	Session  json.RawMessage `json:"sessionId"` // of older versions
	patch    string
}

// UnmarshalJSON never fails.
func (a *arguments) UnmarshalJSON(data []byte) error {
	type plain arguments
	if len(data) > 0 && data[0] == '"' {
		turns.Decode(data, &a.patch)
		return nil
	}
	turns.Decode(data, (*plain)(a))
	return nil
}

func (a *arguments) shell() string {
	return strings.Trim(cmp.Or(string(a.ShellID), string(a.Session)), `"`)
}

// tools are the kinds of the tools of the Copilot CLI; all others are turns.Other.
var tools = map[string]turns.Tool{
	"bash": turns.Shell, "powershell": turns.Shell, "shell": turns.Shell,
	"edit": turns.Edit, "str_replace": turns.Edit, "str_replace_editor": turns.Edit, "apply_patch": turns.Edit,
	"create": turns.Write, "view": turns.Read,
	"rg": turns.Search, "grep": turns.Search, "glob": turns.Search, "web_search": turns.Search,
	"ask_user": turns.Ask, "exit_plan_mode": turns.Ask, "task": turns.Delegate,
	"report_intent": turns.Plan, "update_todo": turns.Plan, "sql": turns.Plan,
}

// asks are the tools that only deal with a shell that runs.
var asks = map[string]bool{
	"read_bash": true, "write_bash": true, "stop_bash": true,
	"read_powershell": true, "write_powershell": true, "stop_powershell": true,
}

func (r *reader) start(d *data, t turns.Turn) error {
	a := &d.Arguments.Is
	c := &call{name: d.ToolName, tool: tools[d.ToolName], shell: a.shell()}
	if d.ToolCallID != "" {
		r.calls[d.ToolCallID] = c
	}
	if asks[d.ToolName] {
		if c.as = r.shells[c.shell]; c.as != "" {
			return nil // it only waits
		}
	}
	tc := &turns.ToolCall{ID: d.ToolCallID, Name: d.ToolName, Tool: c.tool}
	t.Role, t.Call = turns.Call, tc
	if a.Path != "" {
		tc.Files = []string{a.Path}
	}
	switch c.tool {
	case turns.Shell:
		tc.Command = turns.Script(a.Command)
	case turns.Edit:
		tc.Old, tc.New = a.OldStr, a.NewStr
		if a.patch != "" {
			tc.New, tc.Files = a.patch, turns.PatchFiles(a.patch)
		}
	case turns.Write:
		tc.New = a.FileText
	case turns.Delegate:
		tc.Text = a.Prompt
	default:
		tc.Text = cmp.Or(a.Question, a.Summary, a.Intent, a.Pattern, a.Query, a.URL, a.Skill)
		tc.Unnamed(d.Arguments.Raw)
	}
	return r.Put(t)
}

// permission notes that the human did not allow a call.
func (r *reader) permission(d *data) {
	if c := r.calls[d.ToolCallID]; c != nil && strings.HasPrefix(d.Result.Is.Kind, "denied") {
		c.refused = strings.Contains(d.Result.Is.Kind, "user")
		c.said = d.Result.Is.Feedback
	}
}

// The lines that the Copilot CLI puts behind the output of a command.
var (
	exited  = lazy.Pattern(`\n?<(?:shellId: \S+ completed|exited|command[^<>\n]*(?:exited|completed)) with exit code (-?\d+)>\s*$`)
	running = lazy.Pattern(`\n?<command[^<>\n]*shellId: ([^\s<>]+)[^<>\n]*(?:still running|started|running in)[^<>\n]*>\s*$`)
	stopped = lazy.Pattern(`^<command[^<>\n]* stopped>\s*$`)
	// guidance is the answer of a hook, which is appended to the output.
	guidance = lazy.Pattern(`(?s)\n\nTool "[^"\n]+" \w+\. Additional guidance from \w+ hooks:\n.*$`)
)

// unwrap parses the line behind the output of a command. shell is the id of a shell that is still running.
func unwrap(text string) (res *turns.ToolResult, shell string) {
	res = &turns.ToolResult{Text: text}
	if m := exited().FindStringSubmatchIndex(text); m != nil {
		if code, err := strconv.Atoi(text[m[2]:m[3]]); err == nil {
			res.Exit = &code
		}
		res.Text = text[:m[0]]
	} else if m := running().FindStringSubmatchIndex(text); m != nil {
		res.State, res.Text, shell = turns.Running, text[:m[0]], text[m[2]:m[3]]
	} else if stopped().MatchString(text) {
		res.State, res.Text = turns.NotRun, ""
	}
	return res, shell
}

func (r *reader) complete(d *data, t turns.Turn) error {
	c := r.calls[d.ToolCallID]
	if c == nil {
		c = &call{name: d.ToolName, tool: tools[d.ToolName]}
	}
	delete(r.calls, d.ToolCallID)
	res := &turns.ToolResult{Text: guidance().ReplaceAllString(d.Result.Is.Content, "")}
	if c.tool == turns.Shell || asks[c.name] {
		var runs string
		if res, runs = unwrap(res.Text); runs != "" {
			r.shells[runs] = cmp.Or(c.as, d.ToolCallID)
		} else if res.Exit != nil || res.State == turns.NotRun {
			delete(r.shells, c.shell)
		}
	}
	res.ID = cmp.Or(c.as, d.ToolCallID)
	for _, code := range []*int{d.Telemetry.Is.Metrics.ExitCode, d.Execution.Is.ExitCode} {
		if code != nil {
			res.Exit = code
		}
	}
	t.Role, t.Result = turns.Result, res
	if res.State == turns.Unsaid {
		r.state(c, d, res)
	}
	if c.tool == turns.Ask {
		res.Said = answer(c.name, res.Text)
	}
	return r.Put(t)
}

// state sets the state of a result from the record. For a command, success only means that it ran,
// so the state stays Unsaid.
func (r *reader) state(c *call, d *data, res *turns.ToolResult) {
	failure := d.Error.Is
	res.Text = cmp.Or(res.Text, failure.Message)
	switch {
	case c.refused || failure.Code == "rejected":
		res.State, res.Said = turns.Refused, cmp.Or(c.said, feedback(failure.Message))
	case failure.Code == "denied":
		res.State = turns.NotRun // by a rule or a hook, not by the human
	case d.Success != nil && !*d.Success:
		res.State = turns.Failed
	case d.Success != nil && c.tool != turns.Shell && c.as == "":
		res.State = turns.OK
	}
}

// notification emits the exit code of a background shell that has ended. Its output comes later, when
// the agent asks for it.
func (r *reader) notification(d *data, t turns.Turn) error {
	end := d.Kind.Is
	id := r.shells[end.ShellID]
	if id == "" || end.ExitCode == nil {
		return nil
	}
	t.Role, t.Result = turns.Result, &turns.ToolResult{ID: id, Exit: end.ExitCode}
	return r.Put(t)
}

// answer are the words of the human in the result of a question.
func answer(name, text string) string {
	for _, mark := range []string{"User responded: ", "User selected: "} {
		if said, found := strings.CutPrefix(text, mark); found {
			return strings.TrimSpace(said)
		}
	}
	if name == "exit_plan_mode" {
		return feedback(text)
	}
	return ""
}

// feedback are the words of the human behind a refusal.
func feedback(text string) string {
	for _, mark := range []string{"feedback:", "Feedback:"} {
		if _, said, found := strings.Cut(text, mark); found {
			return strings.TrimSpace(said)
		}
	}
	return ""
}
