// Package gemini is the Gemini CLI. Its name in settings is gemini, that of its
// transcripts' format gemini-cli: both are frozen.
package gemini

import (
	"path/filepath"

	"episodes/agents/agent"
	"episodes/internal/turns"
)

// Agent is the Gemini CLI.
var Agent = agent.Agent{
	Name: "gemini", Title: "Gemini CLI",
	Format:      &turns.Format{Name: "gemini-cli", Title: "Gemini CLI", Detect: detect, Read: read},
	Unwrap:      Unwrap,
	Transcripts: &agent.Transcripts{Folders: folders, Is: isChat, Apart: true, Place: place, Member: member},
	Hooks:       &agent.Hooks{Fields: agent.Snake(), Events: events},
	Settings: &agent.Settings{
		Home: home,
		User: func(_ agent.Environment, home string) []agent.File {
			return []agent.File{agent.At(filepath.Join(home, "settings.json"), agent.HooksPart, agent.ServerPart)}
		},
		Project:  []agent.File{agent.At(".gemini/settings.json", agent.HooksPart, agent.ServerPart)},
		Traces:   []string{".gemini", "GEMINI.md"},
		Programs: []string{"gemini"},
		Handler:  handler,
	},
	Actor: &agent.Actor{
		Head: "--output-format stream-json", Allow: "--approval-mode auto_edit", Asks: []string{"--approval-mode", "--yolo", "-y"}, Read: readPrinted,
	},
}

func home(e agent.Environment) string { return filepath.Join(e.Folder("GEMINI_CLI_HOME"), ".gemini") }

// Before a tool it takes decisions only.
var events = []agent.Event{
	{Name: "SessionStart", Moment: agent.Start, Answer: agent.Specific, Wired: true},
	{Name: "BeforeAgent", Moment: agent.Prompt, Answer: agent.Specific, Wired: true},
	{Name: "BeforeTool"},
	{Name: "AfterTool", Moment: agent.After, Answer: agent.Specific, Wired: true, Tools: "run_shell_command"},
	{Name: "AfterAgent", Moment: agent.End, Wired: true},
	{Name: "SessionEnd", Moment: agent.End, Wired: true},
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
