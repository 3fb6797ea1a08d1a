package proc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"episodes/internal/fsstore"
)

// A durable run of a command keeps its state in a folder of its own, so that the
// process that started it may be killed at any moment and another one can continue:
//
//	stdin, stdout, stderr  its input and output
//	started                the process group, once the command was started
//	exit                   how it ended: a code, "timeout" or "interrupted"
//	lock                   locked by the command and its child processes
//
// A command is started at most once in a folder. If it outlives its parent, it
// continues to write its output and its exit code. What is in the folder is believed, so
// its name must be one that nobody else can know. No process is looked up, signalled or
// waited for by a number in it: whether the command still runs is seen by the lock, which
// is the kernel's.
const (
	stdinFile  = "stdin"
	stdoutFile = "stdout"
	stderrFile = "stderr"
	startFile  = "started"
	exitFile   = "exit"
	lockFile   = "lock"
)

// How a durable run can end other than with an exit code.
const (
	endTimeout     = "timeout"
	endInterrupted = "interrupted"
)

// maxWord is more than the length of what is in the files started and exit, in bytes.
const maxWord = 64

// Durable is the result of a durable run.
type Durable struct {
	Result
	// Interrupted: the command was started and did not end by itself, since its
	// parent or the whole machine was stopped. It is not started again.
	Interrupted bool
	// Again: the result comes from an earlier call.
	Again bool
}

// StillRunningError means that a command whose parent was killed has not ended yet.
type StillRunningError struct{ Group string }

func (e *StillRunningError) Error() string {
	return fmt.Sprintf("its command still runs (process group %q)", e.Group)
}

// RunDurable runs a shell command line with its state in dir, or returns the result of
// an earlier run in dir. It waits for one that is still running, up to the timeout.
// Errors: that of ctx (the run is then recorded as interrupted), *StillRunningError,
// and file errors.
func RunDurable(ctx context.Context, dir *fsstore.Dir, s Spec) (*Durable, error) {
	if r, ok, err := Finished(dir); ok || err != nil {
		return r, err
	}
	l, err := dir.OpenPrivate(lockFile, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	if err := await(ctx, dir, l, s.Timeout); err != nil {
		return nil, err
	}
	if r, ok, err := Finished(dir); ok || err != nil { // it ended while we waited
		return r, err
	}
	if wasStarted(dir) {
		if err := end(dir, endInterrupted); err != nil {
			return nil, err
		}
		r, _, err := Finished(dir)
		return r, err
	}
	return start(ctx, dir, s, l)
}

// Finished returns the result of the run in dir, or false if it has not finished.
func Finished(dir *fsstore.Dir) (*Durable, bool, error) {
	data, err := dir.ReadHead(exitFile, maxWord)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	r := &Durable{Again: true}
	switch word := strings.TrimSpace(string(data)); word {
	case endTimeout:
		r.TimedOut, r.Exit = true, -1
	case endInterrupted:
		r.Interrupted, r.Exit = true, -1
	default:
		if r.Exit, err = strconv.Atoi(word); err != nil {
			return nil, false, fmt.Errorf("%q holds %q, which is no exit code", dir.Path(exitFile), word)
		}
	}
	var cutToo bool
	if r.Stdout, r.Cut, err = output(dir, stdoutFile); err == nil {
		r.Stderr, cutToo, err = output(dir, stderrFile)
	}
	r.Cut = r.Cut || cutToo
	if from, err := dir.Lstat(startFile); err == nil {
		if to, err := dir.Lstat(exitFile); err == nil {
			r.Duration = max(0, to.ModTime().Sub(from.ModTime()))
		}
	}
	return r, err == nil, err
}

// output reads an output file, which is made small enough first: nobody did when the
// parent was killed.
func output(dir *fsstore.Dir, name string) (data []byte, cut bool, err error) {
	f, err := dir.OpenFile(name, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err == nil {
		defer f.Close()
		if err = shrink(f); err == nil {
			data, err = io.ReadAll(f)
		}
	}
	if err != nil {
		return nil, false, fmt.Errorf("read %q: %w", dir.Path(name), fsstore.Cause(err))
	}
	return data, strings.Contains(string(data), leftOut), nil
}

func wasStarted(dir *fsstore.Dir) bool { return dir.Exists(startFile) }

// end records how a run ended, unless that is recorded already.
func end(dir *fsstore.Dir, how string) error {
	err := dir.WriteOncePrivate(exitFile, []byte(how+"\n"))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// await takes the lock of a run, which is held by a command whose parent was killed.
func await(ctx context.Context, dir *fsstore.Dir, l *os.File, timeout time.Duration) error {
	timeout = cmp.Or(timeout, time.Hour)
	for deadline := time.Now().Add(timeout); ; {
		ok, err := tryLock(l)
		if ok || err != nil {
			return err
		}
		if dir.Exists(exitFile) {
			return nil // it ended; one of its child processes still holds the lock
		}
		if time.Now().After(deadline) {
			group, _ := dir.ReadHead(startFile, maxWord)
			return &StillRunningError{Group: strings.TrimSpace(string(group))}
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
