// Package proc runs command lines that the user gave, never text of logs, tools or
// models.
//
// A command gets a process group of its own, which is terminated as a whole on a timeout
// or an interrupt: first by a signal, then killed. Of long output the start and the end
// are kept.
package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"episodes/internal/fsstore"
)

// grace is how long a command may take to end after the signal.
const grace = 2 * time.Second

// Limit is how many bytes of each output stream are kept: half from its start, half
// from its end.
const Limit = 8 << 20

// Spec is a command to run.
type Spec struct {
	Args    []string // the program and its arguments; or
	Shell   string   // a command line for the shell
	Dir     string
	Env     []string // KEY=VALUE, added to the environment of this process
	Stdin   []byte
	Timeout time.Duration // 0: none
	// Most is how many bytes the command may print; it is ended when it prints more. 0: no limit.
	Most int
	// Volatile: the outputs of a durable run are kept in memory only, and are lost with
	// this process.
	Volatile bool
}

// Result is how a command ended.
type Result struct {
	Exit           int // as the shell counts: 128 + n for signal n
	Stdout, Stderr []byte
	Cut            bool // output beyond Limit or Spec.Most was left out
	TimedOut       bool
	Duration       time.Duration
}

// Line returns the command on one line, for messages.
func (s Spec) Line() string {
	if s.Shell != "" {
		return s.Shell
	}
	return strings.Join(s.Args, " ")
}

// argv returns the program and its arguments.
func (s Spec) argv() []string {
	if s.Shell != "" {
		return []string{"sh", "-c", s.Shell}
	}
	return s.Args
}

// within is ctx until the timeout.
func (s Spec) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.Timeout > 0 {
		return context.WithTimeout(ctx, s.Timeout)
	}
	return ctx, func() {}
}

// command prepares a program to run in a process group of its own, until run ends.
func (s Spec) command(run context.Context, argv []string) *exec.Cmd {
	cmd := exec.CommandContext(run, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.Dir, append(os.Environ(), s.Env...), grace
	inGroup(cmd)
	return cmd
}

// Run runs a command to its end. An exit code other than 0 is not an error. Errors:
// that of ctx, and when the program cannot be started.
func Run(ctx context.Context, s Spec) (*Result, error) {
	argv := s.argv()
	if len(argv) == 0 || argv[0] == "" {
		return nil, errors.New("no command to run")
	}
	run, cancel := s.within(ctx)
	defer cancel()
	stdout, stderr := buffer{most: s.Most, over: cancel}, buffer{}
	cmd := s.command(run, argv)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(s.Stdin), &stdout, &stderr
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("run %q: %w", argv[0], reason(err))
	}
	err := cmd.Wait()
	if run.Err() != nil {
		killGroup(cmd.Process)
	}
	r := &Result{Exit: exitCode(cmd.ProcessState), Stdout: stdout.bytes(), Stderr: stderr.bytes(),
		Cut: stdout.cut || stderr.cut, Duration: time.Since(start)}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case run.Err() != nil:
		r.TimedOut = !r.Cut || s.Most == 0
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
	return fsstore.Cause(err)
}

// buffer keeps the start and the end of what is written.
type buffer struct {
	kept []byte
	at   int // write position in the second half, a ring buffer once kept is full
	cut  bool
	most int    // bytes; 0: no limit
	over func() // called when there are more
}

// Write never fails, so that a command without Spec.Most is never stopped by its own output.
func (b *buffer) Write(p []byte) (int, error) {
	const part = Limit / 2
	n := len(p)
	if b.most > 0 && len(b.kept)+n > b.most {
		p = p[:b.most-len(b.kept)]
		b.cut = true
		b.over()
	}
	take := min(Limit-len(b.kept), len(p))
	b.kept, p = append(b.kept, p[:take]...), p[take:]
	b.cut = b.cut || len(p) > 0
	for p = p[max(0, len(p)-part):]; len(p) > 0; {
		done := copy(b.kept[Limit-part+b.at:], p)
		b.at, p = (b.at+done)%part, p[done:]
	}
	return n, nil
}

// bytes returns what was kept, and gives it up. The ring is turned in place: a second copy would be
// the largest thing in memory.
func (b *buffer) bytes() []byte {
	out := b.kept
	if b.at > 0 {
		ring := out[Limit-Limit/2:]
		slices.Reverse(ring[:b.at])
		slices.Reverse(ring[b.at:])
		slices.Reverse(ring)
	}
	b.kept = nil
	return out
}
