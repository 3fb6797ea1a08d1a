// Package codex describes the Codex CLI.
//
// The reader decodes each line of a rollout into a record. Records of what the model saw become
// turns; events of the screen add exit codes and interruptions. Turns that follow a script of code
// mode are held back until its result shows how many commands it ran.
//
//	codex.go       the Agent: hooks, settings, actor
//	transcript.go  records → turns
//	calls.go       tool calls, and the matching of results to them
//	codemode.go    scripts that call other tools
//	items.go       events that record a completed command or change
//	output.go      the text of results
//	files.go       the folder of a rollout, and the rollouts of sub-agents
//	memories.go    the notes that the agent keeps by itself
//	printed.go     the output of the agent as the actor of a loop
package codex

import (
	"fmt"
	"path/filepath"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// Agent is Codex.
var Agent = agent.Agent{
	Name: "codex", Title: "Codex",
	Format: &turns.Format{Name: "codex", Title: "Codex", Detect: detect, Read: read},
	Unwrap: func(text string) *turns.ToolResult {
		res, _ := result(text)
		return res
	},
	Transcripts: &agent.Transcripts{Folders: folders, Is: isRollout, Apart: true, Place: where, Member: member},
	Memories:    memories,
	Hooks:       &agent.Hooks{Fields: agent.Snake(), Events: events},
	Settings: &agent.Settings{
		Home:     home,
		User:     agent.InHome(agent.At("hooks.json", agent.HooksPart), agent.At("config.toml", agent.ServerPart)),
		Project:  []agent.File{agent.At(".codex/hooks.json", agent.HooksPart), agent.At(".codex/config.toml", agent.ServerPart)},
		Traces:   []string{".codex"},
		Programs: []string{"codex"},
		Notes:    notes,
		Handler:  handler,
		Trust:    &agent.Kept{File: config, Has: trusts, Do: "run /hooks"},
		Plugins:  &agent.Kept{File: config, Has: agent.HasPlugin("plugins")},
		Key: func(path, event string, group, hook int) string {
			snake := strings.ToLower(wordStart().ReplaceAllString(event, "${1}_$2"))
			return fmt.Sprintf("%s:%s:%d:%d", path, snake, group, hook)
		},
	},
	Reader: "codex exec --ephemeral --skip-git-repo-check --sandbox read-only -c model_reasoning_effort=low -c web_search=disabled " +
		"-c mcp_servers={} --disable shell_tool --disable hooks --disable multi_agent --disable view_image --disable goals -",
	Actor: &agent.Actor{
		Head: "exec --json --skip-git-repo-check", Tail: "-", Allow: "--sandbox workspace-write",
		Asks: []string{"--sandbox", "-s", "--full-auto", "--dangerously-bypass-approvals-and-sandbox", "--yolo"}, Read: readPrinted,
		Unavailable: lazy.Pattern(`(?i)hit your usage limit|usage limit has been reached|check your plan and billing|401 unauthorized|sign in again`),
	},
}

func config(_ agent.Environment, home string) string { return filepath.Join(home, "config.toml") }

// trusts reports whether each hook was reviewed, and .codex of a repository is read.
func trusts(all map[string]any, root string, keys []string) bool {
	for _, key := range keys {
		if agent.In(all, "hooks", "state", key, "trusted_hash") == nil {
			return false
		}
	}
	return root == "" || agent.In(all, "projects", root, "trust_level") == "trusted"
}

var wordStart = lazy.Pattern(`([a-z])([A-Z])`)

func home(e agent.Environment) string { return e.Folder("CODEX_HOME", ".codex") }

var events = []agent.Event{
	{Name: "SessionStart", Moment: agent.Start, Answer: agent.Specific},
	{Name: "UserPromptSubmit", Moment: agent.Prompt, Answer: agent.Specific},
	{Name: "PreToolUse", Moment: agent.Before, Answer: agent.Specific, Tools: "Bash|apply_patch"},
	{Name: "PostToolUse", Moment: agent.After, Answer: agent.Specific, Tools: "Bash"},
	{Name: "SubagentStart", Moment: agent.Start, Answer: agent.Specific},
	{Name: "SubagentStop", Moment: agent.End},
	{Name: "Stop", Moment: agent.End, Ask: agent.Block},
	{Name: "SessionEnd", Moment: agent.End},
	{Name: "PreCompact"},
	{Name: "PostCompact"},
	{Name: "PermissionRequest"},
	{Name: "Interrupt"},
}

// endTimeout is what Codex cuts the time of a hook at SessionEnd to, in seconds.
const endTimeout = 3

func handler(c agent.Call) any {
	h := struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Windows string `json:"commandWindows,omitempty"`
		Timeout int    `json:"timeout"`
	}{"command", c.Line, c.Cmd, agent.Timeout}
	if c.Event == "SessionEnd" {
		h.Timeout = endTimeout
	}
	return h
}

func notes(s agent.Scope) []string {
	notes := []string{"to do by hand: Codex runs a hook only after you reviewed and trusted it: /hooks"}
	if s == agent.Project {
		notes = append(notes, "Codex reads .codex of a repository only where its user trusts the project")
	}
	return notes
}
