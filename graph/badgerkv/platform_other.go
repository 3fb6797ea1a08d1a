//go:build !(linux || darwin || freebsd || dragonfly)

package badgerkv

import (
	"errors"
	"io/fs"
	"os"
)

// lockDir leaves locking to Badger, so a folder that a writer holds is looked at
// while it changes; what the look then says may be wrong, the lock is still sure.
func lockDir(dir string, exclusive bool) (unlock func(), err error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	return func() {}, nil
}

// freeBytes does not know here.
func freeBytes(dir string) (free uint64, ok bool, err error) { return 0, false, nil }

// allocated cannot see holes here.
func allocated(fi fs.FileInfo) int64 { return fi.Size() }
