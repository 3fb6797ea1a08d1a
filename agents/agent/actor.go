package agent

import (
	"regexp"
	"slices"
	"strings"
)

// Actor says how an agent runs without a user. The agent gets its prompt on standard input.
type Actor struct {
	// Program is the name of its program; "" if that is Agent.Name.
	Program string
	// Head and Tail are the arguments before and after those of the user.
	Head, Tail string
	// Allow is the argument that lets it change files without confirmation. It is omitted if the
	// user's options contain one of Asks, the arguments that set permissions.
	Allow string
	Asks  []string
	// Read parses its output into p. It ignores what it does not know, since a newer version may
	// print more, and it accepts truncated output.
	Read func(p *Printed, data []byte)
	// Cost says that it reports what an attempt cost.
	Cost bool
	// Unavailable matches what it says when it gave up since its user is logged out, or at the limit
	// of a plan. May be nil.
	Unavailable func() *regexp.Regexp
}

// CommandLine returns the command line for the shell. program is the agent's name or the path of
// its program. options are the user's, and are not quoted or changed.
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
