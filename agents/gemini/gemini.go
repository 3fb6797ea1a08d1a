// Package gemini describes the Gemini CLI. The agent is named gemini in settings, its transcript
// format gemini-cli. Neither name may change.
//
// The reader decodes a chat into messages and emits each message, call and result once. Newer files
// repeat a message whenever it grows, so it remembers what it has emitted of the last ones.
//
//	gemini.go      the Agent: hooks, settings, actor
//	transcript.go  chats → turns
//	tools.go       tool calls and their results
//	files.go       the folder of a chat, and the chats of sub-agents
//	memories.go    the notes that the agent keeps by itself
//	printed.go     the output of the agent as the actor of a loop
package gemini

import (
	"path/filepath"

	"episodes/agents/agent"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// Agent is the Gemini CLI.
var Agent = agent.Agent{
	Name: "gemini", Title: "Gemini CLI",
	Format:      &turns.Format{Name: "gemini-cli", Title: "Gemini CLI", Detect: detect, Read: read},
	Unwrap:      Unwrap,
	Transcripts: &agent.Transcripts{Folders: folders, Is: isChat, Apart: true, Place: place, Member: member},
	Memories:    memories,
	Hooks:       &agent.Hooks{Fields: agent.Snake(), Events: events},
	Settings: &agent.Settings{
		Home:     home,
		User:     agent.InHome(agent.At("settings.json", agent.HooksPart, agent.ServerPart)),
		Project:  []agent.File{agent.At(".gemini/settings.json", agent.HooksPart, agent.ServerPart)},
		Traces:   []string{".gemini", "GEMINI.md"},
		Programs: []string{"gemini"},
		Handler:  handler,
		Trust: &agent.Kept{Do: "run /permissions trust", Has: trusts, File: func(_ agent.Environment, home string) string {
			return filepath.Join(home, "trustedFolders.json")
		}},
	},
	Actor: &agent.Actor{
		Head: "--output-format stream-json", Allow: "--approval-mode auto_edit", Asks: []string{"--approval-mode", "--yolo", "-y"}, Read: readPrinted,
		Unavailable: lazy.Pattern(`(?i)exhausted your (?:daily quota|capacity)|exceeded your current quota|resource_exhausted|set an auth method`),
	},
}

func home(e agent.Environment) string { return filepath.Join(e.Folder("GEMINI_CLI_HOME"), ".gemini") }

// trusts reports whether no folder around a repository is one that the user does not trust.
func trusts(all map[string]any, root string, _ []string) bool {
	for folder, trust := range all {
		if below, err := filepath.Rel(folder, root); trust == "DO_NOT_TRUST" && err == nil && filepath.IsLocal(below) {
			return root == ""
		}
	}
	return true
}

// events lists the hook events. BeforeTool is not wired: it accepts decisions, but no context.
var events = []agent.Event{
	{Name: "SessionStart", Moment: agent.Start, Answer: agent.Specific},
	{Name: "BeforeAgent", Moment: agent.Prompt, Answer: agent.Specific},
	{Name: "BeforeTool"},
	{Name: "AfterTool", Moment: agent.After, Answer: agent.Specific, Tools: "run_shell_command"},
	{Name: "AfterAgent", Moment: agent.End},
	{Name: "SessionEnd", Moment: agent.End},
	{Name: "PreCompress"},
}

func handler(c agent.Call) any {
	return struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Name    string `json:"name"`
		Timeout int    `json:"timeout"` // milliseconds
	}{"command", c.Line, "episodes", agent.Timeout * 1000}
}
