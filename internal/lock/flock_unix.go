//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package lock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// flock takes the lock of a file; false: it is not free, and was not waited for.
func flock(file *os.File, exclusive, wait bool) (bool, error) {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	if !wait {
		how |= unix.LOCK_NB
	}
	fd := int(file.Fd())
	for {
		switch err := unix.Flock(fd, how); {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case err != nil:
			return false, &os.PathError{Op: "lock", Path: file.Name(), Err: err}
		default:
			return true, nil
		}
	}
}

func unlock(file *os.File) error { return unix.Flock(int(file.Fd()), unix.LOCK_UN) }
