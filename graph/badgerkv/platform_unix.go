//go:build linux || darwin || freebsd || dragonfly

package badgerkv

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockDir takes the lock on dir that Badger takes too. It does not wait.
func lockDir(dir string, exclusive bool) (unlock func(), err error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, err
	}
	how := unix.LOCK_SH | unix.LOCK_NB
	if exclusive {
		how = unix.LOCK_EX | unix.LOCK_NB
	}
	if err := unix.Flock(int(f.Fd()), how); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, fmt.Errorf("lock %q: %w", dir, err)
	}
	return sync.OnceFunc(func() { f.Close() }), nil
}

// freeBytes returns the space that is free for this user on the disk of dir.
func freeBytes(dir string) (free uint64, ok bool, err error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false, fmt.Errorf("free space of %q: %w", dir, err)
	}
	blocks := max(int64(st.Bavail), 0) // signed on some systems, and negative in the reserve
	return uint64(blocks) * uint64(st.Bsize), true, nil
}

// allocated returns the bytes of a file that are really on disk.
func allocated(fi fs.FileInfo) int64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return int64(st.Blocks) * 512
	}
	return fi.Size()
}
