package turns

import (
	"bytes"
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// headLines is how many lines at the beginning of a file AnyLine examines.
const headLines = 40

// AnyLine reports whether fits is true for one of the first lines of a file that are JSON objects.
func AnyLine[T any](head []byte, fits func(rec *T) bool) bool {
	for range headLines {
		line, rest, full := bytes.Cut(head, []byte("\n"))
		rec := new(T)
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' && Decode(line, rec) && fits(rec) {
			return true
		}
		if !full {
			return false
		}
		head = rest
	}
	return false
}

// Begins reports whether a text begins with one of some marks.
func Begins(text string, marks []string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(text, mark) })
}

// typedArgs matches a command of an agent with more than one word behind it, and the prompt that one of Spec Kit expands to.
var typedArgs = lazy.Pattern("(?s)^<command-(?:name|message)>.*?<command-args>\\s*(\\S+\\s.*?)\\s*</command-args>\\s*$|^## User Input\\s+```text\\s*?\n\\s*(.*?)\\s*```\\s+You \\*\\*MUST\\*\\* consider the user input")

// generated are marks of texts that no human typed, of any agent.
var generated = []string{
	"<command-", "<local-command-", "<task-notification>", "<bash-", "<ide_", "<system-reminder>", "<environment_context>", "<user_instructions>",
	"<session_context>", "# AGENTS.md instructions", "Caveat: The messages below", "Base directory for this skill",
	"This session is being continued from a previous conversation", "<user-prompt-submit-hook>", "<session-start-hook>", "Stop hook feedback:", "Operation stopped by hook",
}

// Typed returns a text that begins neither with these marks nor with those of the agent, or "". Of a command, which the
// agent expands, it is what the human typed behind it.
func Typed(text string, injected ...string) string {
	if m := typedArgs().FindStringSubmatch(text); m != nil {
		return m[1] + m[2]
	}
	if Begins(text, generated) || Begins(text, injected) {
		return ""
	}
	return text
}
