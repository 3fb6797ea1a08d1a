// Package agents lists the coding agents that this program knows. Each is one value of
// agent.Agent in a package of its own here.
//
// To add an agent, see AGENTS.md, agents/agent/agent.go and one of the packages here: cursor for a
// small one, qwen for one that shares parts with another. Tests go over the list: none needs a line.
//
// A format gives the turns of a file in their order, each thing once, and nothing as a user's
// words that no human typed. An event at which the agent drops the answer is Silent. Names,
// events and the lines of settings never change once they are released: agents ask their users
// again.
// Other programs use package episodes: only that is a promise.
package agents

import (
	"slices"

	"episodes/agents/agent"
	"episodes/agents/aider"
	"episodes/agents/claude"
	"episodes/agents/cline"
	"episodes/agents/codex"
	"episodes/agents/copilot"
	"episodes/agents/cursor"
	"episodes/agents/gemini"
	"episodes/agents/opencode"
	"episodes/agents/openhands"
	"episodes/agents/pi"
	"episodes/agents/qwen"
)

// all are the agents in the order in which they are shown and their formats are tried.
var all = []*agent.Agent{
	&claude.Agent, &codex.Agent, &copilot.Agent, &cursor.Agent, &gemini.Agent, &opencode.Agent,
	&openhands.Agent, &cline.Agent, &aider.Agent, &qwen.Agent, &pi.Agent,
}

// All returns the agents, in the order in which they are shown.
func All() []*agent.Agent { return slices.Clone(all) }

// Named returns the agent with a name, or whose format has that name; nil if there is no such agent.
func Named(name string) *agent.Agent {
	for _, a := range all {
		if a.Name == name || a.Format != nil && a.Format.Name == name {
			return a
		}
	}
	return nil
}

// Which returns the agents for which has is true: HasHooks and the like.
func Which(has func(*agent.Agent) bool) (out []*agent.Agent) {
	for _, a := range all {
		if has(a) {
			out = append(out, a)
		}
	}
	return out
}

// Names returns the names of the agents for which has is true.
func Names(has func(*agent.Agent) bool) (names []string) {
	for _, a := range Which(has) {
		names = append(names, a.Name)
	}
	return names
}

// HasTranscripts reports whether it is known where an agent keeps its transcripts.
func HasTranscripts(a *agent.Agent) bool { return a.Transcripts != nil }

// HasMemories reports whether it is known where an agent keeps notes of its own.
func HasMemories(a *agent.Agent) bool { return a.Memories != nil }

// HasHooks reports whether an agent calls hooks.
func HasHooks(a *agent.Agent) bool { return a.Hooks != nil }

// HasSettings reports whether the settings of an agent can be wired.
func HasSettings(a *agent.Agent) bool { return a.Settings != nil }

// HasActor reports whether an agent can be the actor of a loop.
func HasActor(a *agent.Agent) bool { return a.Actor != nil }
