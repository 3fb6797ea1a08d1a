package agent

import (
	"slices"
	"strings"
)

// Actor is how an agent is run without a person, with its prompt on standard input, as it
// documents it.
type Actor struct {
	// Program is the name of its program; "": that of the agent.
	Program string
	// Head and Tail are the arguments before and behind those of the user.
	Head, Tail string
	// Allow lets it change files without asking anybody. It is left out where the user gives one
	// of Asks, which say what it may do.
	Allow string
	Asks  []string
	// Read reads what it printed, as far as its format is known: a newer version may print more,
	// and what it printed may be cut.
	Read func(p *Printed, data []byte)
	// Cost: it says what an attempt cost.
	Cost bool
}

// CommandLine is the command line for the shell. program is the agent's name or the path of its
// program. options are the user's own words, and stay as they are.
func (a *Agent) CommandLine(program, options string) string {
	x := a.Actor
	if program == a.Name && x.Program != "" {
		program = x.Program
	}
	words := []string{program, x.Head}
	asked := slices.ContainsFunc(strings.Fields(options), func(w string) bool {
		w, _, _ = strings.Cut(w, "=")
		return slices.Contains(x.Asks, w)
	})
	if !asked {
		words = append(words, x.Allow)
	}
	words = append(words, strings.TrimSpace(options), x.Tail)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}
