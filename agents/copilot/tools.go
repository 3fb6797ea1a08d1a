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

// shellOf is the shell that the arguments of a call name.
func shellOf(args json.RawMessage) string {
	var a struct {
		ShellID json.RawMessage `json:"shellId"`
		Session json.RawMessage `json:"sessionId"` // of older versions
	}
	turns.Decode(args, &a)
	return strings.Trim(cmp.Or(string(a.ShellID), string(a.Session)), `"`)
}

// asks are the tools that only deal with a shell that runs.
var asks = lazy.Words("read_bash write_bash stop_bash read_powershell write_powershell stop_powershell")

func (r *reader) start(d *data, t turns.Turn) {
	c := &call{name: d.ToolName, tool: turns.KindOf(d.ToolName), shell: shellOf(d.Arguments)}
	if d.ToolCallID != "" {
		r.calls[d.ToolCallID] = c
	}
	if asks()[d.ToolName] {
		if c.as = r.shells[c.shell]; c.as != "" {
			return // it only waits
		}
	}
	t.Role, t.Call = turns.Call, turns.CallOf(d.ToolCallID, d.ToolName, d.Arguments)
	if d.ToolName == "sql" { // holds its list of things to do
		t.Call.Tool = turns.Plan
	}
	r.Put(t)
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

func (r *reader) complete(d *data, t turns.Turn) {
	c := r.calls[d.ToolCallID]
	if c == nil {
		c = &call{name: d.ToolName, tool: turns.KindOf(d.ToolName)}
	}
	delete(r.calls, d.ToolCallID)
	res := &turns.ToolResult{Text: guidance().ReplaceAllString(d.Result.Is.Content, "")}
	if c.tool == turns.Shell || asks()[c.name] {
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
	r.Put(t)
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
func (r *reader) notification(d *data, t turns.Turn) {
	end := d.Kind.Is
	id := r.shells[end.ShellID]
	if id == "" || end.ExitCode == nil {
		return
	}
	r.Result(t, &turns.ToolResult{ID: id, Exit: end.ExitCode})
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
