package codex

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"episodes/internal/turns"
)

// executed is the item of an item_completed event: a command or a change of files that has
// ended. For the commands of a script in code mode it is the only record; for calls of the model
// it repeats their results.
type executed struct {
	Type    string  `json:"type"`
	ID      string  `json:"id"`
	Command words   `json:"command"`
	Cwd     string  `json:"cwd"` // a path, or a URL of one
	Source  string  `json:"source"`
	Status  string  `json:"status"`
	Exit    *int    `json:"exit_code"`
	Output  *string `json:"aggregated_output"`
	Stdout  string  `json:"stdout"`
	Stderr  string  `json:"stderr"`
	Changes changes `json:"changes"`
}

// change is that of one file.
type change struct {
	Path    string `json:"path"`
	Diff    string `json:"unified_diff"`
	Content string `json:"content"` // of a file that is added or deleted
}

// changes are a list, or an object with the paths as names.
type changes []change

// UnmarshalJSON never fails.
func (c *changes) UnmarshalJSON(data []byte) error {
	var byPath map[string]change
	if json.Unmarshal(data, &byPath) != nil {
		turns.Decode(data, (*[]change)(c))
		return nil
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		one := byPath[path]
		one.Path = path
		*c = append(*c, one)
	}
	slices.SortStableFunc(*c, func(a, b change) int { return cmp.Compare(len(a.Content), len(b.Content)) }) // edits first
	return nil
}

// mostEnded is how many calls are remembered that have ended.
const mostEnded = 1000

// completed reads an item. An item of a call that is still open adds to its result, and one of a process
// that ran on after its call is the result; any other becomes a call with its result, and from then on
// the scripts themselves are ignored.
func (r *reader) completed(e *executed, p place) {
	res := &turns.ToolResult{ID: e.ID, State: e.state(), Exit: e.Exit, Text: e.Stdout + e.Stderr}
	if e.Output != nil {
		res.Text = *e.Output
	}
	switch {
	case e.ID == "" || e.Type != "CommandExecution" && e.Type != "FileChange":
		return
	case r.calls[e.ID] != nil:
		c := r.calls[e.ID]
		if e.Exit != nil {
			c.exit = e.Exit
		}
		if state := e.state(); state != turns.Unsaid {
			c.state = state
		}
		return
	case e.Exit != nil && !r.exited[e.ID] && slices.Contains(slices.Collect(maps.Values(r.processes)), e.ID):
		r.exited[e.ID] = true
		r.put(p, turns.Turn{Role: turns.Result, Result: res})
		return
	case r.over[e.ID], e.Source == "user_shell", e.Source == "unified_exec_interaction":
		return // repeated, by the human, or a poll
	}
	r.passScripts()
	call := &turns.ToolCall{ID: e.ID, Name: "exec_command", Tool: turns.Shell, Command: string(e.Command), Dir: folder(e.Cwd)}
	if e.Type == "FileChange" {
		*call = turns.ToolCall{ID: e.ID, Name: "apply_patch", Tool: turns.Edit}
		for _, c := range e.Changes {
			call.Files = append(call.Files, c.Path)
			call.New += c.Diff + c.Content
		}
	}
	r.put(p, turns.Turn{Role: turns.Call, Call: call})
	r.put(p, turns.Turn{Role: turns.Result, Result: res})
}

// state is the state of an item without an exit code.
func (e *executed) state() turns.State {
	switch {
	case e.Status == "declined":
		return turns.Refused
	case e.Exit != nil:
		return turns.Unsaid
	case e.Status == "failed":
		return turns.Failed
	case e.Status == "completed":
		return turns.OK
	}
	return turns.Unsaid
}

// passScripts drops the script that is held, and ignores all later ones.
func (r *reader) passScripts() {
	r.passes = true
	h := r.held
	if h == nil {
		return
	}
	r.held = nil
	r.putAll(h.behind)
}

func folder(path string) string {
	if u, err := url.Parse(path); err == nil && strings.EqualFold(u.Scheme, "file") {
		return u.Path
	}
	return path
}
