// Package sources finds the transcripts that agents left on this machine for one repository.
// It reads the agents' folders and writes nothing.
//
// Where each agent keeps its transcripts, and how a file says where it worked, is in package
// agents. here.go decides whether that is the repository. The name of a folder alone never does:
// it is made of a path by a rule that makes one name of several. group.go finds the files of the
// sub-agents of a session.
package sources

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/internal/fsstore"
)

// Environment is what the agents' folders depend on.
type Environment = agent.Environment

// Session is the transcript of one session.
type Session struct {
	Agent string
	Path  string
	Parts []string // transcripts of its sub-agents
	From  string   // who brought it; "": this user
	// Stat is of all files together: their size, and the latest times.
	fsstore.Stat
}

// Found is what one agent left.
type Found struct {
	Agent    string
	Folders  []string  // that are there
	Sessions []Session // of this repository, by path
	Others   int       // sessions known to be of other folders
	Unplaced int       // sessions that do not say where they worked
	Note     string    // which sessions are not found there; "" for none
}

// All is the name for all agents.
const All = "all"

// Agents lists the names of the agents, and Entire.
func Agents() []string { return append(agents.Names(agents.HasTranscripts), Entire) }

// Find lists what some agents left that is of this repository; an agent without a folder is
// left out.
func Find(e Environment, here *Here, names ...string) (out []Found) {
	h := agent.NewHeads()
	for _, a := range agents.Which(agents.HasTranscripts) {
		if !slices.Contains(names, a.Name) && !slices.Contains(names, All) {
			continue
		}
		t := a.Transcripts
		f := Found{Agent: a.Name, Note: t.Note}
		var all []agent.Session
		for _, folder := range t.Folders(e) {
			if info, err := os.Stat(folder); err != nil || !info.IsDir() || slices.Contains(f.Folders, folder) {
				continue
			}
			f.Folders = append(f.Folders, folder)
			all = append(all, sessions(t, folder)...)
		}
		if t.Apart {
			all = grouped(all)
		}
		for _, one := range all {
			s := Session{Agent: a.Name, Path: one.Path, Parts: one.Parts}
			switch place := t.Place(h, s.Path); {
			case here.has(place):
				if s.stat() {
					f.Sessions = append(f.Sessions, s)
				}
			case place.Dir == "" && place.Hash == "":
				f.Unplaced++
			default:
				f.Others++
			}
		}
		if len(f.Folders) > 0 {
			slices.SortFunc(f.Sessions, func(a, b Session) int { return strings.Compare(a.Path, b.Path) })
			out = append(out, f)
		}
	}
	return out
}

// sessions lists what lies in a folder of an agent. Links are not followed.
func sessions(t *agent.Transcripts, folder string) (out []agent.Session) {
	if t.SubAgents != nil {
		of := t.SubAgents()
		projects, _ := os.ReadDir(folder)
		for _, p := range projects {
			out = append(out, inProject(t, filepath.Join(folder, p.Name()), of)...)
		}
		return out
	}
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && t.Is(path) {
			out = append(out, agent.Session{Path: path})
		}
		return nil
	})
	return out
}

// inProject lists the sessions of one project; of lists those of their sub-agents.
func inProject(t *agent.Transcripts, dir string, of func(string) []string) (out []agent.Session) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); e.Type().IsRegular() && t.Is(path) {
			out = append(out, agent.Session{Path: path, Parts: of(path)})
		}
	}
	return out
}

// SubAgents finds the transcripts of sub-agents by where agents keep them. It looks at each
// folder once.
type SubAgents struct{ of []func(path string) []string }

// Of lists those of the session whose transcript is at a path.
func (s *SubAgents) Of(path string) (out []string) {
	if s.of == nil {
		for _, a := range agents.Which(agents.HasTranscripts) {
			if a.Transcripts.SubAgents != nil {
				s.of = append(s.of, a.Transcripts.SubAgents())
			}
		}
	}
	for _, of := range s.of {
		out = append(out, of(path)...)
	}
	return out
}

// NoTranscriptError says why a file that an agent named is not read.
type NoTranscriptError struct {
	Why   string
	Cause error // may be nil
	Later bool  // it may be read at another time
}

func (e *NoTranscriptError) Error() string {
	text := "the transcript that the agent named " + e.Why
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Kept reports with a *NoTranscriptError that a file is no regular file in a folder in which an agent
// keeps its transcripts.
func Kept(e Environment, name, path string) error {
	_, _, err := kept(e, name, path)
	return err
}

func transcriptsOf(name string) (*agent.Transcripts, error) {
	if a := agents.Named(name); a != nil && a.Transcripts != nil {
		return a.Transcripts, nil
	}
	return nil, &NoTranscriptError{Why: "is of an agent whose transcripts are not read"}
}

// kept returns the folder of the agent in which a file is, and the path of the file there.
func kept(e Environment, name, path string) (folder, rel string, err error) {
	t, err := transcriptsOf(name)
	if err != nil {
		return "", "", err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil || !filepath.IsAbs(path) {
		return "", "", &NoTranscriptError{Why: "is not there"}
	}
	if info, err := os.Lstat(real); err != nil || !info.Mode().IsRegular() {
		return "", "", &NoTranscriptError{Why: "is no regular file"}
	}
	for _, folder := range t.Folders(e) {
		home, err := filepath.EvalSymlinks(folder)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(home, real); err == nil && filepath.IsLocal(rel) {
			return folder, rel, nil
		}
	}
	return "", "", &NoTranscriptError{Why: "is not among those that the agent keeps"}
}

// One returns the session of a file that somebody says is a transcript of an agent, or a
// part of one: where it is a regular file in a folder of the agent, and of this repository.
// Else the error is a *NoTranscriptError.
func One(e Environment, here *Here, name, path string) (s Session, err error) {
	folder, rel, err := kept(e, name, path)
	if err != nil {
		return s, err
	}
	a := agents.Named(name)
	found, ok := one(a.Transcripts, folder, rel)
	if !ok {
		return s, &NoTranscriptError{Why: "is not among those that the agent keeps"}
	}
	s = Session{Agent: a.Name, Path: found.Path, Parts: found.Parts}
	if !here.has(a.Transcripts.Place(agent.NewHeads(), s.Path)) || !s.stat() {
		return s, &NoTranscriptError{Why: "is not of this repository"}
	}
	return s, nil
}

// shortestID is the length of the shortest id of a session by which its file is looked for.
const shortestID = 6

// beginningOfID is how much of an id Gemini CLI names a file after. The file has all of it in its first lines.
const beginningOfID = 8

// Named reports whether the session's file is named after an id, which is untrusted, or its folder.
func (s Session) Named(id string) bool {
	if len(id) < shortestID {
		return false
	}
	dir, name := filepath.Split(s.Path)
	ends := func(id string) bool {
		before, ends := strings.CutSuffix(strings.TrimSuffix(name, filepath.Ext(name)), id)
		return ends && (before == "" || strings.TrimRight(before, "-_") != before)
	}
	return ends(id) || filepath.Base(dir) == id ||
		len(id) > beginningOfID && ends(id[:beginningOfID]) && agent.SessionID(agent.NewHeads().Start(s.Path)) == id
}

// OfSession returns the path of the transcript of a session, whose id is untrusted: a file that is
// named after it, or one that the agent exports. Else the error is a *NoTranscriptError.
func OfSession(ctx context.Context, e Environment, name, id, root string) (string, error) {
	t, err := transcriptsOf(name)
	if err != nil {
		return "", err
	}
	if t.Export != nil {
		return exported(ctx, t.Export(id), t.Folders(e)[0], id, root)
	}
	for _, folder := range t.Folders(e) {
		for _, s := range sessions(t, folder) {
			if (Session{Path: s.Path}).Named(id) {
				return s.Path, nil
			}
		}
	}
	return "", &NoTranscriptError{Why: "is not among those that the agent keeps"}
}

// one is the session of a file in a folder of the agent.
func one(t *agent.Transcripts, folder, rel string) (s agent.Session, ok bool) {
	path := filepath.Join(folder, rel)
	var all []agent.Session
	switch {
	case t.SubAgents != nil:
		project, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		all = inProject(t, filepath.Join(folder, project), t.SubAgents())
	case !t.Is(path):
		return s, false
	case t.Apart:
		all = grouped(sessions(t, folder))
	default:
		return agent.Session{Path: path}, true
	}
	for _, s := range all {
		if s.Path == path || slices.Contains(s.Parts, path) {
			return s, true
		}
	}
	return s, false
}

// stat adds up what the files of a session are like; false when it is gone.
func (s *Session) stat() bool {
	for i, path := range append([]string{s.Path}, s.Parts...) {
		info, err := os.Stat(path)
		if err != nil {
			if i == 0 {
				return false
			}
			continue
		}
		s.Stat = s.With(fsstore.StatOf(info))
	}
	return true
}
