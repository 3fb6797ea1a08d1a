package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"episodes/internal/fsstore"
)

// program is what the user's own settings call: by its name where a shell finds that, since a
// path may change with each version. copied: it is a copy of this program, since npm deletes
// what npx runs, and shows it on the PATH only while that runs.
func (e Environment) program() (exe string, copied bool) {
	if e.LookPath != nil {
		if path, err := e.LookPath(program); err != nil || ofPackage(path) {
			exe = e.Self
		}
	}
	switch {
	case exe == "":
		return program, false
	case ofPackage(exe):
		return e.copyPath(runtime.GOOS), true
	}
	return exe, false
}

// ofPackage reports whether a path is in a folder that npm, or what is like it, manages.
func ofPackage(path string) bool {
	return slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }), "node_modules")
}

// copyPath is where the copy is: in the folder of the user's data.
func (e Environment) copyPath(system string) string {
	data, usual, name := e.Getenv("XDG_DATA_HOME"), ".local/share", program
	switch system {
	case "windows":
		data, usual, name = e.Getenv("LOCALAPPDATA"), "AppData/Local", program+".exe"
	case "darwin":
		data, usual = "", "Library/Application Support"
	}
	if !filepath.IsAbs(data) {
		data = filepath.Join(e.Home, filepath.FromSlash(usual))
	}
	return filepath.Join(data, program, "bin", name)
}

// keepCopy makes the copy, or brings it up to date.
func (e Environment) keepCopy(path string) error {
	data, err := os.ReadFile(e.Self)
	if err != nil {
		return fmt.Errorf("copy this program: %w", err)
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	dir, err := fsstore.Create(filepath.Dir(path))
	if err == nil {
		defer dir.Close()
		err = dir.WriteMode(filepath.Base(path), 0o755, data)
	}
	if err != nil {
		return fmt.Errorf("copy this program: %w", err)
	}
	return nil
}

// dropCopy removes the copy, and the folders that were made for it, once no agent's own
// settings call it.
func (e Environment) dropCopy() (path string, err error) {
	path = e.copyPath(runtime.GOOS)
	if _, err := os.Lstat(path); err != nil {
		return "", nil
	}
	left, err := Run(e, Request{Action: Check, All: true, Scope: User})
	if err != nil || slices.ContainsFunc(left.Agents, func(s AgentState) bool { return s.State != Not && s.State != Plugged }) {
		return "", err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("remove the copy of this program: %w", err)
	}
	_ = os.Remove(filepath.Dir(path)) // which fails where it is not empty
	_ = os.Remove(filepath.Dir(filepath.Dir(path)))
	return path, nil
}
