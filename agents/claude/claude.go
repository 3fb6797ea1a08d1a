// Package claude describes Claude Code. The agent is named claude in settings, its transcript format
// claude-code. Neither name may change.
//
// The reader decodes each line into a record, assigns it to the session or to a sub-agent, and emits
// a turn for each block of text, tool use and tool result.
//
//	claude.go      the Agent: hooks, settings, actor
//	transcript.go  records → turns
//	tools.go       tool calls and their results
//	files.go       the folder of a session, and the transcripts of sub-agents
//	memories.go    the notes that the agent keeps by itself
//	printed.go     the output of the agent as the actor of a loop
package claude

import (
	"path/filepath"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// Agent is Claude Code.
var Agent = agent.Agent{
	Name: "claude", Title: "Claude Code",
	Format:      &turns.Format{Name: "claude-code", Title: "Claude Code", Detect: detect, Read: read},
	Unwrap:      func(text string) *turns.ToolResult { return Result("", text, false, nil) },
	Transcripts: &agent.Transcripts{Folders: folders, Is: isSession, SubAgents: subAgents, Place: agent.FirstFolder, Member: member},
	Memories:    memories,
	Hooks:       &agent.Hooks{Fields: agent.Snake(), Events: events},
	Settings: &agent.Settings{
		Home: func(e agent.Environment) string { return e.Folder("CLAUDE_CONFIG_DIR", ".claude") },
		User: func(e agent.Environment, home string) []agent.File {
			return []agent.File{agent.At(settings(e, home), agent.HooksPart), agent.At(state(e, home), agent.ServerPart)}
		},
		Project:  []agent.File{agent.At(".claude/settings.json", agent.HooksPart), agent.At(".mcp.json", agent.ServerPart)},
		Traces:   []string{".claude", "CLAUDE.md"},
		Programs: []string{"claude"},
		Notes:    notes,
		Allow: func(tools []string) string {
			return `to let it read without asking, add to permissions.allow in its settings: "mcp__episodes__` + strings.Join(tools, `", "mcp__episodes__`) + `"`
		},
		Handler: handler,
		Trust: &agent.Kept{File: state, Do: "start claude in the repository", Has: func(all map[string]any, root string, _ []string) bool {
			return root == "" || agent.In(all, "projects", root, "hasTrustDialogAccepted") == true
		}},
		Plugins:    &agent.Kept{File: settings, Has: agent.HasPlugin("enabledPlugins")},
		ServerType: "stdio",
	},
	Reader: `claude -p --model haiku --tools "" --strict-mcp-config --no-session-persistence`,
	Actor: &agent.Actor{
		Head: "-p --output-format stream-json --verbose", Allow: "--permission-mode acceptEdits",
		Asks: []string{"--permission-mode", "--dangerously-skip-permissions"}, Read: ReadPrinted, Cost: true,
		Unavailable: lazy.Pattern(`(?i)hit your (?:\w+ )?limit|usage limit reached|credit balance is too low|please run /login|authentication_error`),
	},
}

func settings(_ agent.Environment, home string) string { return filepath.Join(home, "settings.json") }

// state is the file in which Claude Code keeps the servers and the folders of its user.
func state(e agent.Environment, _ string) string {
	return filepath.Join(e.Folder("CLAUDE_CONFIG_DIR"), ".claude.json")
}

// The tools before which, and after which, there is something to say. Tools that read, search or
// plan are left out, since each call starts a process.
const (
	acts = "Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit"
	runs = "Bash|PowerShell"
)

var events = []agent.Event{
	{Name: "SessionStart", Moment: agent.Start, Answer: agent.Specific},
	{Name: "UserPromptSubmit", Moment: agent.Prompt, Answer: agent.Specific},
	{Name: "PreToolUse", Moment: agent.Before, Answer: agent.Specific, Tools: acts},
	{Name: "PostToolUse", Moment: agent.After, Answer: agent.Specific, Worked: true, Tools: runs},
	{Name: "PostToolUseFailure", Moment: agent.Failed, Answer: agent.Specific, Tools: runs},
	{Name: "SubagentStart", Moment: agent.Start, Answer: agent.Specific},
	{Name: "SubagentStop", Moment: agent.End},
	{Name: "Stop", Moment: agent.End, Ask: agent.Block},
	{Name: "SessionEnd", Moment: agent.End},
	{Name: "PreCompact"},
}

// handler is run without a shell where it is the user's own. Claude Code gives all hooks of
// SessionStart together 1.5 s, unless settings ask for more.
func handler(c agent.Call) any {
	h := struct {
		Type    string   `json:"type"`
		Command string   `json:"command"`
		Args    []string `json:"args,omitempty"`
		Timeout int      `json:"timeout"`
	}{Type: "command", Command: c.Line, Timeout: agent.Timeout}
	if c.Scope == agent.User {
		h.Command, h.Args = c.Program, c.Args
	}
	return h
}

func notes(s agent.Scope) []string {
	if s == agent.Project {
		return []string{"Claude Code runs hooks of a repository once its user trusts the folder, and asks before it starts a server of .mcp.json"}
	}
	return nil
}
