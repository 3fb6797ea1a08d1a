package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
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
// continues to write its output and its exit code.
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

// Error names the process group.
func (e *StillRunningError) Error() string {
	return fmt.Sprintf("its command still runs (process group %s)", e.Group)
}

// RunDurable runs a shell command line with its state in dir, or returns the result of
// an earlier run in dir. It waits for one that is still running, up to the timeout.
// Errors: that of ctx (the run is then recorded as interrupted), *StillRunningError,
// and file errors.
func RunDurable(ctx context.Context, dir string, s Spec) (*Durable, error) {
	if r, ok, err := Finished(dir); ok || err != nil {
		return r, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make %q: %w", dir, reason(err))
	}
	l, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", filepath.Join(dir, lockFile), reason(err))
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

// Finished returns the result of the run in dir; false if there is none yet.
func Finished(dir string) (*Durable, bool, error) {
	data, err := os.ReadFile(filepath.Join(dir, exitFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read %q: %w", filepath.Join(dir, exitFile), reason(err))
	}
	r := &Durable{Again: true}
	switch word := strings.TrimSpace(string(data)); word {
	case endTimeout:
		r.TimedOut, r.Exit = true, -1
	case endInterrupted:
		r.Interrupted, r.Exit = true, -1
	default:
		if r.Exit, err = strconv.Atoi(word); err != nil {
			return nil, false, fmt.Errorf("%q holds %q, which is no exit code", filepath.Join(dir, exitFile), word)
		}
	}
	r.Stdout, r.Cut, err = output(dir, stdoutFile)
	if err != nil {
		return nil, false, err
	}
	var cutToo bool
	r.Stderr, cutToo, err = output(dir, stderrFile)
	r.Cut = r.Cut || cutToo
	if from, err := os.Stat(filepath.Join(dir, startFile)); err == nil {
		if to, err := os.Stat(filepath.Join(dir, exitFile)); err == nil {
			r.Duration = max(0, to.ModTime().Sub(from.ModTime()))
		}
	}
	return r, err == nil, err
}

// output reads an output file; of a long one the start and the end.
func output(dir, name string) (data []byte, cut bool, err error) {
	f, err := os.Open(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read %q: %w", filepath.Join(dir, name), reason(err))
	}
	defer f.Close()
	var b buffer
	if _, err := io.Copy(&b, f); err != nil {
		return nil, false, fmt.Errorf("read %q: %w", filepath.Join(dir, name), reason(err))
	}
	return b.bytes(), b.cut, nil
}

func wasStarted(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, startFile))
	return err == nil
}

// end records how a run ended, unless that is recorded already.
func end(dir, how string) error {
	temp := filepath.Join(dir, exitFile+".parent")
	if err := os.WriteFile(temp, []byte(how+"\n"), 0o644); err != nil {
		return fmt.Errorf("write %q: %w", temp, reason(err))
	}
	defer os.Remove(temp)
	path := filepath.Join(dir, exitFile)
	err := os.Link(temp, path)
	if _, missing := os.Stat(path); err != nil && missing != nil {
		err = os.Rename(temp, path) // a file system without links
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write %q: %w", path, reason(err))
	}
	return nil
}

// await takes the lock of a run, which is held by a command whose parent was killed.
func await(ctx context.Context, dir string, l *os.File, timeout time.Duration) error {
	if timeout == 0 {
		timeout = time.Hour
	}
	for deadline := time.Now().Add(timeout); ; {
		ok, err := tryLock(l)
		if ok || err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(dir, exitFile)); err == nil {
			return nil // it ended; one of its child processes still holds the lock
		}
		if time.Now().After(deadline) {
			group, _ := os.ReadFile(filepath.Join(dir, startFile))
			return &StillRunningError{Group: strings.TrimSpace(string(group))}
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
