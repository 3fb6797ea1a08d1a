package agent

// Transcripts says where an agent keeps its transcripts, and what a file says of its session.
type Transcripts struct {
	// Folders are those in which the agent keeps them, whether they exist or not.
	Folders func(e Environment) []string
	// Unread says why none of them can be read, for people; "" where they can. The functions
	// below are nil then.
	Unread string
	// Is reports whether a file in one of the folders can be the transcript of a session, by its
	// path.
	Is func(path string) bool
	// SubAgents makes a function that lists the transcripts of sub-agents by the path of their
	// session's, for an agent that keeps them by a rule and has one folder of sessions for each
	// project. The function may remember what folders hold. Nil for other agents.
	SubAgents func() func(path string) []string
	// Apart says that sub-agents have transcripts among those of the sessions, and that Member
	// tells which belong together.
	Apart bool
	// Place is where the session of a file worked.
	Place func(h *Heads, path string) Place
	// Member is what a file says of itself and the session it belongs to; nil where it is no
	// transcript of this agent. head is the beginning of the file, at most 4 KB, and is good
	// until the next use of h. Nil where no session has several files.
	Member func(h *Heads, path string, head []byte) *Member
}

// Session is the transcript of one session.
type Session struct {
	Path  string
	Parts []string // paths of the transcripts of its sub-agents
}

// Place is where a session worked, as far as its file says.
type Place struct {
	Dir     string   // recorded folder
	Remotes []string // recorded URLs of the repository
	Hash    string   // SHA-256 of the folder, in hexadecimal digits
	// Near reports whether the session worked in a folder, where no record says it; may be nil.
	Near func(root string) bool
}

// Member is a file that may belong to a session of several files.
type Member struct {
	IDs []string // by which other files may name it
	// Of are the ids of what a sub-agent's file is part of, the best one first. Nil for a session.
	Of []string
	// Later is one more such id, which takes reading to find; may be nil.
	Later   func() string
	Summary bool // the run only summed up the session
	// Weak says that the file may as well be another agent's: whoever is sure of it goes first.
	Weak bool
}
