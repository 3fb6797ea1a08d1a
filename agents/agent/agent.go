// Package agent describes a coding agent as a value of type Agent: the format and the location of
// its transcripts, its hooks, its settings, and its command line as the actor of a loop. Each agent
// is a package next to this one that exports one such value. This package also holds the code that
// several agents share.
//
//	agent.go        Agent, and the environment that folders depend on
//	transcripts.go  the location of transcripts, and which files belong to one session
//	heads.go        reads the beginnings of files
//	hooks.go        hook events, field names of payloads, forms of answers
//	settings.go     settings files, and the entries written there
//	actor.go        command lines of actors
//	printed.go      the output of an actor
//
// A value is data and small functions. internal/sources finds transcripts with it, extract reads
// them, internal/setup writes the settings, internal/hook answers the hooks, and reflexion/loop
// runs the actor. These packages know no agent by name.
package agent

import (
	"path/filepath"

	"episodes/internal/turns"
)

// Agent is one coding agent. A pointer or function is nil if the agent has no such part.
type Agent struct {
	// Name identifies the agent in command lines and in settings. It is in lower case and never
	// changes.
	Name   string
	Title  string // for people
	Format *turns.Format
	// Unwrap parses the result of a command as the model reads it: it separates the output from
	// the lines that the agent adds, such as the exit code. Used for hook payloads and for
	// transcripts. Nil if the agent adds nothing.
	Unwrap      func(text string) *turns.ToolResult
	Transcripts *Transcripts
	Hooks       *Hooks
	Settings    *Settings
	Actor       *Actor
}

// Environment is the input from which agents derive their folders.
type Environment struct {
	Home   string // of the user
	Getenv func(string) string
}

// Folder returns the value of an environment variable if it is an absolute path, else the folder
// below in the home folder. variable may be "".
func (e Environment) Folder(variable string, below ...string) string {
	if variable != "" {
		if v := e.Getenv(variable); filepath.IsAbs(v) {
			return v
		}
	}
	return filepath.Join(append([]string{e.Home}, below...)...)
}
