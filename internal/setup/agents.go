package setup

import (
	"os"
	"path/filepath"
	"slices"
)

// part is what one file is for.
type part string

const (
	hooksPart  part = "hooks"
	serverPart part = "mcp"
	textPart   part = "text"
)

// place is a file of an agent's settings.
type place struct {
	path  string // in a repository relative to its root, with slashes; else absolute
	parts []part
}

func at(path string, parts ...part) place { return place{path, parts} }

// agent is a program whose settings can be wired.
type agent struct {
	name, title string
	flat        bool                       // its lists of hooks hold handlers, not groups of them
	versioned   bool                       // a file of its hooks begins with a version
	home        func(e Environment) string // the folder of the user's settings
	user        func(e Environment, home string) []place
	project     []place
	traces      []string               // in a repository: one where the agent is used has one of them
	programs    []string               // how it is started
	notes       func(s Scope) []string // what a person has to know, or to do
}

// Environment is what setup takes from the process around it.
type Environment struct {
	Home     string // of the user; "": not known
	Getenv   func(string) string
	LookPath func(string) (string, error) // where the shell finds a program
	Self     string                       // path of this program
}

// below is a folder of the home folder, or what a variable says.
func (e Environment) below(variable string, names ...string) string {
	if variable != "" {
		if v := e.Getenv(variable); filepath.IsAbs(v) {
			return v
		}
	}
	return filepath.Join(append([]string{e.Home}, names...)...)
}

const jsonSettings = "settings.json"

var agents = []agent{
	{
		name: "claude", title: "Claude Code",
		home: func(e Environment) string { return e.below("CLAUDE_CONFIG_DIR", ".claude") },
		user: func(e Environment, home string) []place {
			state := filepath.Join(e.below("CLAUDE_CONFIG_DIR"), ".claude.json")
			return []place{at(filepath.Join(home, jsonSettings), hooksPart), at(state, serverPart)}
		},
		project:  []place{at(".claude/settings.json", hooksPart), at(".mcp.json", serverPart)},
		traces:   []string{".claude", "CLAUDE.md"},
		programs: []string{"claude"},
		notes: func(s Scope) []string {
			if s == Project {
				return []string{"Claude Code runs hooks of a repository once its user trusts the folder, and asks before it starts a server of .mcp.json"}
			}
			return nil
		},
	},
	{
		name: "codex", title: "Codex",
		home: func(e Environment) string { return e.below("CODEX_HOME", ".codex") },
		user: func(_ Environment, home string) []place {
			return []place{at(filepath.Join(home, "hooks.json"), hooksPart), at(filepath.Join(home, "config.toml"), serverPart)}
		},
		project:  []place{at(".codex/hooks.json", hooksPart), at(".codex/config.toml", serverPart)},
		traces:   []string{".codex"},
		programs: []string{"codex"},
		notes: func(s Scope) []string {
			notes := []string{"to do by hand: Codex runs a hook only after you reviewed and trusted it: /hooks"}
			if s == Project {
				notes = append(notes, "Codex reads .codex of a repository only where its user trusts the project")
			}
			return notes
		},
	},
	{
		name: "copilot", title: "Copilot CLI", flat: true, versioned: true,
		home: func(e Environment) string { return e.below("COPILOT_HOME", ".copilot") },
		user: func(_ Environment, home string) []place {
			return []place{at(filepath.Join(home, hooksFolder, "episodes.json"), hooksPart), at(filepath.Join(home, "mcp-config.json"), serverPart)}
		},
		project:  []place{at(".github/hooks/episodes.json", hooksPart), at(".github/mcp.json", serverPart)},
		traces:   []string{".github/hooks", ".github/copilot", ".github/copilot-instructions.md"},
		programs: []string{"copilot"},
	},
	{
		name: "cursor", title: "Cursor", flat: true, versioned: true,
		home: func(e Environment) string { return e.below("", ".cursor") },
		user: func(_ Environment, home string) []place {
			return []place{at(filepath.Join(home, "hooks.json"), hooksPart), at(filepath.Join(home, "mcp.json"), serverPart)}
		},
		project:  []place{at(".cursor/hooks.json", hooksPart), at(".cursor/mcp.json", serverPart)},
		traces:   []string{".cursor", ".cursorrules"},
		programs: []string{"cursor", "cursor-agent"},
		notes: func(Scope) []string {
			return []string{"Cursor can be set to load hooks of Claude Code too (Include third-party configs); with both, each call starts twice, and is answered once"}
		},
	},
	{
		name: "gemini", title: "Gemini CLI",
		home: func(e Environment) string { return filepath.Join(e.below("GEMINI_CLI_HOME"), ".gemini") },
		user: func(_ Environment, home string) []place {
			return []place{at(filepath.Join(home, jsonSettings), hooksPart, serverPart)}
		},
		project:  []place{at(".gemini/settings.json", hooksPart, serverPart)},
		traces:   []string{".gemini", "GEMINI.md"},
		programs: []string{"gemini"},
	},
}

// AgentsMD is the name by which the section of AGENTS.md is asked for.
const AgentsMD = "agents-md"

// Agents lists the names of the agents.
func Agents() (names []string) {
	for _, a := range agents {
		names = append(names, a.name)
	}
	return names
}

func agentOf(name string) *agent {
	i := slices.IndexFunc(agents, func(a agent) bool { return a.name == name })
	if i < 0 {
		return nil
	}
	return &agents[i]
}

// places are the files of an agent in one scope.
func (a *agent) places(e Environment, s Scope) []place {
	if s == User {
		return a.user(e, a.home(e))
	}
	return a.project
}

// found tells where an agent shows: on this machine, or in the repository.
func (a *agent) found(e Environment, root string) (where []string) {
	if e.Home != "" {
		if home := a.home(e); isDir(home) {
			where = append(where, home)
		}
	}
	if e.LookPath != nil {
		for _, name := range a.programs {
			if path, err := e.LookPath(name); err == nil {
				where = append(where, path)
				break
			}
		}
	}
	for _, trace := range a.traces {
		if root == "" {
			break
		}
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(trace))); err == nil {
			where = append(where, trace)
			break
		}
	}
	return where
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
