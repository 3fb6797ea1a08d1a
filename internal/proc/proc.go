// Package proc runs the command lines that the user gave, and only those: text
// of logs, tools and models never becomes one.
//
// A command gets a process group of its own, which is ended as a whole when its
// time is over or the user interrupts: first asked to end, then killed. Its
// output is kept up to a limit, from both ends.
package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// grace is how long a command that was asked to end may take.
const grace = 2 * time.Second

// Limit is how much is kept of each output stream, in bytes: half from its
// start, half from its end.
const Limit = 32 << 20

// Spec is a command to run.
type Spec struct {
	Args    []string // the program and its arguments; or
	Shell   string   // a command line for the shell
	Dir     string
	Env     []string // KEY=VALUE, added to the environment of this process
	Stdin   []byte
	Timeout time.Duration // 0: none
}

// Result is how a command ended.
type Result struct {
	Exit           int // as the shell counts: 128 + n for signal n
	Stdout, Stderr []byte
	Cut            bool // output beyond Limit was left out
	TimedOut       bool
	Duration       time.Duration
}

// Line returns the command as a line for people.
func (s Spec) Line() string {
	if s.Shell != "" {
		return s.Shell
	}
	var b bytes.Buffer
	for i, a := range s.Args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a)
	}
	return b.String()
}

// Argv returns the program and its arguments.
func (s Spec) Argv() []string {
	if s.Shell != "" {
		return []string{"sh", "-c", s.Shell}
	}
	return s.Args
}

// Run runs a command to its end. An exit code other than 0 is no error. Errors:
// that of ctx, and a program that cannot be started.
func Run(ctx context.Context, s Spec) (*Result, error) {
	argv := s.Argv()
	if len(argv) == 0 || argv[0] == "" {
		return nil, errors.New("no command to run")
	}
	run, cancel := ctx, context.CancelFunc(func() {})
	if s.Timeout > 0 {
		run, cancel = context.WithTimeout(ctx, s.Timeout)
	}
	defer cancel()
	var stdout, stderr buffer
	cmd := exec.CommandContext(run, argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Dir, bytes.NewReader(s.Stdin), &stdout, &stderr
	cmd.Env = append(os.Environ(), s.Env...)
	inGroup(cmd)
	cmd.WaitDelay = grace
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("run %q: %w", argv[0], reason(err))
	}
	err := cmd.Wait()
	if run.Err() != nil {
		killGroup(cmd.Process)
	}
	r := &Result{Exit: exitCode(cmd.ProcessState), Stdout: stdout.bytes(), Stderr: stderr.bytes(), Cut: stdout.cut || stderr.cut, Duration: time.Since(start)}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case run.Err() != nil:
		r.TimedOut = true
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) && !isPipe(err):
		return r, fmt.Errorf("run %q: %w", argv[0], err)
	}
	return r, nil
}

func reason(err error) error {
	var ee *exec.Error
	if errors.As(err, &ee) {
		return ee.Err
	}
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// buffer keeps the start and the end of what is written.
type buffer struct {
	head, tail []byte
	cut        bool
}

// Write never fails, so that a command is never stopped by its own output.
func (b *buffer) Write(p []byte) (int, error) {
	n := len(p)
	if room := Limit/2 - len(b.head); room > 0 {
		take := min(room, len(p))
		b.head, p = append(b.head, p[:take]...), p[take:]
	}
	b.tail = append(b.tail, p...)
	if len(b.tail) > Limit {
		b.tail = append([]byte(nil), b.tail[len(b.tail)-Limit/2:]...)
		b.cut = true
	}
	return n, nil
}

func (b *buffer) bytes() []byte { return append(b.head, b.tail...) }
