package setup

import (
	"os"
	"path/filepath"

	"episodes/agents"
	"episodes/agents/agent"
)

// place is a file of an agent's settings.
type place = agent.File

// Environment is what setup takes from the process around it.
type Environment struct {
	Home     string // of the user; "": not known
	Getenv   func(string) string
	LookPath func(string) (string, error) // where the shell finds a program
	Self     string                       // path of this program
}

// folders is what the folders of agents depend on.
func (e Environment) folders() agent.Environment {
	return agent.Environment{Home: e.Home, Getenv: e.Getenv}
}

// AgentsMD is the name by which the section of AGENTS.md is asked for.
const AgentsMD = "agents-md"

// Agents lists the names of the agents.
func Agents() []string { return agents.Names(agents.HasSettings) }

// agentOf is the agent of a name; nil where none is known whose settings can be wired.
func agentOf(name string) *agent.Agent {
	if a := agents.Named(name); a != nil && a.Settings != nil {
		return a
	}
	return nil
}

// filesOf are the files of an agent in one scope.
func filesOf(a *agent.Agent, e Environment, s Scope) []place {
	if s == User {
		return a.Settings.User(e.folders(), a.Settings.Home(e.folders()))
	}
	return a.Settings.Project
}

// foundAt lists where an agent was found: on this machine, in the repository.
func foundAt(a *agent.Agent, e Environment, root string) (where []string) {
	if e.Home != "" {
		if home := a.Settings.Home(e.folders()); isDir(home) {
			where = append(where, home)
		}
	}
	if e.LookPath != nil {
		for _, name := range a.Settings.Programs {
			if path, err := e.LookPath(name); err == nil {
				where = append(where, path)
				break
			}
		}
	}
	for _, trace := range a.Settings.Traces {
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
