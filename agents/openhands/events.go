package openhands

import (
	"regexp"
	"strconv"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// control lists the actions and observations of the app that carry no work of the agent.
var control = lazy.Words(`
	system recall think null change_agent_state agent_state_changed condensation condensation_request condense
	success loop_recovery finish message chat initialize pause resume stop reject agent_delegate send_pr
	server_ready`)

// known lists the actions that are tool calls, and the observations that are their results.
var known = lazy.Words(`
	run run_ipython read write edit delegate task_tracking browse browse_interactive call_tool_mcp mcp error
	user_rejected download`)

// action reads an action of the app.
func (r *reader) action(e *event, t turns.Turn) {
	args := &e.Args
	if args.empty() {
		args = &e.arguments
		args.Content.Is = string(e.Content)
	}
	switch e.Action.Name {
	case "message":
		if e.Source == "user" || e.Source == "" && !r.task {
			r.ask(t, args.Content.Is)
			return
		}
		if e.Source == "" && !args.WaitForReply {
			return // the resolver of 2024 asks the agent to continue
		}
		r.say(t, args.Content.Is)
		return
	case "finish":
		said := string(args.Thought)
		if args.FinalThought != "" && !strings.Contains(said, args.FinalThought) {
			said = strings.TrimSpace(said + "\n\n" + args.FinalThought)
		}
		r.say(t, said)
		return
	case "change_agent_state":
		if e.Source == "user" && (args.AgentState == "stopped" || args.AgentState == "paused") {
			r.Stop(t)
			return
		}
		return
	}
	if control()[e.Action.Name] {
		return
	}
	r.say(t, string(args.Thought))
	if !known()[e.Action.Name] {
		r.Unknown(e.Action.Name)
		return
	}
	c := called(e.Action.Name, args)
	c.ID = string(e.ID)
	r.call(t, c, args.IsInput)
}

func (a *arguments) empty() bool {
	return a.Command == "" && a.Code == "" && a.Thought == "" && a.Content.Is == "" && a.Path == "" && a.AgentState == "" &&
		a.FinalThought == "" && a.URL == "" && a.Task == "" && a.Inputs.Is == nil
}

// called parses the arguments of a tool of the app.
func called(name string, a *arguments) *turns.ToolCall {
	c := &turns.ToolCall{Name: name}
	switch name {
	case "run":
		c.Tool, c.Command, c.Dir = turns.Shell, a.Command, a.Cwd
	case "run_ipython":
		skill(c, a.Code)
	case "read":
		c.Tool = turns.Read
	case "write":
		c.Tool, c.New = turns.Write, a.Content.Is
	case "edit":
		edit(c, a)
		if c.New == "" && c.Old == "" {
			c.New = a.Content.Is
		}
	case "delegate":
		c.Tool = turns.Delegate
		c.Text, _ = a.Inputs.Is["task"].(string)
	case "task_tracking":
		c.Tool = turns.Plan
	default:
		c.Text = a.URL
	}
	if a.Path != "" {
		c.Files = []string{a.Path}
	}
	return c
}

// edit parses the arguments of the editor, which also views and creates files.
func edit(c *turns.ToolCall, a *arguments) {
	switch a.Command {
	case "view":
		c.Tool = turns.Read
	case "create":
		c.Tool, c.New = turns.Write, a.FileText
	default:
		c.Tool, c.Old, c.New = turns.Edit, a.OldStr, a.NewStr
	}
}

// skillCall matches a call of a Python function with which the agents of 2024 edit files.
var skillCall = lazy.Pattern(`^\s*(?:print\()?(\w+)\(\s*(?:\w+\s*=\s*)?(?:"([^"\n]*)"|'([^'\n]*)')?`)

var skills = map[string]turns.Tool{
	"open_file": turns.Read, "goto_line": turns.Read, "scroll_down": turns.Read, "scroll_up": turns.Read, "create_file": turns.Write,
	"edit_file": turns.Edit, "edit_file_by_replace": turns.Edit, "edit_file_by_line": turns.Edit, "insert_content_at_line": turns.Edit, "append_file": turns.Edit,
	"search_dir": turns.Search, "search_file": turns.Search, "find_file": turns.Search,
}

func skill(c *turns.ToolCall, code string) {
	m := skillCall().FindStringSubmatch(code)
	if m == nil || skills[m[1]] == turns.Other {
		c.Text = code
		return
	}
	c.Name, c.Tool = m[1], skills[m[1]]
	arg := m[2] + m[3]
	switch c.Tool {
	case turns.Search:
		c.Text = arg
		return
	case turns.Edit:
		if c.Old, c.New = argument(skillOld(), code), argument(skillNew(), code); c.Old+c.New == "" {
			c.New = code
		}
	case turns.Write:
		c.New = argument(skillNew(), code)
	}
	if arg != "" {
		c.Files = []string{arg}
	}
}

// pyText is a string literal of Python.
const pyText = `\s*(?:"""(.*?)"""|'''(.*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')`

// skillOld and skillNew are the arguments of a function that edits files.
var (
	skillOld = lazy.Pattern(`(?s)\bto_replace\s*=` + pyText)
	skillNew = lazy.Pattern(`(?s)\b(?:new_content|content)\s*=` + pyText)
)

func argument(of *regexp.Regexp, code string) string {
	m := of.FindStringSubmatch(code)
	if m == nil {
		return ""
	}
	return strings.Join(m[1:], "")
}

// observation reads the result of an action of the app.
func (r *reader) observation(e *event, t turns.Turn) {
	name := e.Observation.Name
	if dir := e.Extras.Metadata.WorkingDir; dir != "" && r.Session.Dir == "" {
		r.Session.Dir = dir
	}
	if control()[name] || strings.HasPrefix(e.Extras.ErrorID, "STATUS$") { // from the app or the model, not from a tool
		return
	}
	if !known()[name] {
		r.Unknown(name)
		return
	}
	res := &turns.ToolResult{ID: string(e.Cause), Text: string(e.Content)}
	for _, code := range []*int{e.Extras.Metadata.ExitCode, e.Extras.ExitCode, e.ExitCode} {
		if code != nil {
			res.Exit = code
			break
		}
	}
	Unwrap(res)
	switch {
	case name == "user_rejected":
		res.State, res.Text = turns.Refused, ""
	case strings.HasSuffix(e.Extras.ErrorID, "$ERROR_ACTION_NOT_EXECUTED"):
		res.State = turns.NotRun
	case name == "error" || e.Extras.Error:
		res.State = turns.Failed
	case strings.HasPrefix(res.Text, "ERROR:\n"): // from the editor
		res.State, res.Text = turns.Failed, strings.TrimPrefix(res.Text, "ERROR:\n")
	case name == "run_ipython" && refused().MatchString(res.Text):
		res.State = turns.Failed
		res.Text = quotedEdit().ReplaceAllString(res.Text, "")
	case name == "run_ipython" && edited().MatchString(res.Text), (name == "edit" || name == "read") && done().MatchString(res.Text):
		res.State = turns.OK
	}
	r.result(t, res)
}

// done matches the beginning of the editor's message after a successful edit.
var done = lazy.Pattern("^(?:The file .+ has been edited|File created successfully|Last edit to .+ undone|Here's the )")

var (
	// refused matches the beginning of the output of an editing function that failed, edited that of
	// one that succeeded.
	refused = lazy.Pattern(`^\[(?:Your proposed edit has introduced new syntax error|No exact match found in )`)
	// quotedEdit matches the code that a failed function repeats.
	quotedEdit = lazy.Pattern("(?s)\n(?:```|\\[This is how your edit would have looked).*")
	edited     = lazy.Pattern(`^\[(?:File: .+ (?:total after edit\)|created\.)|File updated)`)
)

var (
	// exitLine is the line in which some versions report the exit code to the model.
	exitLine = lazy.Pattern(`(?m)^\[(?:The command completed|Command finished|The command finished) with exit code (-?\d+)\.?\]\n?`)
	// promptLines match the state of the shell and the interpreter at the end of an output.
	promptLines = lazy.Pattern(`(?m)^(?:\[(?:Current working directory|Python interpreter|Jupyter current working directory|Jupyter Python interpreter): .*\]|\S+@\S+:.* [#$])\s*$\n?`)
)

// unmatched matches the editor's error about a text that it did not find, with that text.
var unmatched = lazy.Pattern("(?s)^((?:ERROR:\n)?No replacement was performed.*? old_str) `.*` (did not appear verbatim|in lines)")

// Unwrap removes from the text of a result what OpenHands adds to it, and what it repeats of the
// call. It takes the exit code from the text. A code of -1 means that the command is still running.
func Unwrap(res *turns.ToolResult) {
	if m := exitLine().FindStringSubmatch(res.Text); m != nil {
		if code, err := strconv.Atoi(m[1]); err == nil && res.Exit == nil {
			res.Exit = turns.Exited(code)
		}
		res.Text = exitLine().ReplaceAllString(res.Text, "")
	}
	res.Text = unmatched().ReplaceAllString(res.Text, "$1 $2")
	res.Text = strings.Trim(promptLines().ReplaceAllString(res.Text, ""), "\r\n")
	if res.Exit != nil && *res.Exit == -1 {
		res.Exit, res.State = nil, turns.Running
	}
}
