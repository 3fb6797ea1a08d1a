package sweagent

import (
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// tools maps the commands that SWE-agent adds to the shell to their kinds; the shell runs all others.
var tools = map[string]turns.Tool{
	"open": turns.Read, "goto": turns.Read, "scroll_down": turns.Read, "scroll_up": turns.Read, "view_image": turns.Read,
	"create": turns.Write, "edit": turns.Edit, "insert": turns.Edit, "str_replace_editor": turns.Edit, "edit_anthropic": turns.Edit, "undo_edit": turns.Edit,
	"find_file": turns.Search, "search_dir": turns.Search, "search_file": turns.Search, "filemap": turns.Read,
	"submit": turns.Other, "exit_forfeit": turns.Other, "exit_cost": turns.Other, "exit_context": turns.Other, "exit_error": turns.Other, "skip": turns.Other,
}

// word matches one argument of a shell command.
var word = lazy.Pattern(`"((?:[^"\\]|\\.)*)"|'((?:[^']|'"'"')*)'|(\S+)`)

func words(s string) []string {
	var out []string
	for _, m := range word().FindAllStringSubmatch(s, -1) {
		switch {
		case m[2] != "":
			out = append(out, strings.ReplaceAll(m[2], `'"'"'`, "'"))
		case m[1] != "":
			out = append(out, strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(m[1]))
		default:
			out = append(out, m[3])
		}
	}
	return out
}

func call(s *step) *turns.ToolCall {
	action := strings.TrimSpace(s.Action)
	name, _, _ := strings.Cut(action, "\n")
	name, _, _ = strings.Cut(name, " ")
	c := &turns.ToolCall{Name: name, Dir: s.State.Is.WorkingDir}
	kind, known := tools[name]
	if !known {
		c.Name, c.Tool, c.Command = "bash", turns.Shell, action
		return c
	}
	c.Tool = kind
	args := words(strings.TrimPrefix(action, name))
	switch name {
	case "open", "create", "filemap", "view_image":
		c.Files = args[:min(len(args), 1)]
	case "goto", "scroll_down", "scroll_up":
		c.Files = opened(s)
	case "insert":
		c.Files = opened(s)
		c.New = args0(args)
	case "edit":
		c.Files = opened(s)
		change(c, action, args)
	case "str_replace_editor", "edit_anthropic":
		editor(c, args)
	case "find_file", "search_dir", "search_file":
		c.Text = args0(args)
		c.Files = args[min(len(args), 1):]
	default:
		c.Text = strings.Join(args, " ")
	}
	return c
}

func args0(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func opened(s *step) []string {
	if file := s.State.Is.OpenFile; file != "" && file != "n/a" {
		return []string{file}
	}
	return nil
}

// editLines matches an edit of 0.x: the line numbers, and below them the replacement.
var editLines = lazy.Pattern(`(?s)^edit \d+:\d+\s*\n(.*?)\n?(?:end_of_edit)?\s*$`)

func change(c *turns.ToolCall, action string, args []string) {
	if m := editLines().FindStringSubmatch(action); m != nil {
		c.New = m[1]
		return
	}
	if len(args) >= 2 {
		c.Old, c.New = args[0], args[1]
		return
	}
	c.New = strings.TrimPrefix(action, "edit ")
}

// editor parses the arguments of the editor of 1.x: a command, a file and options.
func editor(c *turns.ToolCall, args []string) {
	switch args0(args) {
	case "view":
		c.Tool = turns.Read
	case "create":
		c.Tool = turns.Write
	}
	if len(args) < 2 {
		return
	}
	c.Files = args[1:2]
	for i := 2; i+1 < len(args); i++ {
		switch args[i] {
		case "--old_str":
			c.Old = args[i+1]
		case "--new_str", "--file_text":
			c.New = args[i+1]
		default:
			continue
		}
		i++
	}
}
