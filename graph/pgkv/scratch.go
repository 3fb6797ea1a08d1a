package pgkv

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"episodes/internal/lock"
)

// scratch is a folder of this machine in which a generation is made. Its lock ends with the
// process, also with one that is killed, so that a later one finds what was left.
type scratch struct {
	dir  string
	held *lock.Lock // nil where there are no locks
}

const (
	scratchName = "episodes-graph-"
	scratchLock = "in-use"
	// scratchAge is how old a folder must be to be swept: a new one is not locked yet.
	scratchAge = time.Minute
)

// newScratch makes a folder, and removes those of processes that are gone.
func newScratch() (*scratch, error) {
	sweepScratch()
	dir, err := os.MkdirTemp("", scratchName)
	if err != nil {
		return nil, err
	}
	held, _, _ := lock.Try(filepath.Join(dir, scratchLock), "") // without locks nothing is swept
	return &scratch{dir, held}, nil
}

func (s *scratch) remove() error {
	return errors.Join(s.held.Release(), os.RemoveAll(s.dir))
}

// sweepScratch leaves what it cannot remove: what others have in the same folder.
func sweepScratch() {
	found, _ := filepath.Glob(filepath.Join(os.TempDir(), scratchName+"*"))
	for _, dir := range found {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || !owned(info) || time.Since(info.ModTime()) < scratchAge {
			continue
		}
		if held, free, err := lock.Try(filepath.Join(dir, scratchLock), ""); err == nil && free {
			_ = (&scratch{dir, held}).remove()
		}
	}
}
