package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"episodes/graph"
	"episodes/internal/capture"
	"episodes/internal/lock"
	"episodes/internal/memory"
	"episodes/internal/proc"
	"episodes/internal/recall"
	"episodes/query"
	"episodes/reflexion"
	"episodes/reflexion/memories"
	"episodes/reflexion/task"
)

// The exit codes that scripts rely on.
const (
	codeFailed      = 1
	codeUsage       = 2
	codePartly      = 3
	codeNoMemory    = 10
	codeLocked      = 11
	codeStore       = 12
	codeInterrupted = 130
)

// failure is an error with its exit code. The data of a check that found
// something wrong goes with it.
type failure struct {
	code int
	err  error
	hint string
	data any
	told bool // stderr says it already
}

// Error gives the message.
func (f *failure) Error() string { return f.err.Error() }

// Unwrap gives the cause.
func (f *failure) Unwrap() error { return f.err }

func usage(hint, format string, args ...any) error {
	return &failure{code: codeUsage, err: fmt.Errorf(format, args...), hint: hint}
}

// classify finds the exit code and the hint for an error.
func (a *app) classify(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	f = &failure{code: codeFailed, err: err}
	var ambiguous *recall.AmbiguousError
	var missing *query.NotFoundError
	var running *proc.StillRunningError
	var damage *reflexion.DamageError
	switch {
	case errors.Is(err, context.Canceled):
		f.code, f.err = codeInterrupted, errors.New("interrupted")
	case errors.As(err, &damage):
		f.hint = "mend the file, or move it away: then its iteration counts as never written"
	case errors.Is(err, memory.ErrNone):
		f.code, f.hint = codeNoMemory, a.again("init")+" makes one"
	case errors.Is(err, lock.ErrTimeout):
		f.code, f.hint = codeLocked, "try again, or wait longer with --lock-timeout"
	case errors.Is(err, reflexion.ErrNoLoop):
		f.hint = "episodes task history shows the tasks and loops"
	case errors.Is(err, task.ErrNone):
		f.hint = "episodes task history shows the tasks and loops"
	case errors.Is(err, task.ErrNoAttempt):
		f.hint = "episodes task history with the task shows its attempts"
	case errors.Is(err, task.ErrState):
		f.hint = "episodes task history shows where each task stands"
	case errors.Is(err, memories.ErrNone):
		f.hint = "episodes memory list shows the ids"
	case errors.As(err, &running):
		f.code = codeLocked
	case errors.Is(err, graph.ErrDamaged), errors.Is(err, query.ErrDamaged), errors.Is(err, graph.ErrVersion):
		f.code, f.hint = codeStore, a.again("graph rebuild")
	case errors.Is(err, graph.ErrURL):
		f.code, f.hint = codeUsage, storeHint
	case errors.Is(err, capture.ErrVocabulary):
		f.code, f.hint = codeUsage, "mend "+capture.VocabularyFile+" or take it away"
	case errors.Is(err, recall.ErrNoRef):
		f.code, f.hint = codeUsage, "episodes list shows the ids"
	case errors.As(err, &ambiguous):
		f.hint = ambiguous.Hint()
	case errors.As(err, &missing):
		f.hint = missing.Hint()
	case errors.Is(err, capture.ErrFull), errors.Is(err, graph.ErrFull), errors.Is(err, syscall.ENOSPC):
		f.hint = "free some space on the disk"
	}
	return f
}

const hintReadable = "make it readable"

// partly ends a command that answered but had to leave out n episodes, and said
// which.
func (a *app) partly(n int, hint string) error {
	if n == 0 {
		return nil
	}
	if hint != "" && !a.flags.json {
		a.hint(hint)
	}
	return &failure{code: codePartly, err: fmt.Errorf("%s left out", plural(n, "episode")), hint: hint, told: true}
}

// again is a command that works when it is pasted: on the same memory.
func (a *app) again(command string) string {
	for _, f := range []struct{ flag, value string }{{"root", a.flags.root}, {"memory", a.flags.memory}, {"store", a.flags.store}} {
		if f.value != "" && (f.flag != "store" || command != "init") {
			command += " --" + f.flag + " " + shellQuote(f.value)
		}
	}
	return "episodes " + command
}

var shellSafe = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=-]+$`)

func shellQuote(s string) string {
	if shellSafe.MatchString(s) {
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
	f := a.classify(err)
	switch {
	case f.told && !a.wantsJSON():
	case a.wantsJSON():
		a.failEnvelope(cmd, f)
	default:
		a.say("%s", f.Error())
		if f.hint != "" {
			a.hint(f.hint)
		}
	}
	return f.code
}

// wantsJSON also holds when parsing the flags failed before it came to --json.
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
