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
			all = append(all, a.list(folder)...)
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
