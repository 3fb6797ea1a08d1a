// Package lock lets processes take turns by a lock file.
//
// A lock is the kernel's (flock, or LockFileEx), so it ends with its process and can never be
// stale. The file itself stays: removing it would let two processes lock two
// files of one name. While a lock is held for writing the file says by whom, for
// the message to those who wait in vain. The file is opened once, must be a regular one
// and no link, and is written through that descriptor only: it may have come with a
// repository.
//
// Waiting is bounded and ends with the context. It is done in the kernel's queue, so
// that who comes later is not served first; and since nothing can call a process back
// from there, a goroutine does, which gives back what it gets when nobody wants it
// any more.
package lock

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"episodes/internal/fsstore"
)

// ErrTimeout is what errors.Is finds in a *TimeoutError.
var ErrTimeout = errors.New("locked for too long")

// Holder is whoever holds a lock for writing.
type Holder struct {
	PID   int
	Who   string // the command, as it named itself
	Since time.Time
}

// TimeoutError says that a lock was not free in time.
type TimeoutError struct {
	Path   string
	Holder *Holder // nil when it is not known: readers, a foreign program
	Waited time.Duration
}

func (e *TimeoutError) Error() string {
	waited := e.Waited.Round(time.Millisecond)
	if e.Holder == nil {
		return fmt.Sprintf("%q is in use by another process, waited %s", e.Path, waited)
	}
	return fmt.Sprintf("%q is locked by process %d (%s) since %s, waited %s",
		e.Path, e.Holder.PID, e.Holder.Who, e.Holder.Since.Format(time.RFC3339), waited)
}

// Is makes errors.Is(err, ErrTimeout) true.
func (e *TimeoutError) Is(target error) bool { return target == ErrTimeout }

// Lock is a lock that is held. A nil *Lock is held by nobody.
type Lock struct {
	file  *os.File // nil after Release
	named int64    // bytes of our name in the file
}

// Acquire takes the lock at path for writing: nobody else holds it then. The
// file is made when it is not there. It waits up to timeout.
//
// Errors: *TimeoutError, the error of ctx, and those of opening the file, such as a
// *fsstore.TypeError when something else has its name.
func Acquire(ctx context.Context, path string, timeout time.Duration, who string) (*Lock, error) {
	file, err := open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err := queue(ctx, file, path, timeout, true); err != nil {
		return nil, err
	}
	l := &Lock{file: file}
	l.sign(who)
	return l, nil
}

// Shared takes the lock at path for reading: others may read too. It makes no
// file and needs no right to write; where there is no file there is nobody to
// lock out, and the lock is nil. Waiting and errors are those of Acquire.
func Shared(ctx context.Context, path string, timeout time.Duration) (*Lock, error) {
	file, err := open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := queue(ctx, file, path, timeout, false); err != nil {
		return nil, err
	}
	return &Lock{file: file}, nil
}

// Try is Acquire that does not wait: false when the lock is not free.
func Try(path, who string) (*Lock, bool, error) {
	file, err := open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, false, err
	}
	if free, err := flock(file, true, false); !free || err != nil {
		_ = file.Close()
		return nil, false, err
	}
	l := &Lock{file: file}
	l.sign(who)
	return l, true, nil
}

// open opens the file of a lock. A new one is only the user's: it names programs.
func open(path string, flag int) (*os.File, error) {
	dir, err := fsstore.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if flag&os.O_CREATE != 0 {
		return dir.OpenPrivate(filepath.Base(path), flag)
	}
	return dir.OpenFile(filepath.Base(path), flag)
}

// waits is what Announce writes after the name of the holder.
const waits = "waits\n"

// Announce says to callers of Waiting that the holder waits for another lock, or that it no
// longer does.
func (l *Lock) Announce(waiting bool) {
	switch {
	case l == nil || l.named == 0:
	case waiting:
		_, _ = l.file.WriteAt([]byte(waits), l.named)
	default:
		_ = l.file.Truncate(l.named)
	}
}

// Waiting reports whether whoever holds the lock at path announced that it waits. It takes the
// lock for a moment only where a holder died after an announcement.
func Waiting(path string) (bool, error) {
	if _, rest, _ := strings.Cut(content(path), "\n"); rest != waits {
		return false, nil
	}
	file, err := open(path, os.O_RDONLY)
	if err != nil {
		return false, err
	}
	defer file.Close() // gives back what was free
	free, err := flock(file, false, false)
	return !free, err
}

// Release gives the lock back. A second call does nothing.
func (l *Lock) Release() error {
	if l == nil || l.file == nil {
		return nil
	}
	if l.named > 0 {
		l.named = 0
		_ = l.file.Truncate(0) // a name without a lock would accuse the wrong one
	}
	file := l.file
	l.file = nil
	return errors.Join(unlock(file), file.Close())
}

// queue takes the lock of a file or, when it is not free, waits for it. After an error
// the file is closed, or will be.
func queue(ctx context.Context, file *os.File, path string, timeout time.Duration, exclusive bool) error {
	err := ctx.Err()
	if err == nil {
		var free bool
		if free, err = flock(file, exclusive, false); free && err == nil {
			return nil
		}
	}
	if err != nil {
		_ = file.Close()
		return err
	}
	start := time.Now()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	taken := make(chan error) // not buffered: it is received, or nobody wants the lock
	left := make(chan struct{})
	defer close(left)
	go func() {
		_, err := flock(file, exclusive, true)
		select {
		case taken <- err:
			if err != nil {
				_ = file.Close()
			}
		case <-left:
			_ = unlock(file)
			_ = file.Close()
		}
	}()
	select {
	case err := <-taken:
		return err
	case <-timer.C:
		return &TimeoutError{Path: path, Holder: HeldBy(path), Waited: time.Since(start)}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// The first and the longest pause between two tries.
const (
	firstPause = 500 * time.Microsecond
	maxPause   = 8 * time.Millisecond
)

// Wait is for what the kernel keeps no queue of: it calls try until it succeeds, fails, the time is over or ctx is done. The
// first try is made even when there is no time. path is for the error.
func Wait(ctx context.Context, path string, timeout time.Duration, try func() (bool, error)) error {
	start := time.Now()
	pause := firstPause
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		ok, err := try()
		if ok || err != nil {
			return err
		}
		left := timeout - time.Since(start)
		if left <= 0 {
			return &TimeoutError{Path: path, Holder: HeldBy(path), Waited: time.Since(start)}
		}
		// Half to one and a half pauses, so that those who came together part.
		nap := min(pause/2+rand.N(pause), left)
		select {
		case <-time.After(nap):
		case <-ctx.Done():
			return ctx.Err()
		}
		pause = min(pause*3/2, maxPause)
	}
}

// sign writes who holds the lock, unless that would change a file elsewhere. It is only
// for messages, so failing is no harm.
func (l *Lock) sign(who string) {
	if fsstore.Linked(l.file) {
		return
	}
	line := fmt.Sprintf("%d %s %s\n", os.Getpid(), time.Now().UTC().Format(time.RFC3339), oneLine(who))
	if l.file.Truncate(0) == nil {
		_, err := l.file.WriteAt([]byte(line), 0)
		if err == nil {
			l.named = int64(len(line))
		}
	}
}

// oneLine makes one line of printable text, since others will print it.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	return cmp.Or(strings.Join(strings.Fields(s), " "), "unnamed")
}

// HeldBy returns who signed the lock file at path, or nil when nobody did or the
// signer is dead (the lock then is another's). It is for messages only: anybody may have
// written the file.
func HeldBy(path string) *Holder {
	first, _, _ := strings.Cut(content(path), "\n")
	f := strings.SplitN(strings.TrimSpace(first), " ", 3)
	if len(f) != 3 {
		return nil
	}
	pid, err := strconv.Atoi(f[0])
	if err != nil || pid <= 0 || !alive(pid) {
		return nil
	}
	since, err := time.Parse(time.RFC3339, f[1])
	if err != nil {
		return nil
	}
	return &Holder{PID: pid, Who: short(oneLine(f[2])), Since: since}
}

// content is the text in a lock file, "" if it cannot be read.
func content(path string) string {
	file, err := open(path, os.O_RDONLY)
	if err != nil {
		return ""
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, maxName))
	if err != nil {
		return ""
	}
	return string(b)
}

// short cuts a name to what any of ours takes: the file may have come with a repository.
func short(who string) string {
	const most = 80 // characters
	if r := []rune(who); len(r) > most {
		return string(r[:most]) + "…"
	}
	return who
}

// maxName is more than the length of what sign writes, in bytes.
const maxName = 4096

// alive reports whether a process exists, as far as this can be known.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || !errors.Is(err, os.ErrProcessDone)
}
