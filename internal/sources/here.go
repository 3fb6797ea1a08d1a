package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/gitdir"
)

// Here is one repository: the folders in which work is work on it.
type Here struct {
	roots   []string        // in each working tree, and former folders
	remotes map[string]bool // where it was cloned from
	known   map[string]bool // answers, by folder
	all     bool
}

// Everywhere is all repositories: it has each session that says where it worked.
func Everywhere() *Here { return &Here{all: true} }

// NewHere describes the repository whose folder is root (absolute, symlinks resolved).
// before are folders that it was moved from.
func NewHere(root string, before ...string) *Here {
	h := &Here{roots: []string{root}, remotes: map[string]bool{}, known: map[string]bool{}}
	if repo, ok := gitdir.Find(root); ok {
		if below, err := filepath.Rel(repo.Top, root); err == nil {
			for _, tree := range repo.Trees {
				h.add(filepath.Join(tree, below))
			}
		}
		if repo.Top == root { // else it is a part of what was cloned
			for _, url := range repo.Remotes {
				h.remotes[plainURL(url)] = true
			}
		}
	}
	for _, dir := range before {
		h.add(dir)
	}
	return h
}

func (h *Here) add(dir string) {
	if dir = filepath.Clean(dir); filepath.IsAbs(dir) && !slices.Contains(h.roots, dir) {
		h.roots = append(h.roots, dir)
	}
}

// Roots are the folders in which work counts.
func (h *Here) Roots() []string { return slices.Clone(h.roots) }

// has reports whether a session worked here.
func (h *Here) has(p agent.Place) bool {
	switch {
	case h.all:
		return p.Dir != "" || p.Hash != ""
	case p.Dir != "" && h.Owns(p.Dir):
		return true
	case p.Hash != "" && slices.ContainsFunc(h.roots, func(root string) bool { return hashOf(root) == p.Hash }):
		return true
	case p.Near != nil && slices.ContainsFunc(h.roots, p.Near):
		return true
	}
	// A folder that is gone, cloned from where this one was: it was moved or removed. One
	// that is there is a clone of its own, with a memory of its own.
	if _, err := os.Lstat(p.Dir); p.Dir == "" || !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return slices.ContainsFunc(p.Remotes, func(url string) bool { return h.remotes[plainURL(url)] })
}

// Owns reports whether a folder, which may be gone, is in the repository and in no other
// one inside it.
func (h *Here) Owns(dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	dir = filepath.Clean(dir)
	owns, ok := h.known[dir]
	if !ok {
		owns = h.owns(dir)
		if real, err := filepath.EvalSymlinks(dir); !owns && err == nil && real != dir {
			owns = h.owns(real)
		}
		h.known[dir] = owns
	}
	return owns
}

func (h *Here) owns(dir string) bool {
	for at := dir; ; at = filepath.Dir(at) {
		if slices.Contains(h.roots, at) {
			return true
		}
		for _, mark := range []string{".git", ".agents"} {
			if _, err := os.Lstat(filepath.Join(at, mark)); err == nil {
				return false // another one
			}
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

func hashOf(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:])
}

// plainURL is what the ways to write the URL of a repository have in common: host and path.
func plainURL(url string) string {
	url = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(url), "/"), ".git")
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	} else if host, path, ok := strings.Cut(url, ":"); ok && !strings.Contains(host, "/") {
		url = host + "/" + path
	}
	if at := strings.Index(url, "@"); at >= 0 && at < strings.Index(url+"/", "/") {
		url = url[at+1:]
	}
	return strings.ToLower(url)
}
