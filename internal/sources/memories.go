package sources

import (
	"episodes/agents"
	"episodes/agents/agent"
)

// Memory is a folder of an agent's own notes on this repository.
type Memory struct {
	Agent string // its name
	agent.Memory
}

// Memories lists such folders of the user, whether they exist or not.
func Memories(e Environment, here *Here) (out []Memory) {
	for _, a := range agents.Which(agents.HasMemories) {
		for _, m := range a.Memories(e, here.Roots(), here.Owns) {
			out = append(out, Memory{a.Name, m})
		}
	}
	return out
}

// Title is the name of an agent for people; "" if there is no such agent.
func Title(name string) string {
	if a := agents.Named(name); a != nil {
		return a.Title
	}
	return ""
}
