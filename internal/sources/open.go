package sources

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"episodes/internal/fsstore"
)

// File is one of the files of a session, which is opened when it is first read and closed
// at its end. One that is gone is empty.
type File struct {
	Root string // the folder that it must be in; "" outside of a repository
	Path string // relative to Root

	f    *os.File
	done bool
}

func (f *File) Read(p []byte) (int, error) {
	if f.f == nil && !f.done {
		var err error
		if f.f, err = fsstore.OpenInput(f.Root, f.Path); err != nil {
			f.done = true
			if errors.Is(err, fs.ErrNotExist) {
				return 0, io.EOF
			}
			return 0, err
		}
	}
	if f.done {
		return 0, io.EOF
	}
	n, err := f.f.Read(p)
	if err != nil {
		_ = f.Close()
	}
	return n, err
}

// Close ends the reading.
func (f *File) Close() error {
	f.done = true
	if f.f == nil {
		return nil
	}
	err := f.f.Close()
	f.f = nil
	return err
}
