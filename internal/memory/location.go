package memory

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"episodes/internal/fsstore"
)

// ErrNone says that there is no memory where one was looked for.
var ErrNone = errors.New("no memory here")

// Location says where a memory is, or would be.
type Location struct {
	Root string // the repository, absolute, symlinks resolved; logs inside it are named relative to it
	Dir  string // the memory folder, absolute
}

// Request is what the user said about the location; empty parts are looked up.
type Request struct {
	Root   string // the repository
	Memory string // the memory folder
	Cwd    string // where relative paths start and the search goes up from
}

// Locate finds the repository (the nearest folder upwards with .agents or .git)
// and its memory. Without a repository around, Cwd is taken for one when the
// memory is named; else the error is ErrNone and the location is what init
// would make. The memory itself need not exist.
func Locate(r Request) (Location, error) {
	var loc Location
	root, found := r.Root, true
	if root == "" {
		root, found = enclosing(r.Cwd)
	}
	root, err := filepath.EvalSymlinks(absolute(r.Cwd, root))
	if err != nil {
		return loc, fmt.Errorf("root folder %q: %w", r.Root, fsstore.Cause(err))
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return loc, fmt.Errorf("root folder %q is not a folder", root)
	}
	loc.Root = root
	if r.Memory != "" {
		loc.Dir = absolute(r.Cwd, r.Memory)
		return loc, nil
	}
	loc.Dir = filepath.Join(root, ".agents", "memory")
	if !found {
		return loc, fmt.Errorf("%w: no .agents or .git in %q or above", ErrNone, r.Cwd)
	}
	return loc, nil
}

func enclosing(dir string) (string, bool) {
	for at := dir; ; at = filepath.Dir(at) {
		for _, mark := range []string{".agents", ".git"} {
			if _, err := os.Stat(filepath.Join(at, mark)); err == nil {
				return at, true
			}
		}
		if at == filepath.Dir(at) {
			return dir, false
		}
	}
}

func absolute(cwd, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cwd, path)
}

// Inside returns path relative to the root with forward slashes, and whether
// path (absolute, symlinks resolved) is inside the root at all.
func (l Location) Inside(path string) (string, bool) {
	rel, err := filepath.Rel(l.Root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
