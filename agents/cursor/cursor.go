// Package cursor describes Cursor.
package cursor

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// Agent is Cursor.
var Agent = agent.Agent{
	Name: "cursor", Title: "Cursor",
	Format:      &turns.Format{Name: "cursor", Title: "Cursor", Detect: detect, Read: read},
	Transcripts: &agent.Transcripts{Folders: folders, Is: isTranscript, Place: place},
	Hooks:       &agent.Hooks{Fields: fields, Events: events, BriefAtStart: true},
	Settings: &agent.Settings{
		Flat: true, Versioned: true,
		Home:       func(e agent.Environment) string { return e.Folder("", ".cursor") },
		User:       agent.InHome(agent.At("hooks.json", agent.HooksPart), agent.At("mcp.json", agent.ServerPart)),
		Project:    []agent.File{agent.At(".cursor/hooks.json", agent.HooksPart), agent.At(".cursor/mcp.json", agent.ServerPart)},
		Traces:     []string{".cursor", ".cursorrules"},
		Programs:   []string{"cursor", program},
		Notes:      notes,
		Handler:    handler,
		ServerType: "stdio",
	},
	Actor: &agent.Actor{
		Program: program, Head: "--print --output-format stream-json", Allow: "--force", Asks: []string{"--force", "-f", "--mode"}, Read: readPrinted,
	},
}

const program = "cursor-agent"

var fields = agent.Fields{
	Session: "conversation_id session_id", Sub: "subagent_id", Cwd: "cwd workspace_roots", Source: "source",
	Tool: "tool_name", Input: "tool_input", Response: "tool_output", Command: "command",
	Failure: "error_message error", Stopped: "is_interrupt", Prompt: "prompt",
	Transcript: "transcript_path", Own: "agent_transcript_path",
}

// What it is answered to the silent ones is dropped.
var events = []agent.Event{
	{Name: "sessionStart", Moment: agent.Start, Answer: context},
	{Name: "preToolUse", Moment: agent.Before, Answer: message, Tools: "Shell|Write"},
	{Name: "postToolUse", Moment: agent.After, Answer: context, Worked: true, Tools: "Shell"},
	{Name: "postToolUseFailure", Moment: agent.Failed, Answer: context, Tools: "Shell"},
	{Name: "stop", Moment: agent.End},
	{Name: "subagentStop", Moment: agent.End},
	{Name: "sessionEnd", Moment: agent.End},
	{Name: "beforeShellExecution", Moment: agent.Before, Answer: message, Unwired: true},
	{Name: "afterShellExecution"},
	{Name: "afterFileEdit"},
	{Name: "beforeSubmitPrompt"},
	{Name: "preCompact"},
	{Name: "subagentStart"},
}

func context(_, text string) any {
	return struct {
		Text string `json:"additional_context"`
	}{text}
}

func message(_, text string) any {
	return struct {
		Text string `json:"agent_message"`
	}{text}
}

func handler(c agent.Call) any {
	return struct {
		Command string `json:"command"`
		Matcher string `json:"matcher,omitempty"`
		Timeout int    `json:"timeout"`
	}{c.Line, c.Tools, agent.Timeout}
}

func notes(agent.Scope) []string {
	return []string{"Cursor can be set to load hooks of Claude Code too (Include third-party configs); with both, each call starts twice, and is answered once"}
}

func folders(e agent.Environment) []string {
	return []string{filepath.Join(e.Home, ".cursor", "projects")}
}

func isTranscript(path string) bool {
	return strings.HasSuffix(path, ".jsonl") && strings.Contains(filepath.ToSlash(path), "/agent-transcripts/")
}

// place has no record to go by: the name of the project's folder must fit, and the session must
// speak of a file in the repository.
func place(h *agent.Heads, path string) agent.Place {
	_, below, _ := strings.Cut(filepath.ToSlash(path), "/.cursor/projects/")
	project, _, _ := strings.Cut(below, "/")
	var head []byte
	return agent.Place{Near: func(root string) bool {
		if folderName(root) != folderName(project) {
			return false
		}
		if head == nil {
			head = slices.Clone(h.Begin(path))
		}
		return bytes.Contains(head, []byte(root+string(filepath.Separator)))
	}}
}

var noName = lazy.Pattern(`[^A-Za-z0-9]+`)

// folderName is the name that Cursor gives to the folder of a project.
func folderName(path string) string { return strings.Trim(noName().ReplaceAllString(path, "-"), "-") }
