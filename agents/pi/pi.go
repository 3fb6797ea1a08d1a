// Package pi describes pi, the coding agent of pi.dev.
package pi

import (
	"path/filepath"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/turns"
)

// Agent is pi.
var Agent = agent.Agent{
	Name: "pi", Title: "pi",
	Format:      &turns.Format{Name: "pi-coding-agent", Title: "pi", Detect: detect, Read: read},
	Transcripts: &agent.Transcripts{Folders: folders, Is: isSession, Place: agent.FirstFolder},
}

func folders(e agent.Environment) []string {
	return []string{filepath.Join(e.Folder("PI_CODING_AGENT_DIR", ".pi", "agent"), "sessions")}
}

func isSession(path string) bool { return strings.HasSuffix(path, ".jsonl") }
