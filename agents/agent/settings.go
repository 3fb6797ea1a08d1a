package agent

// Scope says whose settings are wired.
type Scope string

// The scopes. User: the settings in the home folder, which nobody else has. Project: those in the
// repository, which mostly are in git, so that all who clone it get them.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// Part is what one file of settings is for.
type Part string

// The parts that a file may have.
const (
	HooksPart  Part = "hooks"
	ServerPart Part = "mcp"
	TextPart   Part = "text"
)

// File is a file of an agent's settings.
type File struct {
	Path  string // in a repository relative to its root, with slashes; else absolute
	Parts []Part
}

// At is the file at a path.
func At(path string, parts ...Part) File { return File{path, parts} }

// Settings says where an agent's settings are, and what is written there.
type Settings struct {
	Home     func(e Environment) string // the folder of the user's settings
	User     func(e Environment, home string) []File
	Project  []File
	Traces   []string // in a repository: where the agent is used, one of them is there
	Programs []string // by which it is started
	// Notes are what a person has to know or to do after wiring; may be nil.
	Notes func(s Scope) []string

	// Flat says that the lists of hooks hold handlers, not groups of them.
	Flat bool
	// Versioned says that a file of hooks begins with a version.
	Versioned bool
	// Handler is what stands in the settings for a call; it is marshalled as JSON. Agents ask
	// their users again when its bytes change, so it never does.
	Handler func(c Call) any
	// ServerType and ServerTools are what the entry of the MCP server has besides its command.
	ServerType  string
	ServerTools []string
	// Reads names another agent whose hooks in a repository this one runs as well, so that it
	// gets none of its own next to them; "": none.
	Reads string
}

// Timeout is how long an agent is to wait for a hook, in seconds. A hook itself gives up after one.
const Timeout = 5

// Call is a call of this program at an event, in the forms that settings may need.
type Call struct {
	Event   string
	Tools   string // as in Event
	Scope   Scope
	Program string // that the user's settings call
	Args    []string
	// Line is the command line for sh, PowerShell and Cmd are those for the shells of Windows.
	// Those of a project do nothing, and succeed, where the program is not installed. Cmd is ""
	// in the user's settings.
	Line, PowerShell, Cmd string
}
