// Package qwen is Qwen Code, as an actor only: what it prints has the form of Claude Code's.
package qwen

import (
	"episodes/agents/agent"
	"episodes/agents/claude"
)

// Agent is Qwen Code.
var Agent = agent.Agent{
	Name: "qwen", Title: "Qwen Code",
	Actor: &agent.Actor{
		Head: "--output-format stream-json", Allow: "--approval-mode auto-edit", Asks: []string{"--approval-mode", "--yolo", "-y"}, Read: claude.ReadPrinted,
	},
}
