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
	last := lastRule(top)
	return func(name string, isDir bool) bool { return last(path.Join(prefix, name), isDir).ignores() }
}

// lastRule returns a function that finds the last rule for a path of a working tree, which
// counts; a zero one without any.
func lastRule(top string) func(name string, isDir bool) rule {
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
	return func(name string, isDir bool) (out rule) {
		matching := func(list []rule) {
			for _, r := range list {
				if r.matches(name, isDir) {
					out = r
				}
			}
		}
		matching(exclude)
		for at, rest := "", name; ; {
			matching(below(at))
			part, more, deeper := strings.Cut(rest, "/")
			if !deeper {
				return out
			}
			at, rest = path.Join(at, part), more
		}
	}
}
