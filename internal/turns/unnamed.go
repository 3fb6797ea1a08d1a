package turns

import (
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// guess parses a call of a tool whose name is in no table. If its arguments hold a file and a text, it is an edit. If it
// may change a file but cannot be parsed, Dropped is set.
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
	edit.Files = PatchFiles(edit.New)
	switch {
	case file != "" && edit.Old+edit.New != "":
		c.Tool, c.Files, c.Old, c.New = Edit, append([]string{file}, edit.Files...), edit.Old, edit.New
	case len(edit.Files) > 0:
		c.Tool, c.Files, c.New = Edit, edit.Files, edit.New
	default:
		c.Dropped = file != "" && (says(changes) || a.hasLines())
	}
}

// Words in the name of a tool which show that it changes no file (looks), or that it does (changes).
var (
	looks = strings.Fields("read view get list search find grep glob query fetch open show lookup browse ask check validate analyze " +
		"inspect diff compare test run execute comment review reply send upload download screenshot navigate")
	changes = strings.Fields("edit write patch replace insert append modify rewrite apply save create")
)

// wordsOf returns the words of a tool's name in lower case, without the name of its server.
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

// Names of editor arguments, as many agents use them: the file, the old text and the new text.
var (
	fileNames = []string{"file_path", "filePath", "path", "filename", "target_file", "absolute_path",
		"notebook_path", "target_notebook", "relative_path", "file"}
	oldNames = []string{"old_string", "old_str", "oldString", "oldText", "search", "old"}
	newNames = []string{"new_string", "new_str", "newString", "newText", "replace", "replacement", "new", "code_edit", "new_source",
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
