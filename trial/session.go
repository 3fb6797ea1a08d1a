package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/extract"
	"episodes/extract/actions"
	"episodes/internal/turns"
)

// session is one session of a history.
type session struct {
	name, file string // the name of the file without its extension, and its path
	data       []byte
	id, branch string
	began      time.Time
	agent      *agent.Agent // that keeps the transcript in a folder of its own; nil: a log in the repository
	folders    []string     // in which it worked, on the machine where it ran
	events     []event
}

// event is a call of a hook of Claude Code.
type event struct {
	Line    int            `json:"line"` // of the session's file
	Hook    string         `json:"hook"`
	Tool    string         `json:"tool,omitempty"`
	payload map[string]any // without what all have
}

// again reports whether a session goes on after a compaction: it is told its own state and its brief once more.
func (e *event) again() bool { return e.payload["source"] == "compact" }

// history reads the sessions below a folder in the order of their times. What is no log, and transcripts of sub-agents, are left out.
func history(dir string) (out []*session) {
	if below, err := filepath.EvalSymlinks(filepath.Join(dir, "sessions")); err == nil {
		dir = below
	}
	check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && slices.Contains([]string{".jsonl", ".md"}, filepath.Ext(path)) && d.Name() != labelFile {
			if s := read(path); len(s.events) > 2 {
				out = append(out, s)
			}
		}
		return err
	}))
	if len(out) == 0 {
		check(fmt.Errorf("no sessions in %q", dir))
	}
	slices.SortStableFunc(out, func(a, b *session) int { return cmp.Or(a.began.Compare(b.began), cmp.Compare(a.file, b.file)) })
	return out
}

// read reads a session. What is none has no events but its start and end.
func read(path string) *session {
	base := filepath.Base(path)
	s := &session{name: strings.TrimSuffix(base, filepath.Ext(base)), file: path, data: must(os.ReadFile(path)), branch: "main"}
	s.id = "trial-" + s.name
	s.add(1, "SessionStart", "", map[string]any{"source": "startup"})
	formats := agents.Which(func(a *agent.Agent) bool { return a.Format != nil && a.Transcripts != nil && a.Format.Detect(s.data) })
	if len(formats) > 0 {
		s.agent = formats[0]
		r := turns.NewReader(bytes.NewReader(s.data), s.turn())
		check(s.agent.Format.Read(r))
		if r.Session.Agent != "" {
			return &session{}
		}
		s.id, s.branch = cmp.Or(r.Session.ID, s.id), append(r.Session.Branches, s.branch)[0]
		s.began, _ = time.Parse(time.RFC3339, r.Session.Started)
		s.beside()
	} else if filepath.Ext(path) == ".md" { // its task is the only prompt that a log shows
		e := must(extract.New(extract.Vocabulary{}).Read(extract.Source{Path: base}, bytes.NewReader(s.data))).Episode
		s.began, _ = time.Parse(time.DateOnly, e.Timestamp[:min(len(time.DateOnly), len(e.Timestamp))])
		s.prompt(1, e.Task)
	}
	if s.began.IsZero() {
		s.began = must(os.Stat(path)).ModTime().UTC()
	}
	slices.SortStableFunc(s.events, func(a, b event) int { return a.Line - b.Line })
	s.add(s.events[len(s.events)-1].Line, "SessionEnd", "", map[string]any{"reason": "other"})
	return s
}

func (s *session) add(line int, hook, tool string, payload map[string]any) {
	s.events = append(s.events, event{line, hook, tool, payload})
}

func (s *session) prompt(line int, text string) {
	if text != "" {
		s.add(line, "UserPromptSubmit", "", map[string]any{"prompt": text})
	}
}

// beside finds what is no turn: compactions, commands of the user's own without arguments, which the agent expands, and the folders in
// which the session worked, without those below another one.
func (s *session) beside() {
	var dirs []string
	n := 0
	for line := range bytes.Lines(s.data) {
		if n++; compacted.Match(line) {
			s.add(n, "SessionStart", "", map[string]any{"source": "compact"})
		}
		if m := command.FindSubmatch(line); m != nil && !slices.ContainsFunc(s.events, func(e event) bool { return e.Line == n && e.Hook == "UserPromptSubmit" }) {
			s.prompt(n, string(m[1]))
		}
		if m := cwd.FindSubmatch(line); m != nil {
			var dir string
			check(json.Unmarshal(m[1], &dir))
			dirs = append(dirs, dir)
		}
	}
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) })
	for _, dir := range slices.Compact(dirs) {
		if len(dir) > 3 && !slices.ContainsFunc(s.folders, func(f string) bool { return strings.HasPrefix(dir, f+"/") || strings.HasPrefix(dir, f+`\`) }) {
			s.folders = append(s.folders, dir)
		}
	}
}

var (
	compacted = regexp.MustCompile(`"subtype": ?"compact_boundary"|^\{.{0,80}"type": ?"compacted"`)
	command   = regexp.MustCompile(`"(?:content|text)": ?"<command-message>[^<]*</command-message>\\n<command-name>(/[^<]*)</command-name>`)
	cwd       = regexp.MustCompile(`"cwd": ?("(?:[^"\\]|\\["\\/])*")`)
)

// here is JSON text with a folder in place of those in which the session worked.
func (s *session) here(data []byte, dir string) []byte {
	for _, f := range s.folders {
		quoted := must(json.Marshal(f))
		whole := regexp.MustCompile(`(^|[^\w.~/-]|\\[nrt])` + regexp.QuoteMeta(string(quoted[1:len(quoted)-1])) + `(\.?(?:[^\w.-]|$))`)
		for range 2 { // what separates two of them belongs to the first
			data = whole.ReplaceAll(data, []byte("${1}"+strings.ReplaceAll(dir, "$", "$$")+"${2}"))
		}
	}
	return data
}

// planMark begins the prompt that Claude Code submits for a plan that its user accepted. To the reader of transcripts these are words of
// the agent.
const planMark = "Implement the following plan:"

// turn returns what adds the hook events of a turn.
func (s *session) turn() func(turns.Turn) error {
	calls, last, subs := map[string]map[string]any{}, "", map[string]bool{}
	return func(t turns.Turn) error {
		line := t.At[0]
		if t.Sub != "" && !subs[t.Sub] {
			subs[t.Sub] = true
			s.add(line, "SubagentStart", "", map[string]any{"agent_id": t.Sub, "agent_type": "general-purpose"})
		}
		switch {
		case t.Role == turns.User, t.Role == turns.Agent && strings.HasPrefix(t.Text, planMark):
			s.prompt(line, t.Text)
		case t.Role == turns.Call:
			last = cmp.Or(t.Call.ID, fmt.Sprint("call-", line))
			tool := cmp.Or(tools[t.Call.Tool], t.Call.Name)
			calls[last] = map[string]any{"tool_name": tool, "tool_input": input(t.Call), "tool_use_id": last}
			if t.Sub != "" {
				calls[last]["agent_id"] = t.Sub
			}
			s.add(line, "PreToolUse", tool, calls[last])
		case t.Role == turns.Result:
			if call := maps.Clone(calls[cmp.Or(t.Result.ID, last)]); call != nil {
				s.result(line, call, t.Result)
			}
		}
		return nil
	}
}

// tools are the names of Claude Code for kinds of tools.
var tools = map[turns.Tool]string{turns.Shell: "Bash", turns.Edit: "Edit", turns.Write: "Write", turns.Read: "Read", turns.Search: "Grep",
	turns.Ask: "AskUserQuestion", turns.Delegate: "Task", turns.Plan: "TodoWrite"}

// input are the arguments of a call as Claude Code names them; those of a patch as Codex does.
func input(c *turns.ToolCall) map[string]any {
	out := map[string]any{}
	switch c.Tool {
	case turns.Shell:
		out["command"] = c.Command
	case turns.Write:
		out["content"] = c.New
	case turns.Edit:
		if strings.HasPrefix(c.New, "*** Begin Patch") {
			return map[string]any{"command": c.New}
		}
		out["old_string"], out["new_string"] = c.Old, c.New
	default:
		out["prompt"] = c.Text
	}
	if len(c.Files) > 0 {
		out["file_path"] = c.Files[0]
	}
	return out
}

// result adds the hook event of the end of a call. One that a person refused, or that did not run, has none.
func (s *session) result(line int, call map[string]any, r *turns.ToolResult) {
	tool, failed := call["tool_name"].(string), r.State == turns.Failed
	switch r.State {
	case turns.Refused, turns.NotRun:
		return
	case turns.Unsaid:
		failed = actions.LiveCall(tool, must(json.Marshal(call["tool_input"]))).Failed(actions.Unsaid, r.Exit, r.Text)
	}
	if !failed {
		call["tool_response"] = map[string]any{"stdout": r.Text, "stderr": "", "interrupted": false}
		s.add(line, "PostToolUse", tool, call)
		return
	}
	call["error"], call["is_interrupt"] = r.Text, false
	if r.Exit != nil {
		call["error"] = fmt.Sprintf("Exit code %d\n%s", *r.Exit, r.Text)
	}
	s.add(line, "PostToolUseFailure", tool, call)
}
