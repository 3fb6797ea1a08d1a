package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"episodes/internal/memory"
	"episodes/internal/records"
	"episodes/reflexion"
)

// reflexionDir is the folder of the reflexion side, inside the memory.
func (a *app) reflexionDir() (string, memory.Location, error) {
	loc, err := a.location()
	if err != nil {
		return "", loc, err
	}
	if info, err := os.Stat(loc.Dir); err != nil || !info.IsDir() {
		return "", loc, fmt.Errorf("%w: %q does not exist", memory.ErrNone, loc.Dir)
	}
	return filepath.Join(loc.Dir, "reflexion"), loc, nil
}

// openReflexion opens the records of loops; an error that is fs.ErrNotExist when
// nothing was kept yet.
func (a *app) openReflexion() (*reflexion.Store, error) {
	dir, _, err := a.reflexionDir()
	if err != nil {
		return nil, err
	}
	return reflexion.OpenStore(dir)
}

func absoluteTo(cwd, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(cwd, path)
}

// bare takes the operation and the path out of an error whose message names them
// itself.
func bare(err error) error { return records.Cause(err) }

// printableLines is printable for a text of several lines.
func printableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = printable(l)
	}
	return strings.Join(lines, "\n")
}
