package capture

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/memory"
)

// LogPlace is a folder or a file of the repository that seems to hold logs.
type LogPlace struct {
	Path string `json:"path"` // relative to the root, with slashes
	Logs int    `json:"logs"` // files that look like logs
}

// The bounds of a search for logs.
const (
	entries   = 20000 // entries
	depth     = 8
	leastLogs = 3 // hidden folders are made by tools
)

var (
	// logLike matches names of files that are typical of session logs: a date, also as
	// "250704", or a word for one.
	logLike = lazy.Pattern(`(?i)(^|[^0-9])20\d\d[-_.]?[01]\d[-_.]?[0-3]\d|(^|[^0-9a-z])[23]\d(0[1-9]|1[0-2])([0-2]\d|3[01])($|[^0-9a-z])|session|retro|post-?mortem|transcript|devlog|worklog|handoff`)
	// logFolder matches names of folders in which each document is a log.
	logFolder = lazy.Pattern(`(?i)^((.*[-_])?(adrs?|sessions?|chats?|transcripts?|journals?|incidents|post-?mortems?|retro(s|spectives?)?|hand-?offs?)|sessions?[-_].*|.*logs?|history|decisions|lessons([-_]learned)?)$`)
	// noLogFolder matches other names with such an ending.
	noLogFolder = lazy.Pattern(`(?i)(^|[-_])(blog|changelog|change-log|dialog|catalog|backlog)s?$`)
	// doneFolder matches folders of tasks that are done, by their last two names.
	doneFolder = lazy.Pattern(`(?i)^(todos?|tasks?)/(archived?|completed|done)$`)
	// chatFile matches files to which a tool appends all its sessions.
	chatFile = lazy.Pattern(`(?i)^\.[a-z]+\.chat\.history\.md$`)
)

// LookForLogs finds the places of the repository that seem to hold logs, those with most
// first. It looks at names only, and follows no link.
func LookForLogs(loc memory.Location) []LogPlace {
	counts, looked := map[string]int{}, 0
	_ = filepath.WalkDir(loc.Root, func(file string, d fs.DirEntry, err error) error {
		rel, ok := loc.Inside(file)
		if looked++; looked > entries {
			return fs.SkipAll
		}
		switch {
		case err != nil || !ok:
			return nil
		case d.IsDir() &&
			(slices.Contains([]string{".git", "node_modules", "vendor", "testdata", "memory"}, d.Name()) ||
				strings.Count(rel, "/") >= depth):
			return fs.SkipDir
		case d.Type().IsRegular() && logName(file) && !passedOver(rel, nil):
			if p := logPlaceOf(filepath.ToSlash(rel)); p != "" {
				counts[p]++
			}
		}
		return nil
	})
	var out []LogPlace
	for _, p := range slices.Sorted(maps.Keys(counts)) {
		if n := counts[p]; n >= leastLogs || strings.HasPrefix(p, ".") || chatFile().MatchString(path.Base(p)) {
			out = append(out, LogPlace{p, n})
		}
	}
	slices.SortStableFunc(out, func(a, b LogPlace) int { return cmp.Compare(b.Logs, a.Logs) })
	return out
}

// logPlaceOf is the place whose log a file is: itself, the outermost folder above it that is
// named after logs, or its own folder; "" when nothing says that it is one.
func logPlaceOf(rel string) string {
	dir, base := path.Split(rel)
	named := logLike().MatchString(base)
	if chatFile().MatchString(base) {
		return rel
	}
	if strings.EqualFold(path.Ext(base), ".json") && !named {
		return "" // data, most often
	}
	above, names := "", strings.Split(strings.TrimSuffix(dir, "/"), "/")
	for i, name := range names {
		above = path.Join(above, name)
		if logFolder().MatchString(name) && !noLogFolder().MatchString(name) ||
			i > 0 && doneFolder().MatchString(names[i-1]+"/"+name) {
			return above
		}
	}
	if named && !strings.EqualFold(path.Ext(base), ".json") {
		return cmp.Or(above, ".")
	}
	return ""
}
