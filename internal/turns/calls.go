package turns

import (
	"encoding/json"
	"strings"

	"episodes/internal/lazy"
)

// kinds maps the tool names of many agents to kinds. Names are in lower case and without
// separators. The table is for formats that carry calls of any agent.
var kinds = map[string]Tool{}

func init() {
	for kind, names := range map[Tool]string{
		Shell: "bash shell shellcommand execcommand executebash executecommand runterminalcmd runterminalcommand runterminalcommandv2 runshellcommand bashcommand " +
			"terminal run runcommand powershell localshell localshellcall containerexec runinterminal execute",
		Edit: "edit multiedit strreplace strreplaceeditor strreplacebasededittool replace applypatch applydiff editfile editfilev2 searchreplace replaceinfile " +
			"insertcontent notebookedit editnotebook planningfileeditor patch fileeditor insert fileedit replacestringinfile multireplacestringinfile insertedit delete deletefile searchandreplace",
		Write: "write writefile createfile writetofile create filewrite newfile",
		Read:  "read readfile readfilev2 view viewfile viewimage cat open openfile readmanyfiles notebookread fileread listcodedefinitionnames readlints",
		Search: "grep glob ls listdir listfiles codebasesearch searchfiles websearch findfile findfiles filesearch rg ripgrep ripgreprawsearch list codesearch searchfilecontent semanticsearch " +
			"googlewebsearch toolsearch listdirectory webrun globfilesearch grepsearch searchdir searchfile",
		Ask:      "askuserquestion askuser askfollowupquestion askquestion question requestuserinput exitplanmode planexit",
		Delegate: "task agent spawnagent newtask delegate delegatetask delegatetoagent invokeagent codebaseinvestigator tasktoolset subagent usesubagents runsubagent sendinput followuptask",
		Plan:     "todowrite todoread updateplan tasktracker writetodos updatetodolist todolist createplan enterplanmode planenter reportintent updatetodo taskcreate taskupdate tasklist taskget",
	} {
		for name := range strings.FieldsSeq(names) {
			kinds[name] = kind
		}
	}
}

var betweenWords = lazy.Pattern(`[^a-z0-9]+`)

// KindOf returns the kind of a tool by its name, for an unknown agent. Case and separators are
// ignored. An unknown name is Other.
func KindOf(name string) Tool {
	return kinds[betweenWords().ReplaceAllString(strings.ToLower(name), "")]
}

// CallOf parses a tool call of an unknown agent. args is a JSON object, or a JSON string that
// contains one. Arguments that are missing or have another type are left out.
func CallOf(id, name string, args json.RawMessage) *ToolCall {
	var text string
	if json.Unmarshal(args, &text) == nil {
		args = json.RawMessage(text)
	}
	a := arguments{}
	Decode(args, &a)
	c := &ToolCall{ID: id, Name: name, Tool: KindOf(name)}
	switch c.Tool {
	case Shell:
		c.Command = a.command()
		c.Dir = a.first("cwd", "workdir", "working_directory", "dir_path", "directory")
		c.Outside = string(a["dangerouslyDisableSandbox"]) == "true"
		return c
	case Ask:
		var several []Question
		if Decode(a["questions"], &several); len(several) > 0 {
			c.Asks(several)
		} else {
			c.Text = a.first("question", "prompt", "message", "summary", "plan")
		}
		return c
	case Delegate:
		c.Text = a.first("objective", "prompt", "query", "task", "message", "context", "description")
		return c
	case Edit:
		c.edit(a, text)
	case Write:
		c.New = a.first("content", "contents", "file_text", "text", "code")
	case Plan:
		return c
	}
	switch c.Tool {
	case Other, Search:
		if c.Tool == Other {
			c.guess(a)
		}
		c.Text = strings.TrimSpace(a.first("pattern", "query", "search_term", "regex", "glob_pattern",
			"objective", "prompt", "intent", "skill", "title", "name", "tool") + " " + a.first("url"))
		if c.Tool == Search && c.Text == "" {
			c.Text = a.first("dir_path", "path")
		}
	default:
		if f := a.first("file_path", "filePath", "path", "filename", "target_file", "absolute_path",
			"notebook_path", "target_notebook"); f != "" {
			c.Files = append([]string{f}, c.Files...)
		} else if c.Tool == Read && !Decode(a["include"], &c.Files) {
			Decode(a["paths"], &c.Files)
		}
	}
	return c
}

// edit parses the arguments of an editor. raw is the patch of a call whose arguments are a plain
// string instead of an object.
func (c *ToolCall) edit(a arguments, raw string) {
	switch a.first("command") {
	case "view":
		c.Tool = Read
		return
	case "create":
		c.Tool, c.New = Write, a.first("file_text", "content")
		return
	}
	c.Old = a.first("old_string", "old_str", "oldString", "oldText", "search", "old") + a.each("edits",
		"old_string", "oldText", "oldString")
	c.New = a.first("new_string", "new_str", "newString", "newText", "replace", "new", "code_edit",
		"new_source") + a.each("edits", "new_string", "newText", "newString")
	if c.New == "" && c.Old == "" {
		c.New = a.first("patch", "patchText", "input", "diff", "content", "contents")
	}
	if len(a) == 0 {
		c.New = raw
	}
	c.Files = PatchFiles(c.New)
}

// arguments are those of a call, by their names.
type arguments map[string]json.RawMessage

// first is the text of the first of the arguments that has one.
func (a arguments) first(names ...string) string {
	for _, name := range names {
		var s string
		if raw, ok := a[name]; ok && json.Unmarshal(raw, &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// each joins the texts of an argument that is a list of objects.
func (a arguments) each(name string, members ...string) string {
	var items []arguments
	Decode(a[name], &items)
	var b strings.Builder
	for _, item := range items {
		if s := item.first(members...); s != "" {
			b.WriteString(s + "\n")
		}
	}
	return b.String()
}

// command returns the command line of a shell call. The argument is a string, or a list of words.
func (a arguments) command() string {
	for _, name := range []string{"command", "cmd", "keystrokes", "script", "commands", "code"} {
		if s := a.first(name); s != "" {
			return Script(strings.TrimSpace(s))
		}
		var words []string
		if Decode(a[name], &words) && len(words) > 0 {
			return Command(words)
		}
	}
	return ""
}
