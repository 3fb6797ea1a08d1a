// Package copilot describes the Copilot CLI. The agent is named copilot in settings, its transcript
// format copilot-cli. Neither name may change.
package copilot

import (
	"path/filepath"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// Agent is the Copilot CLI.
var Agent = agent.Agent{
	Name: "copilot", Title: "Copilot CLI",
	Format: &turns.Format{Name: "copilot-cli", Title: "Copilot CLI", Detect: detect, Read: read},
	Unwrap: func(text string) *turns.ToolResult {
		res, _ := unwrap(text)
		return res
	},
	Transcripts: &agent.Transcripts{Folders: folders, Is: isEvents, Place: agent.FirstFolder},
	Hooks:       &agent.Hooks{Fields: fields, Events: events, Shares: "claude", Mark: "timestamp", BriefAtStart: true},
	Settings: &agent.Settings{
		Flat: true, Versioned: true,
		Home: home,
		User: agent.InHome(agent.At("hooks/episodes.json", agent.HooksPart), agent.At("mcp-config.json", agent.ServerPart)),
		Project: []agent.File{agent.At(".github/hooks/episodes.json", agent.HooksPart),
			agent.At(".github/mcp.json", agent.ServerPart)},
		Traces:   []string{".github/hooks", ".github/copilot", ".github/copilot-instructions.md"},
		Programs: []string{"copilot"},
		Handler:  handler,
		Allow: func(tools []string) string {
			return `to let it read without asking: copilot --allow-tool 'episodes(` + strings.Join(tools, `)' --allow-tool 'episodes(`) + `)'`
		},
		Trust:       &agent.Kept{File: config, Has: trusts, Do: "start copilot in the repository"},
		ServerType:  "local",
		ServerTools: []string{"*"},
	},
	Actor: &agent.Actor{
		Head: "-s", Tail: `-p "$(cat)"`, Allow: "--allow-all-tools --no-ask-user",
		Asks:        []string{"--allow-tool", "--allow-all-tools", "--allow-all", "--yolo"},
		Unavailable: lazy.Pattern(`(?i)you have no quota|quota_exceeded|quota exceeded|no authentication information found`),
		Read:        func(p *agent.Printed, data []byte) { p.Text = string(data) }, // with -s it prints its words alone
	},
}

func home(e agent.Environment) string { return e.Folder("COPILOT_HOME", ".copilot") }

func config(_ agent.Environment, home string) string { return filepath.Join(home, "config.json") }

// trusts reports whether a repository is in a folder that the user trusts. Versions spell the
// member in two ways.
func trusts(all map[string]any, root string, _ []string) bool {
	for _, name := range []string{"trustedFolders", "trusted_folders"} {
		folders, _ := all[name].([]any)
		for _, f := range folders {
			folder, _ := f.(string)
			if below, err := filepath.Rel(folder, root); err == nil && filepath.IsLocal(below) {
				return true
			}
		}
	}
	return root == ""
}

// fields are those of both spellings of events. A sub-agent has a session id of its own.
var fields = agent.Fields{
	Session: "parentAgentId parent_agent_id sessionId session_id", Sub: "agentId agent_id", Cwd: "cwd",
	Source: "source", Tool: "toolName tool_name", Input: "toolArgs tool_input",
	Response: "toolResult tool_result", Failure: "error", Prompt: "prompt",
	Transcript: "transcriptPath transcript_path",
}

var events = []agent.Event{
	{Name: "sessionStart", Also: "SessionStart", Moment: agent.Start, Answer: reply},
	{Name: "userPromptSubmitted", Also: "UserPromptSubmit", Moment: agent.Prompt, Answer: reply},
	{Name: "preToolUse", Also: "PreToolUse", Moment: agent.Before, Answer: reply},
	{Name: "postToolUse", Also: "PostToolUse", Moment: agent.After, Answer: reply, Worked: true},
	{Name: "postToolUseFailure", Also: "PostToolUseFailure", Moment: agent.Failed, Answer: reply},
	{Name: "agentStop", Also: "Stop", Moment: agent.End},
	{Name: "subagentStop", Also: "SubagentStop", Moment: agent.End},
	{Name: "sessionEnd", Also: "SessionEnd", Moment: agent.End},
	{Name: "preCompact", Also: "PreCompact"},
	{Name: "errorOccurred", Also: "ErrorOccurred"},
	{Name: "subagentStart", Also: "SubagentStart"},
}

// reply has a member of its own for the context. For the events that Copilot CLI shares with other
// agents it also has theirs.
func reply(event, text string) any {
	var both struct {
		Text   string `json:"additionalContext"`
		Output any    `json:"hookSpecificOutput,omitempty"`
	}
	both.Text = text
	if event[0] < 'a' {
		both.Output = agent.Context(event, text)
	}
	return both
}

func handler(c agent.Call) any {
	return struct {
		Type       string `json:"type"`
		Bash       string `json:"bash"`
		PowerShell string `json:"powershell"`
		Timeout    int    `json:"timeoutSec"`
	}{"command", c.Line, c.PowerShell, agent.Timeout}
}

func folders(e agent.Environment) []string { return []string{filepath.Join(home(e), sessionState)} }

const sessionState = "session-state"

func isEvents(path string) bool {
	dir, name := filepath.Split(path)
	return name == "events.jsonl" || strings.HasSuffix(name, ".jsonl") && filepath.Base(dir) == sessionState
}
