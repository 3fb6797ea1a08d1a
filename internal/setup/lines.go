package setup

import (
	"path/filepath"
	"regexp"
	"strings"

	"episodes/internal/lazy"
)

// Scope is whose settings are wired.
type Scope string

// The scopes. User: the settings in the home folder, which nobody else has. Project: those
// in the repository, which mostly are in git, so that all who clone it get them.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// Hooks and servers are known by their command lines: no format has a place for marks. Agents
// remember by their bytes which lines a person has trusted, and ask again when one changes. So
// the lines below never change, whatever the version of the program: TestFrozenLines pins
// them. Who has to change one adds a new form, and keeps the old in lineForms.
const (
	program = "episodes"

	// Of a project, so it must do nothing, and succeed, where the program is not installed.
	guard        = "command -v episodes >/dev/null 2>&1 || exit 0; exec episodes "
	guardPwsh    = "if (Get-Command episodes -ErrorAction SilentlyContinue) { $input | episodes "
	guardPwshEnd = " }"
	guardCmd     = "where /q episodes && episodes "
	guardCmdEnd  = " & exit /b 0"

	serverName = "episodes"
)

// event is one moment at which an agent is to call.
type event struct {
	name    string
	matcher string // the tools that it is about, as the agent spells them; "": no choice
}

// The tools before which, and after which, there is something to tell. Tools that read,
// search or plan are left out, since each call starts a process.
const (
	claudeActs = "Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit"
	claudeRuns = "Bash|PowerShell"
)

// timeout is how long an agent waits for a hook, in seconds. A hook itself gives up after one.
// Claude Code gives all hooks of SessionEnd together 1.5 s, unless settings ask for more;
// Codex cuts SessionEnd to 3 s.
const timeout = 5

// events are the moments of each agent. Those at which the answer of a hook is dropped, and
// nothing is taken in, are left out.
var events = map[string][]event{
	"claude": {{"SessionStart", ""}, {"UserPromptSubmit", ""}, {"PreToolUse", claudeActs}, {"PostToolUse", claudeRuns},
		{"PostToolUseFailure", claudeRuns}, {"SubagentStop", ""}, {"Stop", ""}, {"SessionEnd", ""}},
	"codex": {{"SessionStart", ""}, {"UserPromptSubmit", ""}, {"PreToolUse", "Bash|apply_patch"}, {"PostToolUse", "Bash"},
		{"SubagentStop", ""}, {"Stop", ""}, {"SessionEnd", ""}},
	"copilot": {{"sessionStart", ""}, {"postToolUse", ""}, {"postToolUseFailure", ""}, {"agentStop", ""}, {"subagentStop", ""}, {"sessionEnd", ""}},
	"cursor": {{"sessionStart", ""}, {"preToolUse", "Shell|Write"}, {"postToolUse", "Shell"}, {"postToolUseFailure", "Shell"},
		{"stop", ""}, {"subagentStop", ""}, {"sessionEnd", ""}},
	"gemini": {{"SessionStart", ""}, {"BeforeAgent", ""}, {"AfterTool", "run_shell_command"}, {"AfterAgent", ""}, {"SessionEnd", ""}},
}

// Handlers are what stands in settings for one event.
type (
	claudeHandler struct {
		Type    string   `json:"type"`
		Command string   `json:"command"`
		Args    []string `json:"args,omitempty"`
		Timeout int      `json:"timeout"`
	}
	codexHandler struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Windows string `json:"commandWindows,omitempty"`
		Timeout int    `json:"timeout"`
	}
	copilotHandler struct {
		Type       string `json:"type"`
		Bash       string `json:"bash"`
		PowerShell string `json:"powershell"`
		Timeout    int    `json:"timeoutSec"`
	}
	cursorHandler struct {
		Command string `json:"command"`
		Matcher string `json:"matcher,omitempty"`
		Timeout int    `json:"timeout"`
	}
	geminiHandler struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Name    string `json:"name"`
		Timeout int    `json:"timeout"` // milliseconds
	}
	// group is how most agents have handlers in their settings.
	group struct {
		Matcher string `json:"matcher,omitempty"`
		Hooks   []any  `json:"hooks"`
	}
)

// entry is what is added to the list of an event. exe is the program that the user's own
// settings call.
func entry(agent string, e event, scope Scope, exe string) any {
	call := "hook " + agent + " " + e.name
	direct := word(exe) + " " + call
	line := direct
	if scope == Project {
		line = guard + call
	}
	switch agent {
	case "claude":
		h := claudeHandler{Type: "command", Command: line, Timeout: timeout}
		if scope == User { // run without a shell
			h.Command, h.Args = exe, []string{"hook", agent, e.name}
		}
		return group{e.matcher, []any{h}}
	case "codex":
		h := codexHandler{Type: "command", Command: line, Timeout: timeout}
		if e.name == "SessionEnd" {
			h.Timeout = 3
		}
		if scope == Project {
			h.Windows = guardCmd + call + guardCmdEnd
		}
		return group{e.matcher, []any{h}}
	case "gemini":
		return group{e.matcher, []any{geminiHandler{"command", line, program, timeout * 1000}}}
	case "copilot":
		h := copilotHandler{"command", line, direct, timeout}
		if scope == Project {
			h.PowerShell = guardPwsh + call + guardPwshEnd
		}
		return h
	}
	return cursorHandler{line, e.matcher, timeout}
}

// server is the MCP server as an agent's settings have it.
type server struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Tools   []string `json:"tools,omitempty"`
}

func serverOf(agent, exe string) server {
	s := server{Command: exe, Args: []string{"mcp"}}
	switch agent {
	case "claude", "cursor":
		s.Type = "stdio"
	case "copilot":
		s.Type, s.Tools = "local", []string{"*"}
	}
	return s
}

// ours reports whether a server is the one that setup adds, as far as it is read here.
func (s server) ours() bool { return s.asks() && len(s.Args) == 1 }

// asks reports whether a server is this program, also with arguments that a user gave it.
func (s server) asks() bool {
	return len(s.Args) > 0 && s.Args[0] == "mcp" && isProgram(s.Command)
}

// handler is what is read of a handler of any agent.
type handler struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Bash    string   `json:"bash"`
}

// call is what a handler of ours says.
type call struct {
	agent, event string
	scope        Scope  // to which its form belongs
	exe          string // the program; "": looked for by the shell
}

// lineForms are the forms of all versions.
var lineForms = []struct {
	scope Scope
	form  func() *regexp.Regexp // its last two groups are agent and event
}{
	{Project, lazy.Pattern(`^` + regexp.QuoteMeta(guard) + `hook ([a-z]+) ([A-Za-z]+)$`)},
	{User, lazy.Pattern(`^(\S+|'[^']+'|"[^"]+") hook ([a-z]+) ([A-Za-z]+)$`)},
}

// read tells what a handler calls; ok is false where it is none of ours.
func (h handler) read() (c call, ok bool) {
	if len(h.Args) == 3 && h.Args[0] == "hook" && isProgram(h.Command) {
		return call{h.Args[1], h.Args[2], User, h.Command}, true
	}
	line := h.Command + h.Bash // there is only one of them
	if len(h.Args) > 0 {
		return c, false
	}
	for _, f := range lineForms {
		m := f.form().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		c = call{agent: m[len(m)-2], event: m[len(m)-1], scope: f.scope}
		if f.scope == User {
			if c.exe = strings.Trim(m[1], `'"`); !isProgram(c.exe) {
				return call{}, false
			}
		}
		return c, true
	}
	return c, false
}

// isProgram reports whether a command is this program, by its name.
func isProgram(command string) bool {
	base := command[strings.LastIndexAny(command, `/\`)+1:]
	return strings.TrimSuffix(base, ".exe") == program
}

// word is a path as one word of a command line.
func word(path string) string {
	if plainWord().MatchString(path) {
		return path
	}
	if filepath.Separator == '\\' || strings.Contains(path, "'") {
		return `"` + path + `"`
	}
	return "'" + path + "'"
}

var plainWord = lazy.Pattern(`^[A-Za-z0-9_./:@%+=\\-]+$`)
