package local

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"episodes/internal/fsstore"
	"episodes/internal/lock"
)

// StateDir returns the folder for the program's state of this user outside of repositories,
// such as logs and queues. It need not exist. It is XDG_STATE_HOME/episodes, by default
// ~/.local/state/episodes; on Windows and macOS it is a folder state in that of the
// settings.
func StateDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, folder), nil
	}
	switch runtime.GOOS {
	case "windows", "darwin", "ios", "plan9":
		config, err := os.UserConfigDir()
		return filepath.Join(config, folder, "state"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", folder), err
}

// OpenState opens the folder of StateDir. If it does not exist, it is created if make is true;
// otherwise the error is fs.ErrNotExist.
func OpenState(make bool) (*fsstore.Dir, error) {
	path, err := StateDir()
	if err == nil && make {
		err = os.MkdirAll(path, 0o700)
	}
	if err != nil {
		return nil, err
	}
	return fsstore.Open(path)
}

// LockState acquires the one lock of the state folder, which must exist. Hooks of all agents
// wait for it, so it is held to read and write a few small files and never during work.
// Errors are those of lock.Acquire.
func LockState(ctx context.Context, timeout time.Duration, who string) (*lock.Lock, error) {
	dir, err := StateDir()
	if err != nil {
		return nil, err
	}
	return lock.Acquire(ctx, filepath.Join(dir, "state.lock"), timeout, who)
}
