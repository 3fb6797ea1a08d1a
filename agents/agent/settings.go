package agent

// Scope says whose settings setup changes.
type Scope string

// The scopes. User: the settings in the home folder, for this user alone. Project: the settings in
// the repository, which are usually in git and so apply to everybody who clones it.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// Part is a kind of settings that a file contains.
type Part string

// The parts that a settings file may contain.
const (
	HooksPart  Part = "hooks"
	ServerPart Part = "mcp"
	TextPart   Part = "text"
)

// File is a file of an agent's settings.
type File struct {
	Path  string // slash-separated and relative to the root in a repository; else absolute
	Parts []Part
}

// At returns the File at a path.
func At(path string, parts ...Part) File { return File{path, parts} }

// Settings says where an agent's settings are, and what setup writes there.
type Settings struct {
	Home     func(e Environment) string // the folder of the user's settings
	User     func(e Environment, home string) []File
	Project  []File
	Traces   []string // paths in a repository, any of which shows that the agent is used there
	Programs []string // names of the programs that start the agent
	// Notes returns what the user has to know or to do after setup; may be nil.
	Notes func(s Scope) []string

	// Flat says that the lists of hooks hold handlers instead of groups of handlers.
	Flat bool
	// Versioned says that a hooks file begins with a version.
	Versioned bool
	// Handler returns the settings entry of a hook, to be marshalled as JSON. Agents ask their users
	// for approval again when the bytes of the entry change, so they never do.
	Handler func(c Call) any
	// ServerType and ServerTools are the fields of the MCP server's entry besides its command.
	ServerType  string
	ServerTools []string
	// Reads names another agent whose hooks in a repository this agent runs as well. If those are
	// set up, this agent gets no entries of its own. "" if there is no such agent.
	Reads string
}

// Timeout is how long an agent waits for a hook, in seconds. The hook itself gives up after 1 s.
const Timeout = 5

// Call is the command that an agent runs at an event, in the forms that settings may need.
type Call struct {
	Event   string
	Tools   string // as in Event
	Scope   Scope
	Program string // the program to run, in the user's settings
	Args    []string
	// Line is the command line for sh; PowerShell and Cmd are those for the shells of Windows. In
	// the settings of a project they do nothing and succeed if the program is not installed. Cmd is
	// "" in the user's settings.
	Line, PowerShell, Cmd string
}
