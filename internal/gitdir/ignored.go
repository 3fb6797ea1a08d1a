package gitdir

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"episodes/internal/fsstore"
)

// Ignored returns which line keeps a file out of git: of a .gitignore on the way to it, or of
// .git/info/exclude; "" when none does, or the file is in no repository. The user's own
// global list is not read. The path is absolute, its folder need not exist.
func Ignored(file string) string { return IgnoredIn(filepath.Dir(file))(file) }

// IgnoredIn returns a function that is Ignored for the files of the repository around a folder. It reads
// each list once.
func IgnoredIn(dir string) func(file string) string {
	repo, ok := Find(dir)
	if !ok {
		return func(string) string { return "" }
	}
	last := lastRule(repo.Top)
	return func(file string) string {
		rel, err := filepath.Rel(repo.Top, file)
		if err != nil || !filepath.IsLocal(rel) {
			return ""
		}
		parts := strings.Split(filepath.ToSlash(rel), "/")
		for n := 1; n <= len(parts); n++ { // a folder that is ignored is not looked into
			if r := last(path.Join(parts[:n]...), n < len(parts)); r.ignores() {
				return r.said
			}
		}
		return ""
	}
}

// rule is a line of a list of what git ignores.
type rule struct {
	pattern      string
	dir          string // that the list is in, relative to the working tree
	not, dirOnly bool
	said         string // the line with its place
}

// ignores reports whether a path is ignored of which this is the last rule that matches.
func (r rule) ignores() bool { return r.said != "" && !r.not }

func (r rule) matches(name string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	if r.dir != "" {
		below, ok := strings.CutPrefix(name, r.dir+"/")
		if !ok {
			return false
		}
		name = below
	}
	return fsstore.MatchPath(r.pattern, name)
}

// rules reads a list; name is relative to the working tree. No link is followed out of it.
func rules(top, name, dir string) (out []rule) {
	n := 0
	linesIn(top, name, func(line string) bool {
		n++
		text := strings.TrimRight(line, " \t\r")
		if text == "" || text[0] == '#' {
			return true
		}
		r := rule{dir: dir, said: fmt.Sprintf("%s:%d: %s", filepath.ToSlash(name), n, text)}
		text, r.not = strings.CutPrefix(text, "!")
		text, r.dirOnly = strings.CutSuffix(text, "/")
		if rooted, ok := strings.CutPrefix(text, "/"); ok {
			text = rooted
		} else if !strings.Contains(text, "/") {
			text = "**/" + text
		}
		r.pattern = text
		out = append(out, r)
		return true
	})
	return out
}
