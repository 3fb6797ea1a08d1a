package gemini

import (
	"os"
	"path/filepath"
	"strings"

	"episodes/agents/agent"
)

// memories are in the folder of a project, next to its chats.
func memories(e agent.Environment, _ []string, owns func(dir string) bool) (out []agent.Memory) {
	h := agent.NewHeads()
	for _, folder := range folders(e) {
		projects, _ := os.ReadDir(folder)
		for _, d := range projects {
			project := filepath.Join(folder, d.Name())
			if owns(strings.TrimSpace(string(h.Begin(filepath.Join(project, projectRoot))))) {
				out = append(out, agent.Memory{Dir: filepath.Join(project, "memory")})
			}
		}
	}
	return out
}
