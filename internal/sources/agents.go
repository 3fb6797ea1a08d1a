package sources

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Environment is what of the user's own the agents' folders depend on.
type Environment struct {
	Home   string
	Getenv func(string) string
}

// or is the value of a variable, or a folder below the home folder.
func (e Environment) or(variable string, below ...string) string {
	if v := e.Getenv(variable); filepath.IsAbs(v) {
		return v
	}
	return filepath.Join(append([]string{e.Home}, below...)...)
}

// agent is a program that leaves transcripts.
type agent struct {
	name    string
	format  string                         // of its transcripts, as package extract calls it
	folders func(e Environment) []string   // where they lie, if anywhere
	list    func(folder string) []Session  // what lies there: Path, Parts and Stat
	part    func(folder string) []Session  // the same of a folder below, where list is not nil
	can     func(path string) bool         // where list is nil: whether a file there can be a transcript
	apart   bool                           // sub-agents are listed as sessions of their own
	place   func(h *heads, path string) at // where a session worked
	note    string                         // why none of it can be read
}

// at is where a session worked, as far as its file says.
type at struct {
	dir     string   // recorded
	remotes []string // URLs of the repository, recorded
	hash    string   // SHA-256 of the folder
	near    func(root string) bool
}

// agents are all that are known, in the order in which they are shown.
var agents = []agent{
	{name: "claude", format: "claude-code", folders: claudeFolders, list: claudeSessions, part: claudeProject, place: recorded},
	{name: "codex", format: "codex", folders: codexFolders, can: func(path string) bool {
		return strings.HasSuffix(path, ".jsonl")
	}, apart: true, place: recorded},
	{name: "copilot", format: "copilot", folders: func(e Environment) []string {
		return []string{filepath.Join(e.or("COPILOT_HOME", ".copilot"), "session-state")}
	}, can: copilotFile, place: recorded},
	{name: "gemini", format: "gemini", folders: func(e Environment) []string {
		return []string{filepath.Join(e.or("GEMINI_CLI_HOME"), ".gemini", "tmp")}
	}, can: geminiFile, apart: true, place: geminiPlace},
	{name: "cursor", format: "cursor", folders: func(e Environment) []string {
		return []string{filepath.Join(e.Home, ".cursor", "projects")}
	}, can: func(path string) bool {
		return strings.HasSuffix(path, ".jsonl") && strings.Contains(filepath.ToSlash(path), "/agent-transcripts/")
	}, place: cursorPlace},
	{name: "opencode", format: "opencode", folders: func(e Environment) []string {
		return []string{filepath.Join(e.or("XDG_DATA_HOME", ".local", "share"), "opencode")}
	}, list: func(string) []Session { return nil }, note: "keeps them in a database, which is not read; `opencode export SESSION >FILE`, and then `episodes extract FILE`, takes one in"},
}

func claudeFolders(e Environment) []string {
	if own := e.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(own) {
		return []string{filepath.Join(own, "projects")}
	}
	return []string{filepath.Join(e.Home, ".claude", "projects"), filepath.Join(e.or("XDG_CONFIG_HOME", ".config"), "claude", "projects")}
}

func codexFolders(e Environment) []string {
	home := e.or("CODEX_HOME", ".codex")
	return []string{filepath.Join(home, "sessions"), filepath.Join(home, "archived_sessions")}
}

func copilotFile(path string) bool {
	dir, name := filepath.Split(path)
	return name == "events.jsonl" || strings.HasSuffix(name, ".jsonl") && filepath.Base(dir) == "session-state"
}

func geminiFile(path string) bool {
	ext := filepath.Ext(path)
	return (ext == ".json" || ext == ".jsonl") && strings.Contains(filepath.ToSlash(path), "/chats/")
}

// sessions lists what lies in a folder of the agent. Links are not followed.
func (a agent) sessions(folder string) (out []Session) {
	if a.list != nil {
		return a.list(folder)
	}
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && a.can(path) {
			out = append(out, Session{Path: path})
		}
		return nil
	})
	return out
}

// claudeSessions lists the sessions of all projects, with the files of their sub-agents.
func claudeSessions(folder string) (out []Session) {
	projects, _ := os.ReadDir(folder)
	var s SubAgents
	for _, p := range projects {
		out = append(out, claudeIn(filepath.Join(folder, p.Name()), &s)...)
	}
	return out
}

// claudeProject lists the sessions of one project.
func claudeProject(dir string) []Session { return claudeIn(dir, &SubAgents{}) }

func claudeIn(dir string, s *SubAgents) (out []Session) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); e.Type().IsRegular() && isClaude(path) {
			out = append(out, Session{Path: path, Parts: s.Of(path)})
		}
	}
	return out
}

// isClaude reports whether a file can be a session of Claude Code, by its name.
func isClaude(path string) bool {
	return strings.HasSuffix(path, ".jsonl") && !strings.HasPrefix(filepath.Base(path), agentPrefix)
}

const (
	agentPrefix  = "agent-"
	compactAgent = "agent-acompact-" // a run that makes a summary: no work
)

// isAgent reports whether a file of Claude Code is of a sub-agent.
func isAgent(d fs.DirEntry) bool {
	name := d.Name()
	return d.Type().IsRegular() && strings.HasPrefix(name, agentPrefix) && !strings.HasPrefix(name, compactAgent) && strings.HasSuffix(name, ".jsonl")
}

// SubAgents finds the transcripts of sub-agents by where Claude Code keeps them. It looks at
// each folder once.
type SubAgents struct {
	beside map[string]map[string][]string // by folder and session
}

// Of lists the files of the sub-agents of the session whose transcript is at a path: in a
// folder of the session's name, or beside it. None where it is no transcript of Claude Code.
func (s *SubAgents) Of(path string) []string {
	if !isClaude(path) {
		return nil
	}
	dir, session := filepath.Dir(path), strings.TrimSuffix(filepath.Base(path), ".jsonl")
	if s.beside == nil {
		s.beside = map[string]map[string][]string{}
	}
	beside, known := s.beside[dir]
	if !known {
		beside = agentsBeside(dir)
		s.beside[dir] = beside
	}
	out := slices.Clone(beside[session])
	_ = filepath.WalkDir(filepath.Join(dir, session, "subagents"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && isAgent(d) {
			out = append(out, path)
		}
		return nil
	})
	slices.Sort(out)
	return out
}

// agentsBeside lists the files of sub-agents that lie among the sessions, by the session
// that each names.
func agentsBeside(dir string) map[string][]string {
	out := map[string][]string{}
	var h *heads
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !isAgent(e) {
			continue
		}
		if h == nil {
			h = newHeads()
		}
		path := filepath.Join(dir, e.Name())
		session := h.until(path, func(l *line) bool { return l.SessionID != "" }).SessionID
		out[session] = append(out[session], path)
	}
	return out
}

// recorded is where a session worked by the first record that says so. The name of the
// folder that it lies in is not asked: several folders have one name there.
func recorded(h *heads, path string) (a at) {
	l := h.until(path, func(l *line) bool { return l.dir() != "" })
	a.dir = l.dir()
	for _, url := range []string{l.Payload.Git.URL, l.Git.URL} {
		if url != "" {
			a.remotes = append(a.remotes, url)
		}
	}
	return a
}

var projectHash = regexp.MustCompile(`"projectHash"\s*:\s*"([0-9a-f]{64})"`)

// geminiPlace reads the hash of the folder, and the file in which newer versions keep the
// folder itself.
func geminiPlace(h *heads, path string) (a at) {
	if found := projectHash.FindSubmatch(h.begin(path)); found != nil {
		a.hash = string(found[1])
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "chats" {
			a.dir = strings.TrimSpace(string(h.begin(filepath.Join(filepath.Dir(dir), ".project_root"))))
			return a
		}
		if dir == filepath.Dir(dir) {
			return a
		}
	}
}

var noName = regexp.MustCompile(`[^A-Za-z0-9]+`)

// cursorPlace has no record to go by: the folder's name must fit, and the session must speak
// of a file in the repository.
func cursorPlace(h *heads, path string) at {
	_, below, _ := strings.Cut(filepath.ToSlash(path), "/.cursor/projects/")
	project, _, _ := strings.Cut(below, "/")
	var head []byte
	return at{near: func(root string) bool {
		name := strings.Trim(noName.ReplaceAllString(root, "-"), "-")
		if name != strings.Trim(noName.ReplaceAllString(project, "-"), "-") {
			return false
		}
		if head == nil {
			head = slices.Clone(h.begin(path))
		}
		return bytes.Contains(head, []byte(root+string(filepath.Separator)))
	}}
}

// dir is the work folder in a record of any agent.
func (l *line) dir() string {
	return cmp.Or(l.Cwd, l.Payload.Cwd, l.Data.Context.Cwd, l.inText)
}
