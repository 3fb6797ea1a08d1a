package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/term"
)

// app is one run of the program.
type app struct {
	environment
	flags    globals
	progress *progress
	notes    []string // for the envelope

	allCommands bool // help lists every command
}

// globals are the flags that every command takes.
type globals struct {
	root, memory, store  string
	json, quiet, verbose bool
	emptyFails, org      bool
	color                string
	lockTimeout          time.Duration
	limit, maxTokens     int
}

// run carries out the command line and returns the exit code.
func run(ctx context.Context, env environment) int {
	a := &app{environment: env}
	root := a.command()
	root.SetArgs(dashedTexts(root, env.args))
	root.SetIn(env.stdin)
	root.SetOut(env.stdout)
	root.SetErr(env.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	return a.finish(cmd, err)
}

// location finds the root and the memory, which need not exist yet.
func (a *app) location() (ask.Location, error) {
	return ask.Locate(a.flags.root, a.flags.memory, a.cwd)
}

// options say which memory to ask, and how its work is shown to the user.
func (a *app) options(cmd *cobra.Command) (ask.Options, error) {
	loc, err := a.location()
	o := ask.Options{Location: loc, Store: a.flags.store, LockTimeout: a.flags.lockTimeout, Who: "episodes " + name(cmd),
		Now: a.now, Home: a.home, Getenv: a.getenv, Unreviewed: true,
		Note: a.note, Warn: a.warn, Working: a.showWork(), Progress: a.showProgress()}
	if err == nil || errors.Is(err, ask.ErrNoMemory) && ask.IsTeam(o.Store) && cmd.Annotations[teamAnnotation] != "" {
		err = a.useTeam(cmd, &o) // the store is asked, not a memory
	}
	return o, err
}

// sources say where to look for transcripts.
func (a *app) sources() ask.SourcesRequest {
	return ask.SourcesRequest{Home: a.home, Getenv: a.getenv}
}

// ask opens the memory for questions.
func (a *app) ask(cmd *cobra.Command, f func(*ask.Memory) error) error {
	o, err := a.options(cmd)
	if err != nil {
		return err
	}
	return a.askWith(cmd, o, f)
}

// askWith is ask with options that differ from those of the command line.
func (a *app) askWith(cmd *cobra.Command, o ask.Options, f func(*ask.Memory) error) error {
	return ask.Again(cmd.Context(), o, func() error {
		m, err := ask.Open(o)
		if err != nil {
			return err
		}
		defer m.Close()
		return f(m)
	})
}

// question makes a request of the memory, or of all projects, and prints the answer.
func question[R any, A ask.Answer](a *app, cmd *cobra.Command, r R, method func(*ask.Memory, context.Context, R) (A, error)) error {
	if a.flags.org && cmd.Annotations[teamAnnotation] == eachProject {
		if err := ask.Check(r); err != nil {
			return err
		}
		return questionEach(a, cmd, r, method)
	}
	_, err := answered(a, cmd, r, method)
	return err
}

// answered makes a request of the memory, prints the answer, and returns it.
func answered[R any, A ask.Answer](a *app, cmd *cobra.Command, r R, method func(*ask.Memory, context.Context, R) (A, error)) (answer A, err error) {
	if err = ask.Check(r); err != nil {
		return answer, err
	}
	err = a.ask(cmd, func(m *ask.Memory) error {
		if answer, err = method(m, cmd.Context(), r); err != nil {
			return err
		}
		return a.render(cmd, m, answer)
	})
	return answer, err
}

// render prints an answer that quotes logs, filtered and redacted.
func (a *app) render(cmd *cobra.Command, m *ask.Memory, answer ask.Answer) error {
	text, data, err := m.Render(answer, a.flags.maxTokens)
	if err != nil {
		return err
	}
	return a.answer(cmd, result{data: json.RawMessage(data), text: a.paintOutcomes(text), empty: answer.Empty()})
}

// show prints an answer in words of ours.
func (a *app) show(cmd *cobra.Command, answer ask.Answer) error {
	return a.answer(cmd, result{data: answer, text: a.paintOutcomes(answer.Text(a.flags.maxTokens)), empty: answer.Empty()})
}

// name is the command as the user typed it, without the program.
func name(cmd *cobra.Command) string {
	_, sub, found := strings.Cut(cmd.CommandPath(), " ")
	switch {
	case !found:
		return "episodes"
	case cmd.HasAlias(cmd.CalledAs()):
		return cmd.CalledAs()
	}
	return sub
}

// note prints a remark that is not part of the answer: in the envelope with --json, otherwise
// on stderr.
func (a *app) note(text string) {
	if a.flags.json || !a.flags.quiet {
		a.warn(text)
	}
}

// warn is a note that --quiet does not silence.
func (a *app) warn(text string) {
	if a.flags.json {
		a.notes = append(a.notes, term.Lines(text))
	} else {
		a.say(text)
	}
}

// hint says on stderr how to go on.
func (a *app) hint(text string) { fmt.Fprintf(a.stderr, "hint: %s\n", term.Line(text)) }

// say prints on stderr.
func (a *app) say(text string) {
	a.progress.clear()
	for line := range strings.Lines(text) {
		fmt.Fprintf(a.stderr, "episodes: %s\n", term.Line(strings.TrimSuffix(line, "\n")))
	}
}
