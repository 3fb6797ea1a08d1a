package memory

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"episodes/graph/stores"
	"episodes/internal/fsstore"
	"episodes/internal/lock"
)

// Lock acquires the memory's write lock, and then that of the private part, which other
// working trees may write to as well, and removes foreign files. If another process holds a
// lock for longer than timeout, the error is a *lock.TimeoutError.
func (m *Memory) Lock(ctx context.Context, timeout time.Duration, who string) (unlock func(), err error) {
	if err := m.EnsureDerived(); err != nil {
		return nil, err
	}
	if err := m.checkDerived(); err != nil {
		return nil, err
	}
	l, err := lock.Acquire(ctx, m.LockPath(), timeout, who)
	if err != nil {
		return nil, err
	}
	held := []*lock.Lock{l}
	unlock = func() {
		if m.private != nil { // whose words are in what is derived
			_ = m.derived.Restrict() // the files of another user do not have them
		}
		for _, l := range held {
			_ = l.Release()
		}
	}
	if m.private != nil {
		err := checkLock(m.private.dir)
		var own *lock.Lock
		if err == nil {
			own, err = lock.Acquire(ctx, m.private.dir.Path(lockName), timeout, who)
		}
		if err != nil {
			unlock()
			return nil, err
		}
		held = append(held, own)
	}
	if err := m.dropForeign(); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// LockFor takes the write lock where the store is not private to this process.
func (m *Memory) LockFor(ctx context.Context, o GraphOptions) (unlock func(), err error) {
	if stores.Private(o.Store) {
		return func() {}, nil
	}
	return m.Lock(ctx, o.LockTimeout, o.Who)
}

// LockPath returns the path of the lock file.
func (m *Memory) LockPath() string { return m.path(derivedDir, lockName) }

// checkDerived returns an error if the lock file is not a regular file: it may have come with
// a repository, and lead anywhere.
func (m *Memory) checkDerived() error {
	if m.derived == nil {
		return nil
	}
	return checkLock(m.derived)
}

func checkLock(dir *fsstore.Dir) error {
	info, err := dir.Lstat(lockName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return &fsstore.Error{Op: "open", Path: dir.Path(lockName), Err: &fsstore.TypeError{Found: info.Mode()}}
	}
	return nil
}
