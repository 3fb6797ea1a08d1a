// Package sources finds the transcripts that agents left on this machine, and tells which
// of them are of one repository. It reads the agents' folders and writes nothing.
//
// agents.go is the table of agents: where each keeps its transcripts, and how a file says
// where it worked. here.go decides whether that is the repository. The name of a folder
// alone never does: it is made of a path by a rule that makes one name of several. group.go
// tells which files are of the sub-agents of a session.
package sources

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/fsstore"
)

// Session is the transcript of one session.
type Session struct {
	Agent string
	Path  string
	Parts []string // transcripts of its sub-agents
	// Stat is of all files together: their size, and the latest times.
	fsstore.Stat
}

// Found is what one agent left.
type Found struct {
	Agent    string
	Format   string    // as package extract calls it
	Folders  []string  // that are there
	Sessions []Session // of this repository, by path
	Others   int       // sessions of which is known that they are of other folders
	Unplaced int       // sessions that do not say where they worked
	Note     string    // why what is there cannot be read; "" when it can
}

// All is the name that stands for all agents.
const All = "all"

// Agents lists the names of the agents.
func Agents() (names []string) {
	for _, a := range agents {
		names = append(names, a.name)
	}
	return names
}

// Find lists what some agents left that is of this repository; an agent without a folder is
// left out.
func Find(e Environment, here *Here, names ...string) (out []Found) {
	h := newHeads()
	for _, a := range agents {
		if !slices.Contains(names, a.name) && !slices.Contains(names, All) {
			continue
		}
		f := Found{Agent: a.name, Format: a.format, Note: a.note}
		var all []Session
		for _, folder := range a.folders(e) {
			if info, err := os.Stat(folder); err != nil || !info.IsDir() || slices.Contains(f.Folders, folder) {
				continue
			}
			f.Folders = append(f.Folders, folder)
			all = append(all, a.sessions(folder)...)
		}
		if a.apart {
			all = grouped(all)
		}
		for _, s := range all {
			s.Agent = a.name
			switch place := a.place(h, s.Path); {
			case here.has(place):
				if s.stat() {
					f.Sessions = append(f.Sessions, s)
				}
			case place.dir == "" && place.hash == "":
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

// NoTranscriptError says why a file that an agent named is not read.
type NoTranscriptError struct{ Why string }

// Error gives the reason, without the path, which is the agent's word.
func (e *NoTranscriptError) Error() string { return "the transcript that the agent named " + e.Why }

// One returns the session of a file that somebody says is a transcript of an agent, or a
// part of one: where it is a regular file in a folder of the agent, and of this repository.
// Else the error is a *NoTranscriptError.
func One(e Environment, here *Here, name, path string) (s Session, err error) {
	i := slices.IndexFunc(agents, func(a agent) bool { return a.name == name })
	if i < 0 || agents[i].note != "" {
		return s, &NoTranscriptError{"is of an agent whose transcripts are not read"}
	}
	a := agents[i]
	real, err := filepath.EvalSymlinks(path)
	if err != nil || !filepath.IsAbs(path) {
		return s, &NoTranscriptError{"is not there"}
	}
	if info, err := os.Lstat(real); err != nil || !info.Mode().IsRegular() {
		return s, &NoTranscriptError{"is no regular file"}
	}
	for _, folder := range a.folders(e) {
		if s, ok := a.one(folder, real); ok {
			s.Agent = a.name
			if !here.has(a.place(newHeads(), s.Path)) || !s.stat() {
				return s, &NoTranscriptError{"is not of this repository"}
			}
			return s, nil
		}
	}
	return s, &NoTranscriptError{"is not among those that the agent keeps"}
}

// one is the session of a file (symlinks resolved) in a folder of the agent.
func (a agent) one(folder, real string) (s Session, ok bool) {
	home, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return s, false
	}
	rel, err := filepath.Rel(home, real)
	if err != nil || !filepath.IsLocal(rel) {
		return s, false
	}
	path := filepath.Join(folder, rel)
	var all []Session
	switch {
	case a.part != nil:
		project, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		all = a.part(filepath.Join(folder, project))
	case !a.can(path):
		return s, false
	case a.apart:
		all = grouped(a.sessions(folder))
	default:
		return Session{Path: path}, true
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
