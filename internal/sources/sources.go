// Package sources finds the transcripts that agents left on this machine, and tells which
// of them are of one repository. It reads the agents' folders and writes nothing.
//
// agents.go is the table of agents: where each keeps its transcripts, and how a file says
// where it worked. here.go decides whether that is the repository. The name of a folder
// alone never does: it is made of a path by a rule that makes one name of several.
package sources

import (
	"errors"
	"io"
	"io/fs"
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
		for _, folder := range a.folders(e) {
			if info, err := os.Stat(folder); err != nil || !info.IsDir() || slices.Contains(f.Folders, folder) {
				continue
			}
			f.Folders = append(f.Folders, folder)
			for _, s := range a.sessions(folder) {
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
	if a.part == nil {
		return Session{Path: path}, a.can(path)
	}
	project, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	for _, s := range a.part(filepath.Join(folder, project)) {
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
		one := fsstore.StatOf(info)
		s.Size += one.Size
		s.Modified, s.Changed = max(s.Modified, one.Modified), max(s.Changed, one.Changed)
	}
	return true
}

// OfFile is the session whose transcript is at a path, with its sub-agents where it is one
// of an agent that keeps these in files of their own.
func OfFile(path string) Session {
	s := Session{Path: path}
	if dir := filepath.Dir(path); filepath.Base(filepath.Dir(dir)) == "projects" && filepath.Ext(path) == ".jsonl" {
		entries, _ := os.ReadDir(dir)
		s.Agent, s.Parts = agents[0].name, subAgents(path, agentsBeside(dir, entries))
	}
	s.stat()
	return s
}

// Open reads the transcript, and those of its sub-agents after it, as one: the lines of the
// first are the lines of its file, and the others go on counting.
func (s Session) Open() (io.ReadCloser, error) {
	f, err := fsstore.OpenInput("", s.Path)
	if err != nil {
		return nil, err
	}
	m := &merged{rest: s.Parts, now: f, last: '\n'}
	return m, nil
}

// merged reads one file after another, with a line end between them.
type merged struct {
	rest []string
	now  io.ReadCloser
	last byte
}

func (m *merged) Read(p []byte) (int, error) {
	for m.now != nil {
		n, err := m.now.Read(p)
		if n > 0 {
			m.last = p[n-1]
			return n, nil
		}
		if err == nil {
			return 0, nil
		}
		if !errors.Is(err, io.EOF) {
			return 0, err
		}
		_ = m.now.Close()
		if m.now, err = m.next(); err != nil {
			return 0, err
		}
		if m.now != nil && m.last != '\n' && len(p) > 0 {
			p[0], m.last = '\n', '\n'
			return 1, nil
		}
	}
	return 0, io.EOF
}

// next opens the next file that is still there; nil when there is none.
func (m *merged) next() (io.ReadCloser, error) {
	for len(m.rest) > 0 {
		path := m.rest[0]
		m.rest = m.rest[1:]
		f, err := fsstore.OpenInput("", path)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, nil
}

func (m *merged) Close() error {
	if m.now == nil {
		return nil
	}
	return m.now.Close()
}
