// Package lock lets processes take turns by a lock file.
//
// A lock is the kernel's (flock), so it ends with its process and can never be
// stale. The file itself stays: removing it would let two processes lock two
// files of one name. While a lock is held for writing the file says by whom, for
// the message to those who wait in vain.
//
// Waiting is bounded and ends with the context. It is done in the kernel's queue, so
// that who comes later is not served first; and since nothing can call a process back
// from there, a goroutine does, which gives back what it gets when nobody wants it
// any more.
package lock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/gofrs/flock"
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

// Error names the holder as far as it is known.
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
	file  *flock.Flock
	named bool // the file holds our name
}

// Acquire takes the lock at path for writing: nobody else holds it then. The
// file is made when it is not there. It waits up to timeout.
//
// Errors: *TimeoutError, the error of ctx, and those of opening the file.
func Acquire(ctx context.Context, path string, timeout time.Duration, who string) (*Lock, error) {
	l := &Lock{file: flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o644))}
	if err := queue(ctx, l.file, timeout, l.file.TryLock, l.file.Lock); err != nil {
		return nil, err
	}
	l.sign(who)
	return l, nil
}

// Shared takes the lock at path for reading: others may read too. It makes no
// file and needs no right to write; where there is no file there is nobody to
// lock out, and the lock is nil. Waiting and errors are those of Acquire.
func Shared(ctx context.Context, path string, timeout time.Duration) (*Lock, error) {
	l := &Lock{file: flock.New(path, flock.SetFlag(os.O_RDONLY))}
	err := queue(ctx, l.file, timeout, l.file.TryRLock, l.file.RLock)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Try is Acquire that does not wait: false when the lock is not free.
func Try(path, who string) (*Lock, bool, error) {
	l := &Lock{file: flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o644))}
	ok, err := l.file.TryLock()
	if !ok || err != nil {
		return nil, false, err
	}
	l.sign(who)
	return l, true, nil
}

// Release gives the lock back. A second call does nothing.
func (l *Lock) Release() error {
	if l == nil {
		return nil
	}
	if l.named {
		l.named = false
		_ = os.Truncate(l.file.Path(), 0) // a name without a lock would accuse the wrong one
	}
	return l.file.Unlock()
}

// queue takes a lock by try or, when it is not free, waits for it by take.
func queue(ctx context.Context, file *flock.Flock, timeout time.Duration, try func() (bool, error), take func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if ok, err := try(); ok || err != nil {
		return err
	}
	start := time.Now()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	taken := make(chan error) // not buffered: it is received, or nobody wants the lock
	left := make(chan struct{})
	defer close(left)
	go func() {
		err := take()
		select {
		case taken <- err:
		case <-left:
			if err == nil {
				_ = file.Unlock()
			}
		}
	}()
	select {
	case err := <-taken:
		return err
	case <-timer.C:
		return &TimeoutError{Path: file.Path(), Holder: HeldBy(file.Path()), Waited: time.Since(start)}
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

// sign writes who holds the lock. It is only for messages, so failing is no harm.
func (l *Lock) sign(who string) {
	line := fmt.Sprintf("%d %s %s\n", os.Getpid(), time.Now().UTC().Format(time.RFC3339), oneLine(who))
	l.named = os.WriteFile(l.file.Path(), []byte(line), 0o644) == nil
}

// oneLine makes one line of printable text, since others will print it.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	if s = strings.Join(strings.Fields(s), " "); s == "" {
		return "unnamed"
	}
	return s
}

// HeldBy returns who signed the lock file at path, or nil when nobody did or the
// signer is dead (the lock then is another's).
func HeldBy(path string) *Holder {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	f := strings.SplitN(strings.TrimSpace(string(b)), " ", 3)
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
	return &Holder{PID: pid, Who: f[2], Since: since}
}

// alive reports whether a process exists, as far as this can be known.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || !errors.Is(err, os.ErrProcessDone)
}
