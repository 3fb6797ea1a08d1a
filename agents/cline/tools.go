package cline

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// xmlTool matches the start tag of a call that is written as XML in the agent's message.
var xmlTool = lazy.Pattern(`<(execute_command|read_file|write_to_file|replace_in_file|apply_diff|insert_content|search_and_replace|search_files|list_files|` +
	`list_code_definition_names|browser_action|use_mcp_tool|access_mcp_resource|ask_followup_question|attempt_completion|new_task|plan_mode_respond|` +
	`switch_mode|fetch_instructions|update_todo_list|codebase_search|web_fetch|web_search|load_mcp_documentation|new_rule|condense|report_bug)>`)

var xmlMember = lazy.Pattern(`<(\w+)>`)

// long lists the arguments whose values may contain tags.
var long = map[string]bool{"content": true, "diff": true, "result": true, "response": true, "arguments": true}

// toolIn finds the first call in a text. It returns the text before the call, the name of the tool,
// its arguments as JSON, and the text after the call.
func toolIn(text string) (before, name string, args json.RawMessage, rest string, found bool) {
	m := xmlTool().FindStringSubmatchIndex(text)
	if m == nil {
		return text, "", nil, "", false
	}
	name = text[m[2]:m[3]]
	inner := text[m[1]:]
	if end := strings.Index(inner, "</"+name+">"); end >= 0 {
		inner, rest = inner[:end], inner[end+len(name)+3:]
	}
	members := map[string]string{}
	for in := inner; ; {
		m := xmlMember().FindStringSubmatchIndex(in)
		if m == nil {
			break
		}
		member := in[m[2]:m[3]]
		in = in[m[1]:]
		end := strings.Index(in, "</"+member+">")
		if long[member] {
			end = strings.LastIndex(in, "</"+member+">")
		}
		if end < 0 {
			in, _, _ = strings.Cut(in, "</") // the end is missing
			members[member] = strings.Trim(in, "\n")
			break
		}
		members[member] = strings.Trim(in[:end], "\n")
		in = in[end+len(member)+3:]
	}
	args, _ = json.Marshal(members)
	return text[:m[0]], name, args, rest, true
}

// output is the result of a call as Cline shows it to the model.
type output struct {
	id, tool, text string
	failed         bool
	block          bool // a block of the API: texts after it are not part of it
}

// The texts with which Cline reports how a call ended.
const (
	denied      = "The user denied this operation"
	toolFailed  = "The tool execution failed with the following error:"
	notExecuted = "was not executed because a tool has already been used in this message"
	interrupted = "Task was interrupted before this tool call could be completed"
	notApplied  = "Unable to apply diff to file"
	running     = "Command is still running"
	saved       = "The content was successfully saved"
)

var (
	feedback = lazy.Pattern(`(?s)<(?:feedback|answer|user_message)>\s*(.*?)\s*</(?:feedback|answer|user_message)>`)
	inError  = lazy.Pattern(`(?s)<error(?:_details)?>\s*(.*?)\s*</error(?:_details)?>`)
	exitCode = lazy.Pattern(`^Command (?:executed|failed|exited)[^\n]*?\(?[Ee]xit code:? (-?\d+)`)
	// What Cline writes before the output of a command.
	told = lazy.Pattern(`^Command (?:executed|failed|exited)[^\n]*\n(?:Exit code: (-?\d+)\n)?(?:Output:\n)?`)
)

// ruling is the JSON with which forks of Cline report the outcome of a call, if tools are blocks of
// the API.
type ruling struct {
	Status   string `json:"status"`
	Message  string `json:"message"`
	Error    string `json:"error"`
	Feedback string `json:"feedback"`
}

// rule parses a ruling into res and reports whether text is a ruling.
func rule(res *turns.ToolResult, text string) bool {
	var r ruling
	if !strings.HasPrefix(text, `{"status":"`) || json.Unmarshal([]byte(text), &r) != nil {
		return false
	}
	switch r.Status {
	case "denied":
		res.State, res.Said = turns.Refused, r.Feedback
	case "error":
		res.State, res.Text = turns.Failed, cmp.Or(r.Error, r.Message)
	case "approved":
		res.Said = r.Feedback
	default:
		return false
	}
	return true
}

// output emits the result of a call. If the call was a message of the agent, such as a plan or the
// claim that the task is complete, its result is the user's reply and becomes a turn of the user.
func (r *reader) output(o *output, t turns.Turn) {
	text := strings.TrimSpace(o.text)
	if _, ok := spoken[o.tool]; ok {
		r.human(text, t)
		return
	}
	res := &turns.ToolResult{ID: o.id}
	said := ""
	if m := feedback().FindStringSubmatch(text); m != nil {
		said = m[1]
	}
	switch {
	case rule(res, text):
	case strings.HasPrefix(text, denied):
		res.State, res.Said = turns.Refused, said
	case o.tool == "ask_followup_question" || strings.HasPrefix(text, "<answer>"):
		res.Said = said
	case strings.Contains(text, notExecuted), strings.HasPrefix(text, interrupted):
		res.State = turns.NotRun
	case strings.HasPrefix(text, toolFailed), strings.HasPrefix(text, notApplied), o.failed:
		res.State, res.Text = turns.Failed, text
		if m := inError().FindStringSubmatch(text); m != nil {
			res.Text = m[1]
		}
	case strings.HasPrefix(text, running):
		res.State, res.Text, res.Said = turns.Running, text, said
	case strings.HasPrefix(text, saved):
		res.State, res.Text, res.Said = turns.OK, text, said
	default:
		res.Said = said
		ended(res, text)
	}
	r.Result(t, res)
}

// ended parses the result of a command that has ended, or of any other tool.
func ended(res *turns.ToolResult, text string) {
	for _, m := range [][]string{exitCode().FindStringSubmatch(text), told().FindStringSubmatch(text)} {
		if m == nil || m[1] == "" || res.Exit != nil {
			continue
		}
		if code, err := strconv.Atoi(m[1]); err == nil {
			res.Exit = turns.Exited(code)
		}
	}
	res.Text = strings.TrimSpace(told().ReplaceAllString(text+"\n", ""))
}
