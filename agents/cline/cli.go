package cline

import (
	"encoding/json"
	"strconv"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// This file reads what is different in sessions of Cline's command line (SESSION.messages.json): the
// messages are a member of an object, and tools take and return lists. Each item of a list is a call here.

// session reads the object of a session.
func (r *reader) session(d *turns.Document) {
	r.cli = true
	d.Members(func(name string) {
		switch name {
		case "sessionId":
			d.Value(&r.Session.ID)
		case "messages":
			d.Elements(func(n int) { r.element(d, n) })
		default:
			d.Skip()
		}
	})
}

// nth is the id of the call of an item.
func nth(id string, n int) string { return id + "/" + strconv.Itoa(n) }

// callsOf parses a call, in the command line the calls of all items.
func (r *reader) callsOf(id, name string, args json.RawMessage) (out []*turns.ToolCall) {
	if !r.cli {
		return []*turns.ToolCall{turns.CallOf(id, name, args)}
	}
	var a struct {
		Commands []string
		Files    []struct{ Path string }
		Path     string
		Old      string `json:"old_text"`
		New      string `json:"new_text"`
	}
	turns.Decode(args, &a)
	for n, command := range a.Commands {
		out = append(out, &turns.ToolCall{ID: nth(id, n), Name: name, Tool: turns.Shell, Command: command})
	}
	for n, f := range a.Files {
		out = append(out, &turns.ToolCall{ID: nth(id, n), Name: name, Tool: turns.Read, Files: []string{f.Path}})
	}
	switch {
	case name == "editor":
		out = append(out, &turns.ToolCall{ID: nth(id, 0), Name: name, Tool: turns.Edit, Files: []string{a.Path}, Old: a.Old, New: a.New})
	case len(out) == 0:
		out = append(out, turns.CallOf(nth(id, 0), name, args))
	}
	return out
}

// item is the result of one.
type item struct {
	Result, Error string
	Success       bool
}

// itemsOf parses a result: a list, or a text that contains one or a single item.
func itemsOf(b *turns.Block) (list []item) {
	raw, text := b.Content, ""
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	one := item{Result: text, Success: !b.IsError}
	_ = json.Unmarshal(raw, &one)
	return []item{one}
}

var cliExit = lazy.Pattern(`^\[Command exited with code (\d+)\]\n?`)

// results emits the results of all items.
func (r *reader) results(b *turns.Block, t turns.Turn) {
	for n, it := range itemsOf(b) {
		res := &turns.ToolResult{ID: nth(b.ToolUseID, n), Text: it.Result, State: turns.OK}
		if m := cliExit().FindStringSubmatch(it.Result); m != nil {
			code, _ := strconv.Atoi(m[1])
			res.State, res.Exit, res.Text = turns.Unsaid, turns.Exited(code), it.Result[len(m[0]):]
		} else if !it.Success {
			res.State, res.Text = turns.Failed, it.Result+it.Error
		}
		r.Result(t, res)
	}
}
