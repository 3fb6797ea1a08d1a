// Package turns is the common model of agent transcripts: a Turn is a message, a tool call, a
// tool result or an interruption, in the order of the file. The package knows no format.
//
// Data moves in one direction. A caller wraps a file in a Reader and passes it to Format.Read,
// which lives in the package of the format. Read fills in Reader.Session and passes each turn to
// Reader.Put, which redacts and clips its texts and hands it to the caller. Records that could not
// be read become diagnostics, see Reader.Remarks. extract/actions turns the turns into facts.
//
//	turns.go      Format, Session, Turn, ToolCall, ToolResult
//	input.go      Reader: lines, turns, diagnostics
//	records.go    a file of JSON lines
//	document.go   a file that is one JSON value, read as a stream
//	head.go       detection of a format by its first lines
//	shape.go      detection of a format by the members of its JSON
//	content.go    JSON values that have several forms
//	calls.go      tool names and arguments that many agents share
//	unnamed.go    calls of tools that no table names
//	command.go    command lines and patches
//	headed.go     lines that tools put before an output
//	questions.go  questions to the user
//	clip.go       limits on the size of a text
//	text.go       a long text, collected line by line
package turns

import (
	"regexp"
	"slices"

	"episodes/episode"
)

// Format is a transcript format: the log that an agent writes while it works.
type Format struct {
	Name   string                 // in episodes; never changes
	Title  string                 // for people
	Detect func(head []byte) bool // whether head is the beginning of a file in this format
	// Starts matches the first line of a session, with an empty line before it. Of a file with several each is read for
	// itself; nil: a file is one session.
	Starts func() *regexp.Regexp
	// Read passes the turns of a file to Reader.Put, in the order of the file. It reads the input
	// as a stream. It does not judge from an output whether a call succeeded. It returns
	// the error that ended the reading, see Reader.Err.
	Read func(*Reader) error
}

// Session describes the session that a transcript records. The format fills it in while it reads,
// so that it is complete only after Format.Read has returned.
type Session struct {
	ID       string   // the session's own id; "" when it has none
	Parent   string   // of a sub-agent's transcript: the session
	Agent    string   // of a sub-agent's transcript: its id
	Dir      string   // working directory; "" if it is not recorded
	Branches []string // git branches in which it worked
	Task     string   // the id of its task; "" if it has none
	Started  string   // RFC 3339; "" if it is not recorded
	Title    string   // of this session, not of another one; "" if it has none
	Unit     string   // of spans: "" (lines), "step", "message", "part"
	// Tokens are those that the model read and wrote, Cost is in US dollars. Both are 0 if they are
	// not recorded.
	Tokens int
	Cost   float64
	// NoResults says that the format does not record the results of calls, so that no call may be
	// taken for successful.
	NoResults bool
	// Cut says that the file ends before the session does. A check that failed may have been mended since.
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

// The roles. Text that neither a human typed nor an agent showed (injected context, metadata,
// summaries of a compaction, thinking) is not a turn.
const (
	User   Role = iota // a human: Text
	Agent              // visible words of the agent: Text
	Call               // a tool call: Call
	Result             // the result of a tool call: Result
	Stop               // the human stopped the agent
)

// Turn is one event of a session, with its position in the file.
type Turn struct {
	Role   Role
	At     episode.Span
	Time   string // RFC 3339; "" if not recorded
	Sub    string // the sub-agent; "" for the session's own agent
	Text   string
	Lines  []int // of the file, for each line of Text, or of that of Result; nil: not known
	Call   *ToolCall
	Result *ToolResult
}

// Tool is the kind of a tool. It does not depend on the name that an agent gives the tool.
type Tool uint8

// The kinds of tools.
const (
	Other    Tool = iota // also tools of a server, and the fetching of pages
	Shell                // runs Command
	Edit                 // parts of Files: Old and New, or New for a patch
	Write                // writes Files whole: New
	Read                 // reads Files
	Search               // looks for Text in files or on the web
	Ask                  // asks the human: Text
	Delegate             // gives Text to a sub-agent
	Plan                 // keeps the agent's own list of things to do
)

// ToolCall is a call of a tool.
type ToolCall struct {
	ID      string // of its result; "": the next result
	Name    string // of the tool, as the agent spells it
	Tool    Tool
	Command string
	Dir     string // where Command runs, if the call says so
	Outside bool   // Command runs outside of the agent's sandbox
	Files   []string
	Old     string
	New     string
	Text    string   // any other argument that describes the call
	Options []string // the answers that an Ask offers
	Dropped bool     // may change a file, but not parsed
}

// State is the outcome of a call according to the fields of its result. The text of the result
// is not considered.
type State uint8

// The states.
const (
	Unsaid  State = iota // the format does not say; the text may
	OK                   // it did what it was to do
	Failed               // it did not
	Refused              // refused by the human: Said may have the reason
	NotRun               // a sibling failed, or it was cancelled
	Running              // ends with a later result of the same ID
	Empty                // no match, files that differ: not a failure
)

// ToolResult is the result of a tool call. A record of a change that was made is OK. A call
// without a result proves nothing.
type ToolResult struct {
	ID     string
	State  State
	Exit   *int   // exit code; nil when the record does not give one
	Text   string // the output of the tool, see Clip
	Said   string // the human's reason or answer
	Commit string // hash of the commit, if a field names it
}

// Exited returns a pointer to an exit code, for ToolResult.Exit.
func Exited(code int) *int { return &code }
