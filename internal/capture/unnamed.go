package capture

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/fsstore"
	"episodes/internal/lazy"
	"episodes/internal/memory"
)

// SessionsDir is where agents leave their logs, below the root.
const SessionsDir = ".agents/sessions"

// Unnamed lists the folders, files and patterns that are read when the user names no logs:
// the folder of sessions, where there is one, and what the project's file names. They are
// relative to the root; none leads out of it. notes say what was left out.
func Unnamed(loc memory.Location) (paths, notes []string, err error) {
	v, _, err := vocabularyOf(loc)
	if err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(filepath.Join(loc.Root, filepath.FromSlash(SessionsDir))); err == nil && info.IsDir() {
		paths = append(paths, SessionsDir)
	}
	for _, p := range v.Logs.Paths {
		local := filepath.FromSlash(p)
		if !filepath.IsLocal(local) || memory.InGit(p) {
			notes = append(notes,
				fmt.Sprintf("%s: [logs] paths: %q leads out of the repository, so it was not read", VocabularyFile, p))
			continue
		}
		if _, err := os.Lstat(filepath.Join(loc.Root, local)); err != nil && !matchesAny(loc.Root, local) {
			notes = append(notes, fmt.Sprintf("%s: [logs] paths: %q names no file", VocabularyFile, p))
			continue
		}
		if p = filepath.ToSlash(filepath.Clean(local)); !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	return paths, notes, nil
}

// matchesAny reports whether a pattern below a folder matches anything.
func matchesAny(root, pattern string) bool {
	found, err := fs.Glob(os.DirFS(root), filepath.ToSlash(pattern))
	return err == nil && len(found) > 0
}

// noLogName finds files that describe a folder of logs or are copied for a new one.
var noLogName = lazy.Pattern(`(?i)^(readme([-_.][a-z]{2})?|index|skill|workflow|_*template|template[-_. ][^0-9]*|[^0-9]*[-_. ]template)$`)

// passedOver reports whether a file that nobody named is no log: by the project's file, or
// by its name.
func passedOver(rel string, exclude []string) bool {
	return slices.ContainsFunc(exclude, func(p string) bool { return fsstore.MatchIn(p, rel) }) || aboutLogs(rel)
}

// aboutLogs reports whether a file in a folder of logs is, by its name, about them.
func aboutLogs(path string) bool {
	base := filepath.Base(path)
	return noLogName().MatchString(strings.TrimSuffix(base, filepath.Ext(base)))
}
