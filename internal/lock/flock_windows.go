package lock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// flock takes the lock of a file; false: it is not free, and was not waited for. What
// is locked lies far behind the end of the file, since others cannot read what is
// locked, and the name of the holder is for them.
func flock(file *os.File, exclusive, wait bool) (bool, error) {
	how := uint32(0)
	if exclusive {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	if !wait {
		how |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, farBehind())
	switch {
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	case err != nil:
		return false, &os.PathError{Op: "lock", Path: file.Name(), Err: err}
	}
	return true, nil
}

func unlock(file *os.File) error {
	return windows.UnlockFileEx(windows.Handle(file.Fd()), 0, 1, 0, farBehind())
}

func farBehind() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }
