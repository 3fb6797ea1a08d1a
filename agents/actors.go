package agents

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"episodes/agents/agent"
)

// Actors returns the names of the agents that can be the actor of a loop, in alphabetical order.
func Actors() []string { return slices.Sorted(slices.Values(Names(HasActor))) }

// ActorNamed returns the agent with a name, or whose program has that name. It returns nil if no
// such agent can be the actor of a loop.
func ActorNamed(name string) *agent.Agent {
	for _, a := range Which(HasActor) {
		if name != "" && (a.Name == name || a.Actor.Program == name) {
			return a
		}
	}
	return nil
}

// ActorLine returns the agent that a user asks for, and its command line for the shell, which
// takes the prompt from standard input. given is the agent's name, or the path of its program,
// and any options for it: "claude --model opus".
func ActorLine(given string) (a *agent.Agent, line string, err error) {
	program, options, _ := strings.Cut(strings.TrimSpace(given), " ")
	if a = ActorNamed(path.Base(program)); a == nil {
		return nil, "", fmt.Errorf("no agent %q: one of %s, or the path of its program", program, strings.Join(Actors(), ", "))
	}
	return a, a.CommandLine(program, options), nil
}
