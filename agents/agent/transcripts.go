package agent

import (
	"cmp"

	"episodes/internal/turns"
)

// Transcripts says where an agent keeps its transcripts, and finds the session of a file.
type Transcripts struct {
	// Folders returns the folders in which the agent keeps them, whether they exist or not.
	Folders func(e Environment) []string
	// Note says which sessions cannot be found there, for people; "" if there are none.
	Note string
	// Is reports, by the path alone, whether a file in one of the folders can be the transcript of
	// a session.
	Is func(path string) bool
	// Export returns the command that prints the transcript of a session, for an agent that keeps none
	// in files, or nil if the id, which is untrusted, is not that of a session. What is printed goes
	// to a file in the first of the folders. Nil for other agents.
	Export func(id string) []string
	// SubAgents returns a function that lists the transcripts of the sub-agents of the session at a
	// path. It is for agents whose folders and file names show them, with one folder of sessions
	// for each project. The function may cache folder listings. Nil for other agents.
	SubAgents func() func(path string) []string
	// Apart says that the transcripts of sub-agents are files among those of the sessions, and that
	// Member returns the ids which connect them.
	Apart bool
	// Place returns where the session of a file worked.
	Place func(h *Heads, path string) Place
	// Member returns the ids of a file and of the session it belongs to; nil if the file is not a
	// transcript of this agent. head is the beginning of the file, at most 4 KB, valid until the
	// next use of h. Member is nil if no session of this agent has several files.
	Member func(h *Heads, path string, head []byte) *Member
}

// Session is the transcript of one session.
type Session struct {
	Path  string
	Parts []string // paths of the transcripts of its sub-agents
}

// Place is where a session worked, as far as its file records it.
type Place struct {
	Dir     string   // recorded folder
	Remotes []string // recorded URLs of the repository
	Hash    string   // SHA-256 of the folder, in hexadecimal digits
	// Near guesses whether the session worked in a folder, if no record names it; may be nil.
	Near func(root string) bool
}

// FirstFolder is where a session worked by the first record of its file that has a member "cwd", itself or in the
// context of its data.
func FirstFolder(h *Heads, path string) (p Place) {
	h.Lines(path, func(line []byte) bool {
		var r struct {
			Cwd  string
			Data struct{ Context struct{ Cwd string } }
		}
		turns.Decode(line, &r)
		p.Dir = cmp.Or(r.Cwd, r.Data.Context.Cwd)
		return p.Dir != ""
	})
	return p
}

// Member is a file that may belong to a session of several files.
type Member struct {
	IDs []string // ids by which other files may refer to it
	// Of lists the ids of the session or agent that started a sub-agent, the best match first. It is
	// nil for a session.
	Of []string
	// Later reads the file for one more such id; may be nil.
	Later   func() string
	Summary bool // the run only summarized the session
	// Weak says that the file may belong to another agent. An agent that is certain has priority.
	Weak bool
}
