package capture

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/fsstore"
	"episodes/internal/gitdir"
	"episodes/internal/lazy"
	"episodes/internal/memory"
)

// LogPlace is a folder or a file of the repository that holds logs.
type LogPlace struct {
	Path  string   `json:"path"` // relative to the root, with slashes
	Logs  int      `json:"logs"`
	Files []string `json:"-"` // the logs, likewise
}

// The bounds of a search for logs.
const (
	entries    = 200_000
	depth      = 10
	enough     = 3 // see search
	startBytes = 64 << 10
	titleBytes = 1 << 10
)

var (
	// logLike matches words for a log, in the name of a file or in a title; sessionLike such as may also be the matter
	// of a document, so that a date has to be there.
	logLike     = lazy.Pattern(`(?i)post-?mortem|(dev|work)[-_ ]?log|hand-?off|session[-_ ]?(log|notes?|summary|report)`)
	sessionLike = lazy.Pattern(`(?i)session|retro|transcript`)
	// dated matches a date, also as "250704".
	dated = lazy.Pattern(`(^|[^0-9])20\d\d[-_.]?[01]\d[-_.]?[0-3]\d|(^|[^0-9A-Za-z])[23]\d(0[1-9]|1[0-2])([0-2]\d|3[01])($|[^0-9A-Za-z])`)
	// logFolder matches names of folders in which each document is a log.
	logFolder = lazy.Pattern(`(?i)^((.*[-_])?(adrs?|sessions?|chats?|transcripts?|journals?|incidents|post-?mortems?|retro(s|spectives?)?|hand-?offs?)|sessions?[-_].*|.*logs?|history|decisions|lessons([-_]learned)?)$`)
	// noLogFolder matches other names with such an ending.
	noLogFolder = lazy.Pattern(`(?i)(^|[-_])(blog|changelog|change-log|dialog|catalog|backlog)s?$`)
	// doneFolder matches folders of tasks that are done, by their last two names.
	doneFolder = lazy.Pattern(`(?i)^(todos?|tasks?)/(archived?|completed|done)$`)
	// passedBy matches folders of what no session wrote: of others, for tests, to instruct agents, or planned.
	passedBy = lazy.Pattern(`(?i)^(\.git|node_modules|vendor|testdata|_*fixtures_*|_*tests?_*|examples?|prompts?|commands|skills|rules|instructions|templates?|chatmodes|workflows|plans?|specs?)$`)
	// instructing matches the beginning of what instructs agents, and of forms that nobody has filled in.
	instructing = lazy.Pattern(`(?m)\A---\n(.*\n)*?(description|tools|globs|applyTo):|\bYYYY\b|\{\{|\$ARGUMENTS|^#.*[[<](?i:title|date|name|topic|brief|your)\b`)
	titles      = lazy.Pattern(`(?m)^(?:#{1,2} +|title: *).+$`)
)

// LookForLogs finds the places of the repository that hold logs, those with most first: transcripts, by their content,
// and documents whose names or titles say that they are logs and in which there is something to find. Of what git
// ignores only transcripts count. It follows no link, and enters no memory and no other repository.
func LookForLogs(loc memory.Location) (out []LogPlace) {
	v, _, err := vocabularyOf(loc)
	if err != nil {
		return nil
	}
	s, looked := search{loc: loc, extractor: Extractor(loc), ignored: ignoredIn(loc.Root), says: map[string]int{}}, 0
	places := map[string][]string{}
	_ = filepath.WalkDir(loc.Root, func(file string, d fs.DirEntry, err error) error {
		rel, ok := loc.Inside(file)
		if looked++; looked > entries {
			return fs.SkipAll
		}
		switch {
		case err != nil || !ok || rel == ".":
		case d.IsDir():
			if s.passesBy(file, rel) {
				return fs.SkipDir
			}
		case d.Type().IsRegular() && logName(file) && !passedOver(rel, v.Logs.Exclude):
			if p := s.place(rel, s.ignored(file)); p != "" {
				places[p] = append(places[p], rel)
			}
		}
		return nil
	})
	for _, p := range slices.Sorted(maps.Keys(places)) {
		files := places[p]
		if s.says[p] < enough {
			continue
		}
		if len(files) == 1 || p == "." {
			p = files[0]
		}
		out = append(out, LogPlace{p, len(files), files})
	}
	slices.SortStableFunc(out, func(a, b LogPlace) int { return cmp.Compare(b.Logs, a.Logs) })
	return out
}

type search struct {
	loc       memory.Location
	extractor *extract.Extractor
	ignored   func(file string) bool
	// says is how much says that a place holds logs: enough for one log, 1 if only the date in its name does.
	says map[string]int
}

// passesBy reports whether no log is looked for in a folder.
func (s *search) passesBy(dir, rel string) bool {
	name := filepath.Base(dir)
	if dir == s.loc.Dir || strings.HasSuffix("/"+rel, "/.agents/memory") || passedBy().MatchString(name) || strings.Count(rel, "/") >= depth {
		return true
	}
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil || !strings.HasPrefix(name, ".") && !isLogFolder(name) && s.ignored(dir)
}

// ignoredIn returns what reports whether git ignores a file, or a folder in which it tracks nothing.
func ignoredIn(root string) func(file string) bool {
	ignored, top, tracked := gitdir.IgnoredIn(root), gitdir.Top(root), map[string]bool{}
	for name := range gitdir.Indexed(top, []string{"."}) {
		for name = filepath.Join(top, name); len(name) > len(root) && !tracked[name]; name = filepath.Dir(name) {
			tracked[name] = true
		}
	}
	return func(file string) bool { return !tracked[file] && ignored(file) != "" }
}

func isLogFolder(name string) bool {
	return logFolder().MatchString(name) && !noLogFolder().MatchString(name)
}

// place is where a log is listed; "" if a file is none.
func (s *search) place(rel string, ignored bool) string {
	f, err := fsstore.OpenInput(s.loc.Root, filepath.FromSlash(rel))
	if err != nil {
		return ""
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, startBytes))
	dir, base := path.Split(rel)
	names := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	place, named := cmp.Or(path.Join(names[:min(2, len(names))]...), rel), false
	for i, name := range names {
		if named = isLogFolder(name) || i > 0 && doneFolder().MatchString(names[i-1]+"/"+name); named {
			place = path.Join(names[:i+1]...)
			break
		}
	}
	if extract.Detect(data) != "" {
		if bytes.Contains(data, []byte(`"episodes"`)) && s.found(rel, f, data) < 0 {
			return "" // an export of this program
		}
		s.says[place] = enough
		return place
	}
	start := bytes.ReplaceAll(data[:min(len(data), titleBytes)], []byte("\r"), nil)
	title := titles().Find(start)
	called := logLike().MatchString(base) || dated().MatchString(base+" "+string(start)) &&
		(logLike().Match(title) || sessionLike().MatchString(base) || sessionLike().Match(title))
	if ignored || jsonName(base) || !named && !called && !dated().MatchString(base) || instructing().Match(start) {
		return ""
	}
	named = named || called
	if named && s.says[place] >= enough {
		return place
	}
	switch found := s.found(rel, f, data); {
	case found > 0 && named:
		s.says[place] = enough
	case found > 1:
		s.says[place]++
	case found < 0 || !named:
		return ""
	}
	return place
}

// found is 0 if nothing is found in a log, which begins with data, 1 if something is, 2 if also what it came to, and
// -1 if it cannot be read.
func (s *search) found(rel string, more io.Reader, data []byte) (n int) {
	res, err := s.extractor.Read(extract.Source{Path: rel}, io.MultiReader(bytes.NewReader(data), more))
	if err != nil {
		return -1
	}
	if ep := res.Episode; ep.Outcome != episode.Unknown {
		n = 2
	} else if len(ep.Decisions)+len(ep.Events)+len(ep.Lessons) > 0 {
		n = 1
	}
	return n
}
