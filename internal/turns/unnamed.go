package turns

import (
	"encoding/json"
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// Unnamed reads a call of a tool that the table of its agent does not name: what the agent calls
// it may be known from other agents, and a file and a text among its arguments are an edit. A call
// that may change a file and is not understood is marked as Dropped. Other calls, and those of
// tools that the table names, stay as they are.
func (c *ToolCall) Unnamed(args json.RawMessage) {
	if c.Tool != Other {
		return
	}
	as := CallOf(c.ID, c.Name, args)
	if c.Dropped = as.Dropped; as.Tool == Edit || as.Tool == Write {
		c.Tool, c.Files, c.Old, c.New = as.Tool, as.Files, as.Old, as.New
	}
}

// guess reads a call of a tool whose name no table has.
func (c *ToolCall) guess(a arguments) {
	words := wordsOf(c.Name)
	says := func(of []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(of, w) })
	}
	if says(looks) {
		return
	}
	file := a.first(fileNames...)
	edit := ToolCall{Tool: Edit, Old: a.first(oldNames...), New: a.first(newNames...)}
	edit.takePatch()
	switch {
	case file != "" && edit.Old+edit.New != "":
		c.Tool, c.Files, c.Old, c.New = Edit, append([]string{file}, edit.Files...), edit.Old, edit.New
	case len(edit.Files) > 0:
		c.Tool, c.Files, c.New = Edit, edit.Files, edit.New
	default:
		c.Dropped = file != "" && (says(changes) || a.hasLines())
	}
}

// What words in the name of a tool say: that it changes nothing in a file, or that it does.
var (
	looks = strings.Fields("read view get list search find grep glob query fetch open show lookup browse ask check validate analyze " +
		"inspect diff compare test run execute comment review reply send upload download screenshot navigate")
	changes = strings.Fields("edit write patch replace insert append modify rewrite apply save create")
)

// wordsOf are the words in the name of a tool, in small letters, without that of its server.
func wordsOf(name string) []string {
	name = name[strings.LastIndexByte(name, '.')+1:]
	if at := strings.LastIndex(name, "__"); at >= 0 {
		name = name[at+2:]
	}
	words := nameWord().FindAllString(name, -1)
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	return words
}

var nameWord = lazy.Pattern(`[A-Z]+(?:[^A-Za-z]|$)|[A-Z]?[a-z]+`)

// The names under which the arguments of editors of many agents have the file, what stood there,
// and what is to stand there.
var (
	fileNames = []string{"file_path", "filePath", "path", "filename", "target_file", "absolute_path", "notebook_path", "target_notebook", "relative_path", "file"}
	oldNames  = []string{"old_string", "old_str", "oldString", "oldText", "search", "old"}
	newNames  = []string{"new_string", "new_str", "newString", "newText", "replace", "replacement", "new", "code_edit", "new_source",
		"content", "contents", "file_text", "text", "body", "code", "patch", "diff", "input"}
)

// hasLines reports whether one of the arguments is a text of several lines.
func (a arguments) hasLines() bool {
	for name := range a {
		if strings.Contains(strings.TrimSpace(a.first(name)), "\n") {
			return true
		}
	}
	return false
}
