package agent

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// reading collects what an agent prints.
type reading struct {
	dir    string
	text   string
	failed string
	order  []*call
	calls  map[string]*call // by id
	tokens map[string]tokens
	total  *tokens // what the agent itself adds up
	cost   *float64
}

// tokens are counts of one part of the work. read counts those from a cache too.
type tokens struct{ read, cached, written int }

// call is a use of a tool.
type call struct {
	tool    string
	input   map[string]any
	failed  bool
	changes []change // where the agent lists them itself
}

type change struct{ path, kind string }

// events calls f with each JSON object that an agent printed: one on a line, a list of
// them, or a single one over several lines.
func events(data []byte, f func(event)) {
	data = bytes.TrimSpace(data)
	var list []event
	var one event
	switch {
	case json.Unmarshal(data, &list) == nil:
		for _, e := range list {
			f(e)
		}
		return
	case json.Unmarshal(data, &one) == nil:
		f(one)
		return
	}
	for line := range bytes.Lines(data) {
		var e event
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' && json.Unmarshal(line, &e) == nil {
			f(e)
		}
	}
}

// event is a JSON object of any form.
type event map[string]any

func (e event) str(names ...string) string {
	for _, name := range names {
		if s, ok := e[name].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

func (e event) obj(name string) event {
	m, _ := e[name].(map[string]any)
	return m
}

func (e event) list(name string) (out []event) {
	list, _ := e[name].([]any)
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// count is a number of things: never below 0, nor more than anybody has.
func (e event) count(names ...string) int {
	for _, name := range names {
		if x, ok := e[name].(float64); ok {
			return int(min(max(x, 0), 1e12))
		}
	}
	return 0
}

// money is an amount of US dollars; nil where none is said.
func (e event) money(name string) *float64 {
	x, ok := e[name].(float64)
	if !ok || !(x >= 0 && x < 1e9) {
		return nil
	}
	return &x
}

// use notes a use of a tool. A second event of the same one adds what the first lacks.
func (r *reading) use(id, tool string, input event) *call {
	c := r.calls[id]
	if c == nil || id == "" {
		c = &call{tool: tool}
		r.order = append(r.order, c)
		r.calls[id] = c
	}
	if len(input) > 0 {
		c.input = input
	}
	return c
}

// result notes how the use of a tool ended.
func (r *reading) result(id string, failed bool) {
	if c := r.calls[id]; c != nil && id != "" {
		c.failed = failed
	}
}

func (r *reading) addCost(x *float64) {
	if x == nil {
		return
	}
	if r.cost == nil {
		r.cost = new(float64)
	}
	*r.cost += *x
}

// Limits of what is taken over: actions of one attempt, and the bytes of its last words and
// of why it failed.
const (
	maxActions = 40
	maxText    = 2000
	maxFailed  = 300
)

func (r *reading) answer() Answer {
	a := Answer{Text: reflexion.Clean(strings.TrimSpace(r.text)), Failed: reflexion.Shorten(reflexion.Clean(strings.TrimSpace(r.failed)), maxFailed)}
	a.Output.Rationale = reflexion.Shorten(a.Text, maxText)
	var actions []reflexion.Action
	for _, c := range r.order {
		for _, x := range c.actions(r.dir) {
			actions = append(actions, x)
			if changesFiles(x.Type) && !c.failed && x.FilePath != "" && !slices.Contains(a.Output.FilesModified, x.FilePath) {
				a.Output.FilesModified = append(a.Output.FilesModified, x.FilePath)
			}
		}
	}
	if over := len(actions) - maxActions; over > 0 { // what it did last matters most, and how it began
		actions = slices.Delete(actions, maxActions/4, maxActions/4+over)
	}
	a.Output.Actions = actions
	a.Output.FilesModified = a.Output.FilesModified[:min(len(a.Output.FilesModified), maxActions)]
	a.Usage = r.usage()
	return a
}

func (r *reading) usage() reflexion.Usage {
	var u reflexion.Usage
	t := r.total
	if t == nil && len(r.tokens) > 0 {
		t = &tokens{}
		for _, x := range r.tokens {
			t.read, t.cached, t.written = t.read+x.read, t.cached+x.cached, t.written+x.written
		}
	}
	if t != nil {
		u.InputTokens, u.CachedTokens, u.OutputTokens = &t.read, &t.cached, &t.written
	}
	u.CostUSD = r.cost
	if t != nil || len(r.order) > 0 {
		u.ToolCalls = reflexion.Ptr(len(r.order))
	}
	return u
}

func changesFiles(actionType string) bool {
	return slices.Contains([]string{"code_modification", "file_creation", "file_deletion"}, actionType)
}

// runsTests matches command lines that run tests, by the words of common runners.
var runsTests = lazy.Pattern(`\b(?:test|tests|pytest|jest|vitest|mocha|rspec|phpunit|unittest|ctest|tox)\b`)

// inShell matches a command line that a shell is given, behind changes of the folder.
var inShell = lazy.Pattern(`(?s)^(?:(?:/\S*/)?(?:ba|z)?sh -l?c ['"]?)?(?:cd [^&;]+&& *)?(.*?)['"]?$`)

// actions are the actions of a use of a tool; none where it only looked at something.
func (c *call) actions(dir string) []reflexion.Action {
	how := ""
	if c.failed {
		how = ", which failed"
	}
	if c.changes != nil {
		var out []reflexion.Action
		for _, x := range c.changes {
			out = append(out, fileAction(dir, x.kind, x.path, how))
		}
		return out
	}
	tool := strings.ToLower(c.tool)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(tool, p) })
	}
	input := event(c.input)
	file := input.str("file_path", "filePath", "absolute_path", "path", "notebook_path", "target_file")
	switch command := input.str("command", "cmd", "script"); {
	case has("todo", "plan"):
		return nil
	case has("delete", "remove"):
		return []reflexion.Action{fileAction(dir, "delete", file, how)}
	case has("write", "create"):
		return []reflexion.Action{fileAction(dir, "add", file, how)}
	case has("edit", "replace", "patch"):
		return []reflexion.Action{fileAction(dir, "update", file, how)}
	case has("bash", "shell", "exec", "command", "terminal"):
		if m := inShell().FindStringSubmatch(command); m != nil {
			command = m[1]
		}
		a := reflexion.Action{Type: "command_execution", Description: "ran " + reflexion.Program(command) + how, Command: reflexion.Clean(command)}
		if runsTests().MatchString(command) {
			a.Type = "test_execution"
		}
		return []reflexion.Action{a}
	case has("read", "grep", "glob", "search", "list", "ls", "find", "view", "fetch", "think"):
		return nil
	case has("mcp"):
		return []reflexion.Action{{Type: "api_call", Description: "called " + reflexion.Clean(c.tool) + how}}
	}
	return []reflexion.Action{{Type: "other", Description: "used " + reflexion.Clean(c.tool) + how}}
}

// fileAction is a change of a file. One outside of the folder has no path, since it is no
// part of the work.
func fileAction(dir, kind, file, how string) reflexion.Action {
	if filepath.IsAbs(file) {
		file, _ = filepath.Rel(dir, file)
	}
	if file = filepath.ToSlash(reflexion.Clean(file)); !filepath.IsLocal(file) {
		file = ""
	}
	what := file
	if file == "" {
		what = "a file elsewhere"
	}
	a := reflexion.Action{Type: "code_modification", Description: "changed " + what + how, FilePath: file}
	switch kind {
	case "add", "create", "added":
		a.Type, a.Description = "file_creation", "wrote "+what+how
	case "delete", "deleted":
		a.Type, a.Description = "file_deletion", "deleted "+what+how
	}
	return a
}
