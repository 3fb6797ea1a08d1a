package local

import (
	"os"
	"path/filepath"
	"runtime"
)

// StateDir is the folder for what this program keeps for the user beside his settings and
// beside any repository: logs, queues. It need not exist. It is XDG_STATE_HOME/episodes,
// by default ~/.local/state/episodes; on Windows and macOS a folder state beside the
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
