package cline

import (
	"encoding/json"
	"strconv"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// This file reads what is different in sessions of Cline's command line (SESSION.messages.json): the
// messages are a member of an object, and its tools take and return lists.

// isCLI reports whether a file begins like a session of the command line.
func isCLI(shape turns.Shape) bool {
	return shape.Has("sessionId") && shape.Has("updated_at") && shape.Has("agent") && shape["messages[].role"] == "user"
}

// session reads the object of a session.
func (r *reader) session(d *turns.Document) error {
	return d.Members(func(name string) error {
		switch name {
		case "sessionId":
			return d.Value(&r.Session.ID)
		case "messages":
			return d.Elements(func(n int) error { return r.element(d, n) })
		}
		return d.Skip()
	})
}

const runCommands = "run_commands"

// nth is the id of the call of one command of a list.
func nth(id string, n int) string { return id + "/" + strconv.Itoa(n) }

// callsOf parses a call; of a list of commands it returns one call for each.
func callsOf(id, name string, args json.RawMessage) (out []*turns.ToolCall) {
	var a struct {
		Commands []string                `json:"commands"`
		Files    []struct{ Path string } `json:"files"`
		Path     string                  `json:"path"`
		Old      string                  `json:"old_text"`
		New      string                  `json:"new_text"`
	}
	turns.Decode(args, &a)
	switch {
	case name == runCommands:
		for n, command := range a.Commands {
			out = append(out, &turns.ToolCall{ID: nth(id, n), Name: name, Tool: turns.Shell, Command: command})
		}
	case name == "read_files":
		c := &turns.ToolCall{ID: id, Name: name, Tool: turns.Read}
		for _, f := range a.Files {
			c.Files = append(c.Files, f.Path)
		}
		out = append(out, c)
	case name == "editor":
		c := &turns.ToolCall{ID: id, Name: name, Tool: turns.Edit, Files: []string{a.Path}, Old: a.Old, New: a.New}
		if a.Old == "" {
			c.Tool = turns.Write
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		out = append(out, turns.CallOf(id, name, args))
	}
	return out
}

// entry is the result of one item of a list.
type entry struct {
	Result  string `json:"result"`
	Error   string `json:"error"`
	Success *bool  `json:"success"`
}

// entries parses the result of a call of the command line, nil if it is something else. It is a list, or
// a text that contains one or a single entry.
func entries(raw json.RawMessage) (list []entry) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if json.Unmarshal(raw, &list) != nil {
		list = make([]entry, 1)
		if json.Unmarshal(raw, &list[0]) != nil {
			return nil
		}
	}
	for _, e := range list {
		if e.Success == nil {
			return nil
		}
	}
	return list
}

var cliExit = lazy.Pattern(`^\[Command exited with code (\d+)\]\n?`)

// items emits the results of a call: of each command, or of all items together.
func (r *reader) items(id, tool string, list []entry, t turns.Turn) error {
	t.Role = turns.Result
	whole := &turns.ToolResult{ID: id}
	for n, e := range list {
		res := &turns.ToolResult{ID: nth(id, n), Text: e.Result}
		if m := cliExit().FindStringSubmatch(e.Result); m != nil {
			code, _ := strconv.Atoi(m[1])
			res.Exit, res.Text = turns.Exited(code), e.Result[len(m[0]):]
		} else if !*e.Success {
			res.State, res.Text = turns.Failed, strings.TrimSpace(e.Result+"\n"+e.Error)
			whole.State = turns.Failed
		} else {
			res.Exit = turns.Exited(0)
		}
		if whole.Text += res.Text + "\n"; tool == runCommands {
			t.Result = res
			if err := r.Put(t); err != nil {
				return err
			}
		}
	}
	if tool == runCommands {
		return nil
	}
	whole.Text = strings.TrimSpace(whole.Text)
	t.Result = whole
	return r.Put(t)
}
