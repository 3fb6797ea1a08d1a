package setup

import (
	"path/filepath"
	"regexp"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/lazy"
)

// Scope is whose settings are wired.
type Scope = agent.Scope

// The scopes.
const (
	User    = agent.User
	Project = agent.Project
)

// Hooks and servers are known by their command lines: no format has a place for marks. Agents
// remember by their bytes which lines a person has trusted, and ask again when one changes. So
// the lines below never change, in any version of the program: TestFrozenLines pins
// them. To change one, add a new form and keep the old one in lineForms.
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

// group is how most agents have handlers in their settings.
type group struct {
	Matcher string `json:"matcher,omitempty"`
	Hooks   []any  `json:"hooks"`
}

// entry is what is added to the list of an event. exe is the program that the user's own
// settings call.
func entry(a *agent.Agent, e agent.Event, scope Scope, exe string) any {
	words := []string{"hook", a.Name, e.Name}
	call := strings.Join(words, " ")
	direct := word(exe) + " " + call
	c := agent.Call{Event: e.Name, Tools: e.Tools, Scope: scope, Program: exe, Args: words, Line: direct, PowerShell: direct}
	if scope == Project {
		c.Line, c.PowerShell, c.Cmd = guard+call, guardPwsh+call+guardPwshEnd, guardCmd+call+guardCmdEnd
	}
	h := a.Settings.Handler(c)
	if a.Settings.Flat {
		return h
	}
	return group{e.Tools, []any{h}}
}

// server is the MCP server as an agent's settings have it.
type server struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Tools   []string `json:"tools,omitempty"`
}

func serverOf(a *agent.Agent, exe string) server {
	return server{Type: a.Settings.ServerType, Command: exe, Args: []string{"mcp"}, Tools: a.Settings.ServerTools}
}

// ours reports whether a server is the one that setup adds, as far as it is read here.
func (s server) ours(own string) bool { return s.asks(own) && len(s.Args) == 1 }

// asks reports whether a server is this program, also with arguments that a user gave it.
func (s server) asks(own string) bool {
	return len(s.Args) > 0 && s.Args[0] == "mcp" && isProgram(s.Command, own)
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

// read returns what a handler calls; ok is false if it is not one of ours.
func (h handler) read(own string) (c call, ok bool) {
	if len(h.Args) == 3 && h.Args[0] == "hook" && isProgram(h.Command, own) {
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
			if c.exe = strings.Trim(m[1], `'"`); !isProgram(c.exe, own) {
				return call{}, false
			}
		}
		return c, true
	}
	return c, false
}

// isProgram reports whether a command is this program: by its name, with a version behind it or
// not, or by own, which is the name of the file that runs now.
func isProgram(command, own string) bool {
	base := baseOf(command)
	return named().MatchString(base) || base == own && own != ""
}

// named matches the names under which releases come.
var named = lazy.Pattern(`^` + program + `([-_]v?[0-9]+(\.[0-9]+)*)?$`)

// baseOf is the name of the file of a command, without ".exe".
func baseOf(command string) string {
	return strings.TrimSuffix(command[strings.LastIndexAny(command, `/\`)+1:], ".exe")
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
