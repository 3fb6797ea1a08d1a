// Package agent is what a coding agent is to this program: a value that says how its transcripts
// are read and where they lie, how it calls hooks, where its settings are, and how it is run as
// the actor of a loop. Each agent is a package next to this one that exports one such value. What
// several of them have in common is here.
//
//	agent.go        Agent, and the environment that folders depend on
//	transcripts.go  where transcripts lie, and which files belong to one session
//	heads.go        reads the beginnings of files
//	hooks.go        events, names of fields in payloads, forms of answers
//	settings.go     files of settings, and what is written there
//	actor.go        command lines of actors
//	printed.go      what an actor printed
//
// A value is data and small functions. The packages internal/sources, internal/hook,
// internal/setup, extract and reflexion/loop work with it, and know no agent by name.
package agent

import (
	"path/filepath"

	"episodes/internal/turns"
)

// Agent is one coding agent. A part that it does not have is nil.
type Agent struct {
	// Name is how command lines and the lines in settings call it: small letters only. It never
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

// Environment is what the folders of agents depend on.
type Environment struct {
	Home   string // of the user
	Getenv func(string) string
}

// Folder is the value of a variable where that is an absolute path, else a folder below the home
// folder. Without a variable ("") it is the latter.
func (e Environment) Folder(variable string, below ...string) string {
	if variable != "" {
		if v := e.Getenv(variable); filepath.IsAbs(v) {
			return v
		}
	}
	return filepath.Join(append([]string{e.Home}, below...)...)
}
