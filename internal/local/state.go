package local

import (
	"os"
	"path/filepath"
	"runtime"
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
