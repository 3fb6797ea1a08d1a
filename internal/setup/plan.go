package setup

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"episodes/agents/agent"
)

// State is the state of an agent's settings.
type State string

// The states. Lost: the program that is called is not there. Broken: a file cannot be read
// or understood.
const (
	Wired      State = "wired"
	ServerOnly State = "MCP server only"
	Partly     State = "partly wired"
	Not        State = "not wired"
	Older      State = "written by an earlier version"
	Lost       State = "wired to a program that is not there"
	Broken     State = "broken"
	Plugged    State = "wired by a plugin"
)

// Wrong reports whether a state is one that somebody has to do something about. Nobody need
// be wired, or have hooks.
func (s State) Wrong() bool { return s != Wired && s != Not && s != ServerOnly && s != Plugged }

// stateOf sums up what was found of several parts.
func stateOf(f found) State {
	switch {
	case len(f.lost) > 0:
		return Lost
	case f.stale > 0:
		return Older
	case f.missing == 0:
		return Wired
	case f.current > f.servers:
		return Partly
	case f.current > 0:
		return ServerOnly
	}
	return Not
}

// Change is what was done to a file, or would be.
type Change string

// The changes. Kept: it is as it should be.
const (
	Kept    Change = "unchanged"
	Made    Change = "made"
	Changed Change = "changed"
	Removed Change = "removed"
)

// FileState is one file.
type FileState struct {
	Path   string       `json:"path"`
	Parts  []agent.Part `json:"parts"`
	State  State        `json:"state"`
	Change Change       `json:"change,omitempty"`
	Diff   string       `json:"diff,omitempty"` // where it was asked for

	file        *file
	found, then found  // before and after
	after       []byte // the text
}

// planner works out what is to be done to one agent's files.
type planner struct {
	env    Environment
	agent  *agent.Agent
	scope  Scope
	root   string
	exe    string
	own    string // the name of the program that runs
	server bool   // is wanted
	remove bool
	write  bool     // or removed
	keys   []string // see wiring; of the hooks found so far
}

// file reads one file, and finds what it becomes.
func (p *planner) file(at place) (*FileState, error) {
	root := p.root
	if p.scope == User {
		root = ""
	}
	f, err := openFile(root, at.Path)
	if err != nil {
		return nil, err
	}
	s := &FileState{Path: f.path, Parts: at.Parts, file: f}
	w := &wiring{agent: p.agent, scope: p.scope, own: p.own, exe: p.exe, runs: p.runs, path: f.path}
	w.keys, w.old = p.keys, f.backup
	if f.backup != nil {
		w.before, _ = parse(f.backup) // an invalid one is ignored
	}
	if err = p.plan(w, s); err != nil {
		if at, ok := errors.AsType[*SyntaxError](err); ok {
			at.Path = f.path
		}
		return nil, err
	}
	return s, nil
}

// plan finds what is in a file, what it becomes, and what is in it then.
func (p *planner) plan(w *wiring, s *FileState) (err error) {
	s.after = s.file.text
	for _, is := range s.Parts {
		e, wanted := p.editor(w, s.file.path, is), p.server || is != agent.ServerPart
		f, err := e.find(s.after)
		if err != nil {
			return err
		}
		p.keys = append(p.keys, f.keys...)
		switch {
		case !p.write:
		case p.remove:
			s.after, err = e.drop(s.after)
		case wanted && f.foreign == "" && f.missing+f.stale+len(f.lost) > 0:
			s.after, err = e.add(orSkeleton(s.after, e.skeleton))
		}
		if err != nil {
			return err
		}
		then, err := e.find(s.after)
		if err != nil {
			return err
		}
		if !wanted && !p.remove { // then none is missed
			f.missing, then.missing = 0, 0
		}
		s.found.add(f)
		s.then.add(then)
	}
	return nil
}

// editor is how one part is found in a text, added to it, and dropped.
type editor struct {
	find      func(text []byte) (found, error)
	add, drop func(text []byte) ([]byte, error)
	skeleton  string // what a file begins with where there is nothing in it
}

func orSkeleton(text []byte, skeleton string) []byte {
	if skeleton != "" && isBlank(text) {
		return []byte(skeleton)
	}
	return text
}

func isBlank(text []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(text, byteOrderMark))) == 0
}

const (
	emptyObject  = "{\n}\n"
	emptyVersion = "{\n  \"version\": 1\n}\n"
)

func (p *planner) editor(w *wiring, path string, is agent.Part) editor {
	of := func(find func(*document) (found, error)) func([]byte) (found, error) {
		return func(text []byte) (found, error) {
			d, err := parse(text)
			if err != nil {
				return found{}, err
			}
			return find(d)
		}
	}
	switch {
	case is == agent.TextPart:
		return agentsText()
	case p.agent.Settings.Script != nil:
		return w.script(is)
	case is == agent.HooksPart:
		e := editor{add: w.marked(w.addHooks), skeleton: emptyObject,
			drop: w.marked(func(text []byte) ([]byte, error) { return w.dropHooks(text, func(spot) bool { return true }) }),
			find: of(func(d *document) (found, error) { _, f, err := w.spots(d); return f, err })}
		if p.agent.Settings.Versioned {
			e.skeleton = emptyVersion
		}
		return e
	case strings.HasSuffix(path, ".toml"):
		return editor{add: w.addTOML, drop: w.dropTOML,
			find: func(text []byte) (found, error) { _, f, err := w.tomlServer(text); return f, err }}
	}
	return editor{add: w.marked(w.addServer), drop: w.marked(w.dropServer), skeleton: emptyObject,
		find: of(func(d *document) (found, error) { _, f, err := w.theServer(d); return f, err })}
}

// marked keeps the mark of byte order in front of a text that is edited without it.
func (w *wiring) marked(edit func([]byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(text []byte) ([]byte, error) {
		text, had := bytes.CutPrefix(text, byteOrderMark)
		text, err := edit(text)
		if err == nil && had {
			text = slices.Concat(byteOrderMark, text)
		}
		return text, err
	}
}

// runs reports whether a program is where it is called.
func (p *planner) runs(exe string) bool {
	if p.env.LookPath == nil {
		return true
	}
	_, err := p.env.LookPath(exe)
	return err == nil
}

// apply writes what a file becomes, unless dry. What it does is in Change.
func (s *FileState) apply(remove, dry bool) error {
	f := s.file
	made := remove && f.backup == nil && isSkeleton(s.after)
	if remove && f.backup != nil && isBlank(f.backup) && isSkeleton(s.after) {
		s.after = f.backup
	}
	switch {
	case bytes.Equal(f.text, s.after) && (f.exists || s.after == nil):
		s.Change = Kept
		return nil
	case made:
		s.Change, s.after = Removed, nil
	case !f.exists:
		s.Change = Made
	default:
		s.Change = Changed
	}
	switch {
	case dry:
		s.Diff = string(diff.Diff(s.Path, f.text, s.Path, s.after))
		return nil
	case remove:
		return f.restore(s.after, made)
	}
	return f.write(s.after, s.found.current+s.found.stale == 0)
}

// isSkeleton reports whether nothing is left in a text but what setup begins a file with.
func isSkeleton(text []byte) bool {
	fields := string(bytes.Join(bytes.Fields(text), nil))
	return fields == "" || fields == "{}" || fields == `{"version":1}`
}
