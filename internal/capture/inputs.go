package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/fsstore"
	"episodes/internal/gitdir"
	"episodes/internal/memory"
	"episodes/internal/sources"
)

// Stdin is the argument that means standard input.
const Stdin = "-"

// SafeSession reports whether a name can be part of an episode's id and so of the
// name of its file.
func SafeSession(name string) bool {
	return episode.SafeSession(name) == name && episode.ValidID(episode.IDFromSession(name))
}

// input is one log to be read.
type input struct {
	shown   string // as the user named it, or as the walk found it
	path    string // absolute, symlinks resolved; Stdin for standard input
	root    string // the folder that it must be in; "" when the user named it
	stat    fsstore.Stat
	logPath string // relative to the root when inside it, else path
	source  string // path for the provenance
	session string // "" for standard input without a name, until it is read
	found   bool   // in a folder: it need not be a log
	private bool   // its episode goes to the private part

	transcript bool   // of an agent of this user
	from       string // who brought it, if that is somebody else
	parts      []part // transcripts of its sub-agents
	idle       []part // and those that add nothing; see sources.Part
}

// part is a transcript of a sub-agent, which is read with that of its session.
type part struct {
	path, root, source string // as of an input
}

// failure is an input that could not be used, or a log that could not be kept.
type failure struct {
	code string
	line int
	err  error
	hint string
}

// gather turns arguments into logs, each once, sorted by path.
func gather(o Options, paths, exclude []string) *gatherer {
	g := &gatherer{loc: o.Location, cwd: o.Cwd, session: o.Session, unnamed: o.Unnamed, exclude: exclude, seen: map[string]bool{},
		ignored: gitdir.IgnoredIn(fsstore.Real(o.Location.Root)), tracked: map[string]map[string]string{}}
	g.vetted = sync.OnceValue(func() []string { return vettedPaths(o, paths) })
	for _, a := range o.Args {
		g.arg(a)
	}
	for _, a := range o.Found {
		g.foundLog(a)
	}
	for _, s := range o.Transcripts {
		g.transcript(s)
	}
	if o.Format == "auto" || extract.IsTranscript(o.Format) {
		g.join()
	}
	slices.SortStableFunc(g.logs, func(a, b input) int { return strings.Compare(a.logPath, b.logPath) })
	for i := range g.logs {
		g.logs[i].private = g.logs[i].private || o.Private && g.logs[i].transcript
	}
	return g
}

type gatherer struct {
	loc     memory.Location
	cwd     string
	session string   // for standard input
	unnamed bool     // all must be inside the repository
	exclude []string // patterns of what is no log, when the user named nothing
	passed  []string // what was left out as no log by its name
	hidden  []string // what nobody named and git ignores
	aside   []string // what only a configuration that is not the user's names, and git does not track
	ignored func(file string) string
	vetted  func() []string              // of [logs] paths
	tracked map[string]map[string]string // by working tree
	seen    map[string]bool
	walking bool // what is found need not be a log
	looked  bool // it was found by its content
	agents  sources.SubAgents
	logs    []input
	failed  []Item // arguments that name no log
}

func (g *gatherer) fail(shown, code string, err error, hint string) {
	g.failed = append(g.failed, failedItem(shown, "", failure{code: code, err: err, hint: hint}))
}

func (g *gatherer) arg(a string) {
	if a == Stdin {
		g.stdin()
		return
	}
	path := a
	if !filepath.IsAbs(path) {
		path = filepath.Join(g.cwd, path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(a, "*?["):
		g.glob(a, path)
	case err != nil:
		g.fail(a, "unreadable", fsstore.Cause(err), "")
	case info.IsDir():
		g.walk(a, path, g.rootOf(path))
	case g.unnamed:
		g.named(a, path, g.loc.Root, info)
	default:
		g.named(a, path, "", info)
	}
}

// rootOf is the folder that what is found in a folder must be in: the repository when
// the folder is in it, else the folder itself. Whoever wrote the files there may have set
// links to what is not to be read.
func (g *gatherer) rootOf(dir string) string {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return g.loc.Root // the walk says what is wrong
	}
	if _, inside := g.loc.Inside(real); inside || g.unnamed {
		return g.loc.Root
	}
	return real
}

func (g *gatherer) glob(a, pattern string) {
	found, err := filepath.Glob(pattern)
	if err != nil {
		g.fail(a, "bad-pattern", fmt.Errorf("no such file, and not a pattern: %w", err), "")
		return
	}
	if len(found) == 0 {
		g.fail(a, "unreadable", errors.New("no file matches"), "")
	}
	root := g.rootOf(beforePattern(pattern))
	for _, path := range found {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			g.fail(path, "unreadable", fsstore.Cause(err), "")
		case info.IsDir():
			g.walk(path, path, root)
		default:
			g.named(path, path, root, info)
		}
	}
}

// beforePattern is the folder that a pattern names before its first part that matches
// several names.
func beforePattern(pattern string) string {
	for strings.ContainsAny(pattern, "*?[") {
		pattern = filepath.Dir(pattern)
	}
	return pattern
}

// walk takes the files that can be logs below a folder that are inside root. Links to folders
// are not followed, so a loop of them does no harm.
func (g *gatherer) walk(shown, dir, root string) {
	if real, err := filepath.EvalSymlinks(dir); err == nil && !within(root, real) {
		g.leadsOut(shown, root)
		return
	}
	show := func(path string) string { return filepath.Join(shown, strings.TrimPrefix(path, dir)) }
	err := filepath.WalkDir(dir+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			g.fail(show(path), "unreadable", fsstore.Cause(err), "")
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || path == g.loc.Dir): // no file of the memory is a log
			return fs.SkipDir
		case d.IsDir() || !logName(path):
			return nil
		}
		info, err := os.Stat(path)
		if err != nil {
			g.fail(show(path), "unreadable", fsstore.Cause(err), "")
		} else if !info.IsDir() {
			g.walking = true
			g.file(show(path), path, root, info)
			g.walking = false
		}
		return nil
	})
	if err != nil {
		g.fail(shown, "unreadable", fsstore.Cause(err), "")
	}
}

// within reports whether a path is inside a folder and not in its .git. Both are
// absolute with symlinks resolved.
func within(root, real string) bool {
	rel, inside := memory.Location{Root: root}.Inside(real)
	return inside && !memory.InGit(rel)
}

func (g *gatherer) leadsOut(shown, root string) {
	g.fail(shown, "leads-out", fmt.Errorf("leads out of %q, so it was not read", root), "to read it all the same, name it")
}

// logName reports whether a file that is found in a folder can be a log.
func logName(path string) bool {
	return jsonName(path) || slices.Contains([]string{".md", ".markdown"}, strings.ToLower(filepath.Ext(path)))
}

func jsonName(path string) bool {
	return slices.Contains([]string{".jsonl", ".ndjson", ".json", ".traj"}, strings.ToLower(filepath.Ext(path)))
}

// file takes one file. It must be inside root, unless that is "".
func (g *gatherer) file(shown, path, root string, info fs.FileInfo) {
	real, err := filepath.EvalSymlinks(path)
	switch {
	case err != nil:
		g.fail(shown, "unreadable", fsstore.Cause(err), "")
		return
	case root != "" && !within(root, real):
		g.leadsOut(shown, root)
		return
	case !info.Mode().IsRegular():
		g.fail(shown, "unreadable", errors.New("not a regular file"), "pipe it in: episodes extract - --session NAME")
		return
	case g.seen[real]:
		return
	}
	g.seen[real] = true
	in := input{shown: shown, path: real, root: root, stat: fsstore.StatOf(info),
		session: episode.SessionFromPath(real), found: g.walking}
	inside := false
	in.logPath, in.source, inside = placeOf(g.loc, real)
	in.private = inside && !fsstore.MatchIn(SessionsDir, in.logPath) && g.ignored(real) != "" && !g.hasTracked(real)
	if in.private && g.unnamed && !g.looked {
		g.hidden = append(g.hidden, in.logPath)
		return
	}
	if inside && g.unnamed && passedOver(in.logPath, g.exclude) || g.walking && aboutLogs(real) {
		g.passed = append(g.passed, in.logPath)
		return
	}
	if inside && g.unnamed && !g.shareable(real, in.logPath) {
		if in.private = true; !g.looked {
			g.aside = append(g.aside, in.logPath)
		}
	}
	g.logs = append(g.logs, in)
}

// hasTracked reports whether git tracks a file, even if it would ignore it as a new one.
func (g *gatherer) hasTracked(real string) bool {
	top := gitdir.Top(filepath.Dir(real))
	if _, read := g.tracked[top]; !read {
		g.tracked[top] = gitdir.Indexed(top, []string{"."})
	}
	name, _ := filepath.Rel(top, real)
	_, tracked := g.tracked[top][filepath.ToSlash(name)]
	return tracked
}

// foundLog takes a file that was found in the repository.
func (g *gatherer) foundLog(rel string) {
	path := filepath.Join(g.loc.Root, filepath.FromSlash(rel))
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		g.walking, g.looked = true, true
		g.file(rel, path, g.loc.Root, info)
		g.walking, g.looked = false, false
	}
}

// shareable reports whether a log that the user did not name may go into the shared part: it is in the folder of
// sessions, git tracks it, or a place that the user vouches for has it.
func (g *gatherer) shareable(real, rel string) bool {
	top := gitdir.Top(filepath.Dir(real))
	if top == "" || fsstore.MatchIn(SessionsDir, rel) {
		return true
	}
	return g.hasTracked(real) || slices.ContainsFunc(g.vetted(), func(p string) bool { return fsstore.MatchIn("/"+path.Clean(p), rel) })
}

// placeOf is a log's path, and what of it goes into the provenance; inside says that it is
// in the repository.
func placeOf(loc memory.Location, real string) (logPath, source string, inside bool) {
	if rel, ok := loc.Inside(real); ok {
		return rel, rel, true
	}
	return filepath.ToSlash(real), filepath.Base(real), false
}

// named takes a file that was not walked to, and the transcripts of sub-agents that lie
// where the agent keeps those of the session. These must be inside root, or, when that is
// "", inside the repository or the folder of the session.
func (g *gatherer) named(shown, path, root string, info fs.FileInfo) {
	n := len(g.logs)
	if g.file(shown, path, root, info); len(g.logs) == n {
		return
	}
	real := g.logs[n].path
	dir := filepath.Dir(real)
	if root == "" {
		root = g.rootOf(dir)
	}
	g.walking = true
	defer func() { g.walking = false }()
	for _, p := range g.agents.Of(real) {
		if info, err := os.Stat(p); err == nil {
			g.file(filepath.Join(filepath.Dir(shown), strings.TrimPrefix(p, dir)), p, root, info)
		}
	}
}

// join makes the transcripts of sub-agents parts of their sessions' that are there as well.
func (g *gatherer) join() {
	at, paths := map[string]int{}, []string{}
	for i, in := range g.logs {
		if at[in.path] = i; in.path != Stdin && !in.transcript { // a transcript has its parts
			paths = append(paths, in.path)
		}
	}
	parts := sources.Parts(paths)
	for _, path := range slices.Sorted(maps.Keys(parts)) {
		in, session := g.logs[at[path]], &g.logs[at[parts[path].Of]]
		p := part{path: path, root: in.root, source: in.source}
		if parts[path].Empty {
			session.idle = append(session.idle, p)
			continue
		}
		session.parts, session.stat = append(session.parts, p), session.stat.With(in.stat)
	}
	g.logs = slices.DeleteFunc(g.logs, func(in input) bool { return parts[in.path].Of != "" })
}

// transcript takes what lies in the folder of an agent.
func (g *gatherer) transcript(s sources.Session) {
	info, err := os.Stat(s.Path)
	if err != nil {
		g.fail(s.Path, "unreadable", fsstore.Cause(err), "")
		return
	}
	n := len(g.logs)
	g.file(s.Path, s.Path, "", info)
	for i := range g.logs[n:] {
		in := &g.logs[n+i]
		in.transcript, in.found, in.stat, in.from = true, true, s.Stat, s.From
		for _, path := range s.Parts {
			_, source, _ := placeOf(g.loc, path)
			in.parts = append(in.parts, part{path: path, source: source})
		}
	}
}

func (g *gatherer) stdin() {
	if g.seen[Stdin] {
		return
	}
	g.seen[Stdin] = true
	g.logs = append(g.logs, input{shown: Stdin, path: Stdin, logPath: Stdin, source: Stdin, session: g.session})
}

// maxStdin is the most that is read of standard input, in bytes.
const maxStdin = 256 << 20

// readStdin reads standard input to its end; ctx ends the wait for it.
func readStdin(ctx context.Context, stdin io.Reader) ([]byte, error) {
	type answer struct {
		data []byte
		err  error
	}
	c := make(chan answer, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(stdin, maxStdin+1))
		if len(data) > maxStdin {
			err = extract.TooLarge(int64(len(data)))
		}
		c <- answer{data, err}
	}()
	select {
	case a := <-c:
		return a.data, fsstore.Cause(a.err)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (in input) open() (io.ReadCloser, error) {
	f, err := fileIn(in.root, in.path)
	if err != nil {
		return nil, err
	}
	return fsstore.OpenInput(f.Root, f.Path)
}

// openParts gives what reads the transcripts of sub-agents, in their order; done closes
// those that are open.
func (in input) openParts(ctx context.Context) (parts []io.Reader, done func(), err error) {
	var files []*sources.File
	for _, p := range in.parts {
		f, err := fileIn(p.root, p.path)
		if err != nil {
			return nil, nil, err
		}
		files, parts = append(files, f), append(parts, stopping{ctx, f})
	}
	return parts, func() {
		for _, f := range files {
			_ = f.Close()
		}
	}, nil
}

// fileIn is the file at a path, which must be in root unless that is "".
func fileIn(root, path string) (f *sources.File, err error) {
	if root != "" {
		path, err = filepath.Rel(root, path)
	}
	return &sources.File{Root: root, Path: path}, err
}

// partPaths are the paths of its parts.
func (in input) partPaths() (paths []string) {
	for _, p := range in.parts {
		paths = append(paths, p.path)
	}
	return paths
}
