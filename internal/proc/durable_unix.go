//go:build unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"episodes/internal/fsstore"
)

// wrapper records the start of the command, runs it, and records its exit code. It
// survives its parent, and then keeps the output small in its place: a command whose loop
// nobody resumes would else leave all that it printed.
const wrapper = `(umask 077; echo $$ >"$1/started.tmp" && mv "$1/started.tmp" "$1/started") || exit 1
small() {
	kill -0 $PPID 2>/dev/null && return
	for f in "$1/stdout" "$1/stderr"; do
		[ -f "$f" ] && [ $(wc -c <"$f") -gt $3 ] &&
			{ head -c $4 "$f"; printf '` + leftOutQuoted + `'; tail -c $4 "$f"; } >"$f.tmp" && cat "$f.tmp" >"$f"
		rm -f "$f.tmp"
	done
}
umask=$(umask)
umask 077
if [ $3 -gt 0 ]; then
	(trap exit TERM; while sleep 1 & wait $! && kill -0 $$; do small "$@"; done) </dev/null >/dev/null 2>&1 3>&- &
	guard=$!
fi
umask $umask
sh -c "$2"
code=$?
umask 077
if [ $3 -gt 0 ]; then
	kill $guard && wait $guard # it ends no cut half done
	small "$@"
fi 2>/dev/null
echo $code >"$1/exit.tmp" && { ln "$1/exit.tmp" "$1/exit" 2>/dev/null || [ -e "$1/exit" ] || mv "$1/exit.tmp" "$1/exit"; }
rm -f "$1/exit.tmp"
exit $code`

// leftOutQuoted is leftOut as the shell's printf takes it.
const leftOutQuoted = `\n[output left out here]\n`

func tryLock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// start begins the command and waits for its end.
func start(ctx context.Context, dir *fsstore.Dir, s Spec, l *os.File) (*Durable, error) {
	run, cancel := s.within(ctx)
	defer cancel()
	most := Kept
	if s.Volatile {
		most = 0
	}
	cmd := s.command(run, []string{"sh", "-c", wrapper, "sh", dir.Path(""), s.Shell, strconv.Itoa(most), strconv.Itoa(Kept / 4)})
	cmd.ExtraFiles = []*os.File{l} // inherits the lock
	if err := dir.WritePrivate(stdinFile, s.Stdin); err != nil {
		return nil, err
	}
	in, err := dir.OpenFile(stdinFile, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	cmd.Stdin = in
	out, errs := &buffer{}, &buffer{}
	cmd.Stdout, cmd.Stderr = out, errs
	stop := func() {}
	if !s.Volatile {
		if stop, err = toFiles(cmd, dir); err != nil {
			return nil, err
		}
	}
	begin := time.Now()
	err = cmd.Start()
	if err == nil {
		_ = cmd.Wait() // the exit code is in the folder
	}
	stop()
	if err != nil && (run.Err() == nil || ctx.Err() != nil) { // it never began, so it may begin later
		return nil, fmt.Errorf("run %q: %w", s.Shell, reason(err))
	}
	if run.Err() != nil { // its time may be over before it began
		if err == nil {
			killGroup(cmd.Process)
		}
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
	if s.Volatile {
		r.Stdout, r.Stderr, r.Cut = out.bytes(), errs.bytes(), out.cut || errs.cut
	}
	r.Again, r.Duration = false, time.Since(begin)
	return r, ctx.Err()
}

// toFiles makes a command write into files, which outlive this process and are kept small
// until stop is called.
func toFiles(cmd *exec.Cmd, dir *fsstore.Dir) (stop func(), err error) {
	var files []*os.File
	open := func(name string, flag int) {
		f, e := dir.OpenPrivate(name, flag)
		if err = errors.Join(err, e); e == nil {
			files = append(files, f)
		}
	}
	for _, flag := range []int{os.O_WRONLY | os.O_APPEND, os.O_RDWR} { // the command appends, and we cut
		open(stdoutFile, flag)
		open(stderrFile, flag)
	}
	closeAll := func() {
		for _, f := range files {
			_ = f.Close()
		}
	}
	if err != nil {
		closeAll()
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = files[0], files[1]
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		keepSmall(ended, files[2:]...)
	}()
	return func() { close(ended); <-done; closeAll() }, nil
}
