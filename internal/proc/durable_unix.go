//go:build unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// wrapper records the start of the command, runs it, and records its exit code. It
// survives its parent.
const wrapper = `echo $$ >"$1/started.tmp" && mv "$1/started.tmp" "$1/started" || exit 1
sh -c "$2"
code=$?
echo $code >"$1/exit.tmp" && { ln "$1/exit.tmp" "$1/exit" 2>/dev/null || [ -e "$1/exit" ] || mv "$1/exit.tmp" "$1/exit"; }
rm -f "$1/exit.tmp"
exit $code`

func tryLock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// start begins the command and waits for its end.
func start(ctx context.Context, dir string, s Spec, l *os.File) (*Durable, error) {
	in, out, errs, err := streams(dir, s.Stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	defer out.Close()
	defer errs.Close()
	run, cancel := s.within(ctx)
	defer cancel()
	cmd := s.command(run, []string{"sh", "-c", wrapper, "sh", dir, s.Shell})
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
	cmd.ExtraFiles = []*os.File{l} // inherits the lock
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("run %q: %w", s.Shell, reason(err))
	}
	_ = cmd.Wait() // the exit code is in the folder
	if run.Err() != nil {
		killGroup(cmd.Process)
		how := endTimeout
		if ctx.Err() != nil {
			how = endInterrupted
		}
		if err := end(dir, how); err != nil {
			return nil, err
		}
	}
	r, ok, err := Finished(dir)
	if err == nil && !ok { // the wrapper itself was killed
		if err = end(dir, endInterrupted); err == nil {
			r, _, err = Finished(dir)
		}
	}
	if err != nil {
		return nil, err
	}
	r.Again, r.Duration = false, time.Since(begin)
	return r, ctx.Err()
}

func streams(dir string, stdin []byte) (in, out, errs *os.File, err error) {
	path := filepath.Join(dir, stdinFile)
	if err = os.WriteFile(path, stdin, 0o644); err == nil {
		in, err = os.Open(path)
	}
	if err == nil {
		out, err = os.Create(filepath.Join(dir, stdoutFile))
	}
	if err == nil {
		errs, err = os.Create(filepath.Join(dir, stderrFile))
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("prepare %q: %w", dir, reason(err))
	}
	return in, out, errs, nil
}
