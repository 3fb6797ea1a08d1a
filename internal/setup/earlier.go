package setup

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/lazy"
)

// earlier matches a permission, as agents write them, for what earlier versions told them to call.
var earlier = lazy.Pattern(`(mcp__episodes__|Bash\(episodes |episodes\.tools\.)(advise|search)\b`)

// allows notes that a file allows what earlier versions told an agent to call, and not what this one does.
func (s *AgentState) allows(f *file) {
	if m := earlier().FindStringSubmatch(string(f.text)); m != nil && !strings.Contains(string(f.text), m[1]+"ask") {
		s.Earlier = append(s.Earlier, fmt.Sprintf("%q allows %q, as earlier versions asked for: allow %q too", f.path, m[0], m[1]+"ask"))
	}
}

// others looks at files that setup does not write: more permissions, and the skill, copied or of a plugin.
func (s *AgentState) others(root string, a *agent.Settings, dir string) {
	const skill = "skills/" + program + "/SKILL.md"
	if root != "" {
		dir = path.Dir(a.Project[0].Path)
	}
	for _, name := range []string{"settings.local.json", skill, "plugins/cache/*/" + program + "/*/" + skill} {
		names, _ := fs.Glob(os.DirFS(filepath.Join(root, dir)), name)
		if len(names) == 0 {
			continue
		}
		f, err := openFile(root, filepath.Join(dir, names[len(names)-1])) // of several versions of a plugin the last one counts
		switch {
		case err != nil:
		case path.Base(name) != path.Base(skill):
			s.allows(f)
		case !strings.Contains(string(f.text), words):
			s.Earlier = append(s.Earlier, fmt.Sprintf("the skill %q is of an earlier version: remove the plugin and install it again, or copy the skill again", f.path))
		}
	}
}

// Outdated lists what earlier versions wrote or asked for, with what is to be done.
func (a *Answer) Outdated() (out [][2]string) {
	for _, s := range a.Agents {
		if s.State == Older {
			out = append(out, [2]string{s.Agent + ": " + string(s.State), "episodes setup " + s.mends()})
		}
		for _, text := range s.Earlier {
			out = append(out, [2]string{s.Agent + ": " + text, ""})
		}
	}
	return out
}

// mends are the arguments of setup that mend the settings.
func (s *AgentState) mends() string {
	if s.Scope == Project && s.Agent != AgentsMD {
		return s.Agent + " --project"
	}
	return s.Agent
}
