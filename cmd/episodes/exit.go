package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/lazy"
	"episodes/internal/learning"
	"episodes/internal/proc"
	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/history"
)

// The exit codes that scripts rely on.
const (
	codeFailed      = 1
	codeUsage       = 2
	codePartly      = 3
	codeChanging    = 4
	codeNoMemory    = 10
	codeLocked      = 11
	codeStore       = 12
	codeInterrupted = 130
)

// failure is an error with its exit code. The data of a check that found
// something wrong goes with it.
type failure struct {
	code     int
	err      error
	hint     string
	data     any
	reported bool // it is on stderr already
	verdict  bool // an answer: --json prints it on stdout
}

func (f *failure) Error() string { return f.err.Error() }

func (f *failure) Unwrap() error { return f.err }

func usage(hint, format string, args ...any) *failure {
	return &failure{code: codeUsage, err: fmt.Errorf(format, args...), hint: hint}
}

// classify finds the exit code and the hint for an error. It is the one place that
// does.
func (a *app) classify(cmd *cobra.Command, err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if broken, ok := errors.AsType[*learning.BrokenError](err); ok {
		return a.broken(cmd, broken)
	}
	if errors.Is(err, context.Canceled) {
		return &failure{code: codeInterrupted, err: errors.New("interrupted")}
	}
	if request, ok := errors.AsType[*ask.RequestError](err); ok {
		return refused(cmd, request)
	}
	var hinted interface{ Hint() string } // an error that says how to go on
	if errors.As(err, &hinted) {
		f := &failure{code: codeFailed, err: err, hint: hinted.Hint()}
		if errors.Is(err, ask.ErrLocked) {
			f.code = codeLocked
		}
		return f
	}
	f := &failure{code: codeFailed, err: err}
	var running *proc.StillRunningError
	var damage *reflexion.DamageError
	switch {
	case errors.As(err, &damage):
		f.hint = "correct the file, or move it away: then its iteration counts as never written"
	case ask.Newer(err):
		f.code, f.hint = codeStore, "update this program; or "+a.again("graph rebuild")+" makes a graph that it knows"
	case ask.Damaged(err):
		f.code, f.hint = codeStore, a.again("graph rebuild")
	case ask.Full(err):
		f.hint = "free some space on the disk"
	case errors.As(err, &running):
		f.code = codeLocked
	default:
		for _, k := range a.known() {
			if errors.Is(err, k.err) {
				f.code, f.hint = k.code, k.hint
				break
			}
		}
	}
	return f
}

// explain says to servers what is wrong, and what to do.
func (a *app) explain(cmd *cobra.Command) func(error) (message, hint string) {
	return func(err error) (message, hint string) {
		f := a.classify(cmd, err)
		return f.Error(), f.hint
	}
}

// knownError is an error that has an exit code or a hint of its own.
type knownError struct {
	code int
	err  error
	hint string
}

func (a *app) known() []knownError {
	const seeRecord = "episodes help record"
	const tasks = "episodes loop history shows the loops and tasks"
	return []knownError{
		{codeNoMemory, ask.ErrNoMemory, a.again("init") + " makes one"},
		{codeLocked, ask.ErrLocked, "try again, or wait longer with --lock-timeout"},
		{codeUsage, ask.ErrStore, storeHint},
		{codeUsage, ask.ErrVocabulary, "correct " + ask.VocabularyFile + " or remove it"},
		{codeUsage, ask.ErrNoRef, "episodes list shows the ids"},
		{codeUsage, ask.ErrTogether, "--decision EPISODE#d001 stands alone; an option in words takes --episode and --context"},
		{codeStore, ask.ErrNewer, "update this program"},
		{codeStore, ask.ErrNoStore, "episodes store init makes its tables, or brings them up"},
		{codeFailed, ask.ErrNoProject, "episodes store projects lists them, episodes push makes one"},
		{codeFailed, ask.ErrRefused,
			"the administrator of the database grants roles, the owner of a project admits logins: docs/team.md"},
		{codeUsage, ask.ErrTeamURL, "a team's store is postgres://HOST/DATABASE?project=NAME"},
		{codeFailed, ask.ErrNoRecord, a.again("decisions EPISODE") + " or " + a.again("get EPISODE") + " lists them"},
		{codeFailed, ask.ErrNoEpisode, "episodes list shows the episodes"},
		{codeFailed, reflexion.ErrNoLoop, tasks},
		{codeUsage, history.ErrInvalid, seeRecord},
		{codeFailed, history.ErrNone, tasks},
		{codeFailed, history.ErrNoAttempt, "episodes loop history with its id shows the attempts"},
		{codeFailed, history.ErrState, "episodes loop history shows the state of each task"},
	}
}

// refused turns an invalid request into a usage error that names the flag.
func refused(cmd *cobra.Command, e *ask.RequestError) *failure {
	flags := make([]string, len(e.Params))
	for i, p := range e.Params {
		if flags[i] = "--" + p; len(p) == 1 {
			flags[i] = "-" + p
		}
	}
	what, hint := strings.Join(flags, " and "), e.Hint
	if e.Help {
		hint = seeHelp(cmd)
	}
	switch {
	case e.Err != nil:
		return usage(hint, "%s: %w", what, e.Err)
	case e.Message == "":
		return usage(hint, "%s needs %s", name(cmd), what)
	case what == "":
		return usage(hint, "%s", e.Message)
	case e.Value != "":
		return usage(hint, "%s %q: %s", what, e.Value, e.Message)
	}
	return usage(hint, "%s %s", what, e.Message)
}

const hintReadable = "make it readable"

// wrong ends a command that found what is wrong, with the text that says it.
func (a *app) wrong(text string, f failure) error {
	if !a.flags.json {
		fmt.Fprint(a.stderr, text)
	}
	f.code, f.verdict = codeFailed, true
	return &f
}

// partly ends a command that answered, and said of what not.
func partly(format string, args ...any) error {
	return &failure{code: codePartly, err: fmt.Errorf(format, args...), reported: true}
}

// leftOut ends a command that answered but had to leave out n episodes, and said
// which.
func (a *app) leftOut(n int, hint string) error {
	if n == 0 {
		return nil
	}
	if hint != "" && !a.flags.json {
		a.hint(hint)
	}
	return &failure{code: codePartly, err: fmt.Errorf("%s left out", term.Plural(n, "episode")), hint: hint, reported: true}
}

// again is a command that works when it is pasted: on the same memory.
func (a *app) again(command string) string {
	for _, f := range []struct{ flag, value string }{{"root", a.flags.root}, {"memory", a.flags.memory}, {"store", a.flags.store}} {
		if f.flag == "store" && (command == "init" || ask.IsTeam(f.value)) {
			continue // the environment names a store for some commands only
		}
		if f.value != "" {
			command += " --" + f.flag + " " + shellQuote(f.value)
		}
	}
	return "episodes " + command
}

var shellSafe = lazy.Pattern(`^[A-Za-z0-9_./:@%+=-]+$`)

func shellQuote(s string) string {
	if shellSafe().MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// finish reports how a command ended and returns the exit code.
func (a *app) finish(cmd *cobra.Command, err error) int {
	a.progress.clear()
	if err == nil {
		return 0
	}
	if cmd.Annotations[neverFails] != "" {
		a.logTrouble(cmd, err)
		return 0
	}
	f := a.classify(cmd, err)
	switch {
	case f.reported && !a.wantsJSON():
	case a.wantsJSON():
		a.failEnvelope(cmd, f)
	default:
		a.say(f.Error())
		if f.hint != "" {
			a.hint(f.hint)
		}
	}
	return f.code
}

// wantsJSON is also true when parsing the flags failed before --json was reached.
func (a *app) wantsJSON() bool {
	if a.flags.json {
		return true
	}
	for _, arg := range a.args {
		if arg == "--" {
			break
		}
		if arg == "--json" || strings.HasPrefix(arg, "--json=t") {
			return true
		}
	}
	return false
}
