package fsstore

import (
	"path"
	"strings"
)

// MatchPath reports whether a path with slashes matches a pattern: path.Match for each element,
// and ** for any number of elements. A malformed pattern matches nothing.
func MatchPath(pattern, name string) bool {
	return matchParts(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

func matchParts(pattern, name []string) bool {
	if len(pattern) == 0 {
		return len(name) == 0
	}
	if pattern[0] == "**" {
		if len(pattern) > 1 && pattern[1] == "**" {
			return matchParts(pattern[1:], name)
		}
		for skip := range len(name) + 1 {
			if matchParts(pattern[1:], name[skip:]) {
				return true
			}
		}
		return false
	}
	if len(name) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], name[0])
	return err == nil && ok && matchParts(pattern[1:], name[1:])
}

// MatchIn reports whether a pattern as in a .gitignore matches a path or a folder that it
// is in: one without a slash matches any part, another the path from its beginning.
func MatchIn(pattern, name string) bool {
	pattern = strings.TrimSuffix(pattern, "/")
	if pattern == "" {
		return false
	}
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	pattern = strings.TrimPrefix(pattern, "/")
	for end := range len(name) + 1 {
		if (end == len(name) || name[end] == '/') && MatchPath(pattern, name[:end]) {
			return true
		}
	}
	return false
}
