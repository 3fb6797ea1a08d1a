// Package qwen is Qwen Code, which has the tools of the Gemini CLI; what it prints has the form of
// Claude Code's.
package qwen

import (
	"path/filepath"
	"strings"

	"episodes/agents/agent"
	"episodes/agents/claude"
	"episodes/agents/gemini"
	"episodes/internal/turns"
)

// Agent is Qwen Code.
var Agent = agent.Agent{
	Name: "qwen", Title: "Qwen Code",
	Format:      &turns.Format{Name: "qwen-code", Title: "Qwen Code", Detect: detect, Read: read},
	Unwrap:      gemini.Unwrap,
	Transcripts: &agent.Transcripts{Folders: folders, Is: isChat, Place: agent.FirstFolder},
	Actor: &agent.Actor{
		Head: "--output-format stream-json", Allow: "--approval-mode auto-edit", Asks: []string{"--approval-mode", "--yolo", "-y"}, Read: claude.ReadPrinted,
	},
}

func folders(e agent.Environment) []string {
	return []string{filepath.Join(e.Folder("", ".qwen"), "projects")}
}

func isChat(path string) bool {
	return strings.HasSuffix(path, ".jsonl") && filepath.Base(filepath.Dir(path)) == "chats"
}
