package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Error says which operation failed on which file.
type Error struct {
	Op   string // such as "read"
	Path string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s %q: %v", e.Op, e.Path, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// failed is nil without an error.
func failed(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{op, path, Cause(err)}
}

// ErrNotRegular: something else than a regular file has the name.
var ErrNotRegular = errors.New("is no regular file")

// errReplaced: another process put something else there meanwhile.
var errReplaced = errors.New("was replaced while it was opened")

// TypeError says that something else has the name of a file or of a folder: a link, a
// pipe, a device.
type TypeError struct {
	Found  fs.FileMode // its type
	Folder bool        // a folder is needed there, else a regular file
}

func (e *TypeError) Error() string {
	found := "something else"
	switch {
	case e.Found.IsRegular():
		found = "a file"
	case e.Found.IsDir():
		found = "a folder"
	case e.Found&fs.ModeSymlink != 0:
		found = "a symbolic link, which is not followed"
	case e.Found&fs.ModeNamedPipe != 0:
		found = "a pipe"
	case e.Found&fs.ModeSocket != 0:
		found = "a socket"
	case e.Found&fs.ModeDevice != 0:
		found = "a device"
	}
	if e.Folder {
		return "is no folder but " + found
	}
	return ErrNotRegular.Error() + " but " + found
}

// Is makes errors.Is(err, ErrNotRegular) true in place of a file.
func (e *TypeError) Is(target error) bool { return target == ErrNotRegular && !e.Folder }

func (e *TypeError) Hint() string { return "move it away, then try again" }

// TooLargeError says that a file is larger than anything this program wrote.
type TooLargeError struct{ Size int64 } // bytes

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%d MB is too large for a record", e.Size>>20)
}

// Cause strips the operation and the path that this package and package os put
// before a reason.
func Cause(err error) error {
	var own *Error
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &own):
		return own.Err
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// Unwritable reports whether err says that a folder cannot be written: for want of
// the right, or of space.
func Unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC)
}
