package claude

import (
	"os"
	"path/filepath"

	"episodes/agents/agent"
	"episodes/internal/lazy"
)

var noName = lazy.Pattern(`[^a-zA-Z0-9]`)

// memories are next to the sessions. Several paths have the same name there: a folder whose sessions
// worked elsewhere is left out.
func memories(e agent.Environment, roots []string, owns func(dir string) bool) (out []agent.Memory) {
	for _, folder := range folders(e) {
		for _, root := range roots {
			project := filepath.Join(folder, noName().ReplaceAllString(root, "-"))
			if !ofAnother(project, owns) {
				out = append(out, agent.Memory{Dir: filepath.Join(project, "memory")})
			}
		}
	}
	return out
}

func ofAnother(project string, owns func(dir string) bool) (another bool) {
	entries, _ := os.ReadDir(project)
	h := agent.NewHeads()
	for _, d := range entries {
		dir := agent.FirstFolder(h, filepath.Join(project, d.Name())).Dir
		if owns(dir) {
			return false
		}
		another = another || dir != ""
	}
	return another
}
