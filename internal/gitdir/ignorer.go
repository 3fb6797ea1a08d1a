package gitdir

import (
	"path"
	"path/filepath"
	"strings"
)

// Ignorer returns a function that reports whether git ignores a path, by the lists that
// Ignored reads, each read once. dir is an absolute path with symlinks resolved, of any
// folder; names are relative to it, with slashes. The function must be called for a folder
// before its content, and not below an ignored folder.
func Ignorer(dir string) func(name string, isDir bool) bool {
	top, prefix := dir, ""
	if repo, ok := Find(dir); ok {
		if rel, err := filepath.Rel(repo.Top, dir); err == nil && filepath.IsLocal(rel) {
			top, prefix = repo.Top, filepath.ToSlash(rel)
		}
	}
	exclude := rules(top, filepath.Join(gitName, "info", "exclude"), "")
	lists := map[string][]rule{}
	below := func(dir string) []rule {
		list, known := lists[dir]
		if !known {
			list = rules(top, path.Join(dir, ".gitignore"), dir)
			lists[dir] = list
		}
		return list
	}
	return func(name string, isDir bool) bool {
		name = path.Join(prefix, name)
		out := decide(exclude, name, isDir, false)
		for at, rest := "", name; ; {
			out = decide(below(at), name, isDir, out)
			part, more, deeper := strings.Cut(rest, "/")
			if !deeper {
				return out
			}
			at, rest = path.Join(at, part), more
		}
	}
}

// decide applies a list to a path: the last rule that matches counts.
func decide(list []rule, name string, isDir, out bool) bool {
	for _, r := range list {
		if r.matches(name, isDir) {
			out = !r.not
		}
	}
	return out
}
