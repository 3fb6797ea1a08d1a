package gitdir

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/fsstore"
)

// User is who the user is by the configuration of git.
type User struct {
	Names, Emails []string
}

// UserOf reads who the user is in a working tree: what the user's configuration and that of the repository say, with
// what they include. The environment does not count, as git sets GIT_AUTHOR_EMAIL in hooks to the author of the commit
// at hand, and neither does a file of the working tree, which whoever pushes can change.
func UserOf(top string) (u User) {
	own := Folder(top)
	r := including{top: top, own: own, f: func(section, key, value string) {
		switch {
		case section != "user" && section != "author":
		case key == "email":
			u.Emails = append(u.Emails, value)
		case key == "name":
			u.Names = append(u.Names, value)
		}
	}}
	home, _ := os.UserHomeDir()
	global := []string{filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "git", "config"), filepath.Join(home, ".gitconfig")}
	if os.Getenv("XDG_CONFIG_HOME") == "" {
		global[0] = filepath.Join(home, ".config", "git", "config")
	}
	if file, set := os.LookupEnv("GIT_CONFIG_GLOBAL"); set {
		global = []string{file}
	}
	for _, file := range append(global, filepath.Join(commonOf(own), "config"), filepath.Join(own, "config.worktree")) {
		r.read(file, 0)
	}
	return u
}

// including reads configurations and what they include.
type including struct {
	top, own string
	f        func(section, key, value string)
}

// deepest is how many files may include each other.
const deepest = 10

func (r including) read(file string, depth int) {
	settings(textOf(file), func(section, sub, key, value string) {
		if section != "include" && section != "includeif" {
			r.f(section, key, value)
			return
		}
		if key != "path" || section == "includeif" && !r.holds(sub, filepath.Dir(file)) || depth == deepest {
			return
		}
		to := expand(value, filepath.Dir(file))
		rel, err := filepath.Rel(fsstore.Real(r.top), fsstore.Real(to))
		if git, _, _ := strings.Cut(filepath.ToSlash(rel), "/"); err != nil || !filepath.IsLocal(rel) || git == gitName {
			r.read(to, depth+1)
		}
	})
}

// holds reports whether the condition of an include holds; one that is not known does not.
func (r including) holds(condition, dir string) bool {
	kind, pattern, _ := strings.Cut(condition, ":")
	var names []string
	switch kind {
	case "gitdir/i", "gitdir":
		if pattern = filepath.ToSlash(expand(pattern, "")); strings.HasPrefix(pattern, "./") {
			pattern = filepath.ToSlash(dir) + pattern[1:]
		}
		if !filepath.IsAbs(filepath.FromSlash(pattern)) {
			pattern = "**/" + pattern
		}
		names = []string{r.own, fsstore.Real(r.own)}
	case "onbranch":
		names = []string{Branch(r.top)}
	case "hasconfig":
		pattern = strings.TrimPrefix(pattern, "remote.*.url:")
		names = remotes(filepath.Join(commonOf(r.own), "config"))
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	return slices.ContainsFunc(names, func(name string) bool {
		if name = filepath.ToSlash(name); kind == "gitdir/i" {
			return fsstore.MatchPath(strings.ToLower(pattern), strings.ToLower(name))
		}
		return fsstore.MatchPath(pattern, name)
	})
}

// expand is a path of a configuration; dir is the folder of relative ones, "" leaves them.
func expand(path, dir string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, _ := os.UserHomeDir()
		return home + "/" + rest
	}
	if dir == "" {
		return path
	}
	return absolute(dir, path)
}

// textOf is the beginning of a file of git; "" if it cannot be read.
func textOf(path string) string {
	in, err := fsstore.OpenInput("", path)
	if err != nil {
		return ""
	}
	defer in.Close()
	data, _ := io.ReadAll(io.LimitReader(in, maxFile))
	return string(data)
}

// settings gives the values of a configuration: the names of sections and keys in small letters, the name of a
// subsection, and the value without quotes.
func settings(text string, f func(section, sub, key, value string)) {
	section, sub := "", ""
	text = strings.NewReplacer("\r\n", "\n", "\\\r\n", "", "\\\n", "").Replace(text)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			head, rest := line[1:], ""
			if end := strings.LastIndex(head, "]"); end >= 0 {
				head, rest = head[:end], head[end+1:]
			}
			if end := strings.Index(head, "]"); end >= 0 && !strings.Contains(head, `"`) { // the value has such a sign
				head, rest = head[:end], head[end+1:]+"]"+rest
			}
			section, sub, _ = strings.Cut(head, " ")
			section, sub = strings.ToLower(section), unquoted(sub)
			line = strings.TrimSpace(rest)
		}
		key, value, _ := strings.Cut(line, "=")
		if key = strings.ToLower(strings.TrimSpace(key)); key != "" && key[0] != '#' && key[0] != ';' {
			f(section, sub, key, unquoted(value))
		}
	}
}

// unquoted is a value without its quotes and the comment behind it.
func unquoted(s string) string {
	var b strings.Builder
	quoted, keep := false, 0 // keep is how much is kept of spaces at the end
	s = strings.TrimSpace(s)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '#' || c == ';'):
			return b.String()[:keep]
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
			keep = b.Len()
		default:
			if b.WriteByte(c); quoted || c != ' ' && c != '\t' {
				keep = b.Len()
			}
		}
	}
	return b.String()
}
