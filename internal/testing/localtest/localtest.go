// Package localtest gives the tests of a package a user's configuration of their own,
// so that none writes into that of whoever runs them.
package localtest

import (
	"os"
	"path/filepath"
	"runtime"
)

// Tests is what a TestMain is given.
type Tests interface{ Run() int }

// Isolated are tests that run with a configuration of their own, which is removed
// afterwards: of this process, and of those that it starts.
type Isolated struct{ Tests }

// Run runs the tests and returns their exit code.
func (i Isolated) Run() int {
	dir, err := os.MkdirTemp("", "config")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for name, value := range Env(dir) {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	return i.Tests.Run()
}

// Env are the variables that lead to a folder for the user's configuration and state. Where a
// variable of its own does, the home folder stays: caches of tools lie there.
func Env(dir string) map[string]string {
	switch runtime.GOOS {
	case "windows":
		return map[string]string{"AppData": dir}
	case "darwin", "ios":
		return map[string]string{"HOME": dir}
	case "plan9":
		return map[string]string{"home": dir}
	}
	return map[string]string{"XDG_CONFIG_HOME": filepath.Join(dir, "config"), "XDG_STATE_HOME": filepath.Join(dir, "state")}
}
