package memory

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"episodes/internal/fsstore"
	"episodes/internal/gitdir"
)

// ErrNone is returned if no memory was found.
var ErrNone = errors.New("no memory here")

// Location is the location of a memory, which need not exist.
type Location struct {
	Root string // the repository, absolute, symlinks resolved
	Dir  string // the memory folder, absolute
	// Bare: no repository is around or was named, and Root is only where relative paths
	// start. Nothing is read below it that was not named: it may be anybody's.
	Bare bool
	tree string // see WorkTree
}

// WorkTree is the folder of the repository in which the memory was looked for: Root, or in a linked working tree without a
// memory of its own.
func (l Location) WorkTree() string { return cmp.Or(l.tree, l.Root) }

// Request is what the user specified of the location. Empty fields are looked up.
type Request struct {
	Root   string // the repository
	Memory string // the memory folder
	Cwd    string // base of relative paths, and start of the search upwards
}

// Locate finds the repository (the nearest folder upwards with .agents or .git)
// and its memory. The search passes over what others could have put there; see
// enclosing. Without a repository around, Cwd is a bare root when the
// memory is named; else the error is ErrNone and the location is what init
// would make. A linked working tree without a memory of its own has that of its Home. The memory itself need not exist. A memory that a link of the
// repository leads out of it, or into its .git, is a *LinkError, unless it is named.
func Locate(r Request) (Location, error) {
	var loc Location
	root, found, passed := r.Root, true, ""
	if root == "" {
		root, found, passed = enclosing(r.Cwd)
	}
	root, err := filepath.EvalSymlinks(absolute(r.Cwd, root))
	if err != nil {
		return loc, fmt.Errorf("root folder %q: %w", r.Root, fsstore.Cause(err))
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return loc, fmt.Errorf("root folder %q is not a folder", root)
	}
	loc.Root, loc.Bare = root, !found
	if r.Memory != "" {
		loc.Dir = absolute(r.Cwd, r.Memory)
		return loc, nil
	}
	loc.Dir = filepath.Join(root, agentsDir, "memory")
	if !found {
		return loc, fmt.Errorf("%w: no .agents or .git in %q or above%s", ErrNone, r.Cwd, passed)
	}
	err = loc.checkLinks()
	if err == nil && !loc.made() {
		if home := loc.Home(); home.made() {
			loc = home
		}
	}
	return loc, err
}

const agentsDir = ".agents"

// made reports whether there is a memory.
func (l Location) made() bool {
	_, err := os.Stat(filepath.Join(l.Dir, episodesDir))
	return err == nil
}

// Home is the memory of the repository, with what all its working trees share: the private part and the ledger. It is that
// of the main working tree, or without one a memory in the folder of git, and it is the memory itself where no repository is
// around, where it was named, or where another user could have written what is there.
func (l Location) Home() Location {
	if l.Bare || l.Dir != filepath.Join(l.Root, agentsDir, "memory") {
		return l
	}
	repo, _ := gitdir.Find(l.Root)
	rel, err := filepath.Rel(repo.Top, l.Root)
	if err != nil || repo.Main == repo.Top {
		return l
	}
	at, below := filepath.Join(repo.Main, rel), agentsDir+"/memory"
	if repo.Main == "" {
		at, below = repo.Common, "episodes"
		if _, err := os.Lstat(filepath.Join(l.Dir, privateDir)); err == nil || rel != "." { // an older version made it there
			return l
		}
	}
	root, err := filepath.EvalSymlinks(at)
	home := Location{Root: root, Dir: filepath.Join(root, below), tree: l.Root}
	if err != nil || untrusted(root) != "" || untrusted(filepath.Dir(home.Dir)) != "" || home.checkLinks() != nil {
		return l
	}
	if repo.Main == "" {
		home.Root = l.Root // each tree has its own logs
	}
	return home
}

// LinkError is returned if the memory of a repository is a link that leads out of it.
type LinkError struct {
	Path string // of the link
	To   string // its target; "" if that does not exist
}

func (e *LinkError) Error() string {
	if e.To == "" {
		return fmt.Sprintf("%q is a link that leads nowhere", e.Path)
	}
	return fmt.Sprintf("%q is a link that leads out of the repository, to %q", e.Path, e.To)
}

func (e *LinkError) Hint() string {
	return "remove it, or name the memory with --memory if it is the one that you mean"
}

// checkLinks follows the links in the path of the memory. They are untrusted, since they may
// have come with the repository, and must not leave it.
func (l Location) checkLinks() error {
	for _, path := range []string{filepath.Dir(l.Dir), l.Dir} {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		to, err := filepath.EvalSymlinks(path)
		if err != nil {
			return &LinkError{Path: path}
		}
		if rel, inside := l.Inside(to); !inside || InGit(rel) {
			return &LinkError{Path: path, To: to}
		}
	}
	return nil
}

// InGit reports whether a path relative to a repository is in its .git.
func InGit(rel string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return strings.EqualFold(first, ".git")
}

// enclosing searches dir and the folders above for a repository. The search ends at a
// folder of another user, at one that everyone may write to, and above the home folder:
// a repository there need not be of who asks, and its words and links would be trusted
// (as git's CVE-2022-24765). passed says what was passed over, for a message.
func enclosing(dir string) (root string, found bool, passed string) {
	home := homeFolder()
	isHome := func(dir string) bool {
		info, err := os.Stat(dir)
		return err == nil && home != nil && os.SameFile(info, home)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if why := untrusted(at); why != "" {
			return dir, false, passedOver(at, why)
		}
		if mark := markOf(at); mark != "" {
			if why := untrusted(filepath.Join(at, mark)); why != "" {
				return dir, false, passedOver(at, mark+" "+why)
			}
			return at, true, ""
		}
		if isHome(at) {
			return dir, false, passedOver(filepath.Dir(at), "is above the home folder")
		}
		if at == filepath.Dir(at) {
			return dir, false, ""
		}
	}
}

// markOf returns the name of the entry that makes a folder a repository, or "".
func markOf(dir string) string {
	for _, mark := range []string{agentsDir, ".git"} {
		if _, err := os.Stat(filepath.Join(dir, mark)); err == nil {
			return mark
		}
	}
	return ""
}

// passedOver names the first repository from a folder upwards at which the search ended, if
// any.
func passedOver(from, why string) string {
	for at := from; ; at = filepath.Dir(at) {
		if markOf(at) != "" {
			if at != from {
				why = fmt.Sprintf("is above %q, which %s", from, why)
			}
			return fmt.Sprintf("; %q was passed over, since it %s: if it is the one that you mean, name it with --root or EPISODES_ROOT",
				at, why)
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// homeFolder describes the home folder, or returns nil if it is not known.
func homeFolder() fs.FileInfo {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	info, err := os.Stat(home)
	if err != nil {
		return nil
	}
	return info
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

// IgnoredBy returns the line, with its place, by which git ignores the episodes, or "".
// Ignored episodes are not shared and missing in a clone.
func (l Location) IgnoredBy() string {
	if l.Bare {
		return ""
	}
	return gitdir.Ignored(filepath.Join(l.Dir, episodesDir, "episode-x"+suffix))
}
