package cline

import (
	"encoding/json"
	"strings"

	"episodes/internal/turns"
)

// shownTools maps the names of tools in the window to those in the conversation.
var shownTools = map[string]string{
	"readFile": "read_file", "newFileCreated": "write_to_file", "editedExistingFile": "replace_in_file", "appliedDiff": "apply_diff", "insertContent": "insert_content",
	"searchFiles": "search_files", "listFilesTopLevel": "list_files", "listFilesRecursive": "list_files", "fileDeleted": "delete_file", "newTask": "new_task",
}

// shown reads a message of the window. The window has no results of tools, except the output of
// commands.
func (r *reader) shown(m *message, t turns.Turn) {
	if m.Partial {
		return
	}
	kind := m.Say + m.Ask
	if kind != "command_output" {
		r.emit(&r.out)
	}
	if kind == "text" && t.At[0] == 1 {
		kind = "task" // older versions
	}
	switch kind {
	case "task", "user_feedback", "api_req_started", "resume_task":
		r.emit(&r.halt)
	}
	switch kind {
	case "api_req_started":
		var request struct {
			CancelReason string `json:"cancelReason"`
		}
		if turns.Decode([]byte(m.Text), &request) && request.CancelReason == "user_cancelled" {
			t.Role = turns.Stop
			r.halt = &t
		}
	case "task", "user_feedback":
		if text := strings.TrimSpace(m.Text); text != "" {
			r.Say(t, turns.User, text)
		}
	case "text", "completion_result", "plan_mode_respond":
		var said struct {
			Response string `json:"response"`
		}
		if kind == "plan_mode_respond" && turns.Decode([]byte(m.Text), &said) && said.Response != "" {
			m.Text = said.Response
		}
		r.say(m.Text, t)
	case "command":
		command, _, _ := strings.Cut(m.Text, "REQ_APP")
		r.Call(t, &turns.ToolCall{Name: "execute_command", Tool: turns.Shell, Command: strings.TrimSpace(command)})
	case "command_output":
		r.piece(m.Text, t)
	case "tool":
		var tool struct {
			Tool string `json:"tool"`
		}
		turns.Decode([]byte(m.Text), &tool)
		if name := shownTools[tool.Tool]; name != "" {
			r.Call(t, turns.CallOf("", name, json.RawMessage(m.Text)))
		}
	case "followup":
		var q struct {
			Question string `json:"question"`
		}
		if !turns.Decode([]byte(m.Text), &q) || q.Question == "" {
			q.Question = m.Text
		}
		r.Call(t, &turns.ToolCall{Name: "ask_followup_question", Tool: turns.Ask, Text: q.Question})
	}
}

// piece adds a part of the output of a command.
func (r *reader) piece(text string, t turns.Turn) {
	if r.out == nil {
		t.Role, t.Result = turns.Result, &turns.ToolResult{}
		r.out = &t
	}
	res := r.out.Result
	if res.Text != "" && text != "" {
		text = "\n" + text
	}
	res.Text += text
	if len(res.Text) > 1<<20 {
		res.Text = turns.Clip(res.Text)
	}
	r.out.At[1] = t.At[1]
}

// emit emits a turn that is pending, if one is: the output of a command, once it is complete, or that
// in which the user stopped the agent.
func (r *reader) emit(pending **turns.Turn) {
	t := *pending
	if t == nil {
		return
	}
	*pending = nil
	r.Put(*t)
}
