// Package turns is what the transcripts of all agents have in common: who said what, what
// was called, and what came back, in the order of the file. It knows no format; each
// format is a package that makes turns of its bytes, and extract/actions makes facts of
// turns.
package turns

import (
	"slices"

	"episodes/episode"
)

// Session is what a transcript says of itself. A format fills it in as it reads.
type Session struct {
	ID       string   // the session's own id; "" when it has none
	Parent   string   // of a sub-agent's own transcript: the id of the session that it is part of
	Agent    string   // of a sub-agent's own transcript: the id of the sub-agent
	Dir      string   // where it worked; "" when it does not say
	Branches []string // of git, in which it worked
	Task     string   // the id of the task that it was given; "" where it has none
	Started  string   // RFC 3339; "" when it does not say
	Title    string   // of this session, not of another one; "" when it has none
	Unit     string   // what spans count: "" (lines), "step", "message" or "part"
	// Tokens of the model, read and written, and what they cost in US dollars; 0 where it does
	// not say.
	Tokens int
	Cost   float64
	// NoResults says that the format does not record the results of calls, so that no call may be
	// taken for successful.
	NoResults bool
	// Cut says that the file ends before the session does, so that its outcome is unknown.
	Cut bool
}

// On adds a branch of git in which the session worked.
func (s *Session) On(branch string) {
	if branch != "" && !slices.Contains(s.Branches, branch) {
		s.Branches = append(s.Branches, branch)
	}
}

// Role says whose turn it is.
type Role uint8

// The roles. What no human typed and no agent said (injected context, meta records,
// summaries of a compaction, thinking) is no turn.
const (
	User   Role = iota // a human: Text
	Agent              // visible words of the agent: Text
	Call               // a call of a tool: Call
	Result             // what came of one: Result
	Stop               // the human stopped the agent
)

// Turn is one thing that happened, where the file has it.
type Turn struct {
	Role   Role
	At     episode.Span
	Time   string // RFC 3339; "" when it is not known: none is made up
	Sub    string // the sub-agent whose turn it is; "" for the session's own agent
	Text   string
	Call   *ToolCall
	Result *ToolResult
}

// Tool is the kind of a tool, whatever the agent calls it.
type Tool uint8

// The kinds of tools.
const (
	Other    Tool = iota // also tools of a server, and the fetching of pages
	Shell                // runs Command
	Edit                 // changes parts of Files: Old and New, or New alone for a patch
	Write                // writes Files whole: New
	Read                 // reads Files
	Search               // looks for Text in files or on the web
	Ask                  // asks the human: Text
	Delegate             // gives Text to a sub-agent
	Plan                 // keeps the agent's own list of things to do
)

// ToolCall is a call of a tool.
type ToolCall struct {
	ID      string // joins it with its result; "" when the next result is its own
	Name    string // of the tool, as the agent spells it
	Tool    Tool
	Command string
	Dir     string // where Command runs, if the call says so
	Outside bool   // Command runs outside of the agent's sandbox
	Files   []string
	Old     string
	New     string
	Text    string   // any other argument that tells what it is about
	Options []string // the answers that an Ask offers
	Dropped bool     // it may change a file, and its arguments are not understood
}

// State is what a result says of its call, before anybody reads its text.
type State uint8

// The states.
const (
	Unsaid  State = iota // the format does not say; the text may
	OK                   // it did what it was to do
	Failed               // it did not
	Refused              // the human did not allow it: Said has the reason, if one was given
	NotRun               // it never ran: a sibling failed, or it was cancelled
	Running              // it has not ended; the end comes with a later result of the same ID
	Empty                // a search without a match, files that differ: no failure, whatever the exit code
)

// ToolResult is what came of a call.
type ToolResult struct {
	ID     string
	State  State
	Exit   *int   // exit code; nil when the record does not give one
	Text   string // what the tool put out; beginning and end of a long one, see Clip
	Said   string // words of the human: why the call was refused, or what was answered
	Commit string // hash of the commit that was made, where the record says so in a field
}

// Exited is an exit code.
func Exited(code int) *int { return &code }
