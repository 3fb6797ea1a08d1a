// Package gitdir finds the working trees of a repository, and where it was cloned from, by
// the files that git keeps. git is started in a borrowed folder only (Committed, History): a repository can name programs
// that it would run.
package gitdir

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/fsstore"
)

// Repo is a repository of git. Paths are absolute.
type Repo struct {
	Top     string   // the working tree that was asked about
	Main    string   // the main working tree; "" if the repository is bare
	Common  string   // the folder of git that its working trees share; "" in a submodule
	Trees   []string // Main first if there is one; some may be gone
	Remotes []string // URLs, as the configuration has them
}

const gitName = ".git"

// Find returns the repository that contains a folder (an absolute path with symlinks
// resolved), if any.
func Find(dir string) (r Repo, ok bool) {
	if top := Top(dir); top != "" {
		return open(top), true
	}
	return r, false
}

// Top is the nearest folder from dir upwards that has a .git; "" without one.
func Top(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, gitName)); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

func open(top string) Repo {
	r := Repo{Top: top, Main: top, Trees: []string{top}}
	git := filepath.Join(top, gitName)
	if info, err := os.Stat(git); err != nil || !info.IsDir() {
		own := linkOf(git)
		common := filepath.Dir(filepath.Dir(own)) // of COMMON/worktrees/NAME
		if own == "" || filepath.Base(filepath.Dir(own)) != "worktrees" || !same(treeOf(own), top) {
			return r // a submodule, or not known to the repository
		}
		git, r.Main = common, ""
		if filepath.Base(common) == gitName {
			r.Main = filepath.Dir(common)
		}
	}
	r.Common, r.Trees = git, trees(git, r.Main)
	r.Remotes = remotes(filepath.Join(git, "config"))
	return r
}

// Branch returns the branch that is checked out in the working tree around a folder (an
// absolute path with symlinks resolved), or "" if a commit is checked out or there is no
// working tree.
func Branch(dir string) string {
	top := Top(dir)
	if top == "" {
		return ""
	}
	git := Folder(top)
	name, ok := strings.CutPrefix(firstLine(filepath.Join(git, "HEAD")), "ref: refs/heads/")
	if git == "" || !ok {
		return ""
	}
	return name
}

// Folder is where git keeps the index and HEAD of a working tree, which can be one of several
// or of a submodule; "" without one.
func Folder(top string) string {
	git := filepath.Join(top, gitName)
	info, err := os.Stat(git)
	switch {
	case err != nil:
		return ""
	case info.IsDir():
		return git
	}
	return linkOf(git)
}

// trees lists the main working tree and those that are linked to it. A folder that is
// there must say itself that it is one.
func trees(git, main string) (out []string) {
	if main != "" {
		out = append(out, main)
	}
	links, _ := os.ReadDir(filepath.Join(git, "worktrees"))
	for _, l := range links {
		own := filepath.Join(git, "worktrees", l.Name())
		tree := treeOf(own)
		if tree == "" || slices.Contains(out, tree) {
			continue
		}
		_, err := os.Lstat(tree)
		if errors.Is(err, fs.ErrNotExist) || err == nil && same(linkOf(filepath.Join(tree, gitName)), own) {
			out = append(out, tree)
		}
	}
	return out
}

// treeOf is the working tree of a folder COMMON/worktrees/NAME; "" when it names none.
func treeOf(own string) string {
	path := firstLine(filepath.Join(own, "gitdir"))
	if path == "" {
		return ""
	}
	return filepath.Dir(absolute(own, path))
}

// linkOf returns the target of the file .git of a linked working tree, or "".
func linkOf(file string) string {
	to, ok := strings.CutPrefix(firstLine(file), "gitdir:")
	if !ok {
		return ""
	}
	return absolute(filepath.Dir(file), strings.TrimSpace(to))
}

func absolute(dir, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}

// same reports whether two paths lead to one folder.
func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// maxFile is how much of a file of git is read, in bytes.
const maxFile = 1 << 20

func firstLine(path string) string {
	line := ""
	lines(path, func(l string) bool { line = l; return false })
	return strings.TrimSpace(line)
}

// lines gives the lines of a file until f returns false.
func lines(path string, f func(line string) bool) { linesIn("", path, f) }

// linesIn is lines of a file below a folder, out of which no link leads.
func linesIn(root, path string, f func(line string) bool) {
	in, err := fsstore.OpenInput(root, path)
	if err != nil {
		return
	}
	defer in.Close()
	s := bufio.NewScanner(io.LimitReader(in, maxFile))
	for s.Scan() && f(s.Text()) {
	}
}

// remotes are the URLs of the sections remote of a configuration.
func remotes(config string) (out []string) {
	settings(textOf(config), func(section, _, key, value string) {
		if section == "remote" && key == "url" {
			out = append(out, value)
		}
	})
	return out
}
