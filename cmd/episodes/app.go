package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"episodes/graph"
	"episodes/internal/memory"
	"episodes/internal/recall"
)

// app is one run of the program.
type app struct {
	environment
	flags    globals
	progress *progress
	notes    []string // for the envelope
}

// globals are the flags that every command takes.
type globals struct {
	root, memory, store  string
	json, quiet, verbose bool
	emptyFails           bool
	color                string
	lockTimeout          time.Duration
	limit, maxTokens     int
}

// run carries out the command line and returns the exit code.
func run(ctx context.Context, env environment) int {
	a := &app{environment: env}
	root := a.command()
	root.SetArgs(env.args)
	root.SetIn(env.stdin)
	root.SetOut(env.stdout)
	root.SetErr(env.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	return a.finish(cmd, err)
}

// location finds the root and the memory, which need not exist yet.
func (a *app) location() (memory.Location, error) {
	return memory.Locate(memory.Request{Root: a.flags.root, Memory: a.flags.memory, Cwd: a.cwd})
}

// graphOptions say which graph belongs to the memory.
func (a *app) graphOptions(cmd *cobra.Command, loc memory.Location) memory.GraphOptions {
	o := memory.GraphOptions{Store: a.flags.store, Options: graph.Options{LockTimeout: a.flags.lockTimeout, Who: "episodes " + name(cmd)}}
	if o.Store == "" {
		o.Store = loc.DefaultStore()
	}
	if o.LockTimeout == 0 {
		o.LockTimeout = time.Nanosecond // not to wait is not the same as not to say
	}
	o.Progress = a.showProgress("episodes into the graph")
	return o
}

// ask opens the memory for a question.
func (a *app) ask(cmd *cobra.Command, question func(*recall.Session) error) error {
	loc, err := a.location()
	if err != nil {
		return err
	}
	s, err := recall.Open(recall.Options{Location: loc, Graph: a.graphOptions(cmd, loc), Now: a.now, Note: a.note})
	if err != nil {
		return err
	}
	defer s.Close()
	return question(s)
}

// askGraph opens the memory and its graph for a question.
func (a *app) askGraph(cmd *cobra.Command, question func(*recall.Session, *graph.Graph) error) error {
	return a.ask(cmd, func(s *recall.Session) error {
		g, err := s.Graph(cmd.Context())
		if err != nil {
			return err
		}
		return question(s, g)
	})
}

// name is the command as the user typed it, without the program.
func name(cmd *cobra.Command) string {
	_, sub, found := strings.Cut(cmd.CommandPath(), " ")
	if !found {
		return "episodes"
	}
	return sub
}

// note tells the user something beside the answer: in the envelope with --json,
// else on stderr.
func (a *app) note(text string) {
	if a.flags.json || !a.flags.quiet {
		a.warn(text)
	}
}

// warn is a note that --quiet does not silence.
func (a *app) warn(text string) {
	if a.flags.json {
		a.notes = append(a.notes, text)
	} else {
		a.say("%s", text)
	}
}

// hint says on stderr how to go on.
func (a *app) hint(text string) { fmt.Fprintf(a.stderr, "hint: %s\n", printable(text)) }

// say prints on stderr.
func (a *app) say(format string, args ...any) {
	a.progress.clear()
	for line := range strings.Lines(fmt.Sprintf(format, args...)) {
		fmt.Fprintf(a.stderr, "episodes: %s\n", printable(line))
	}
}
