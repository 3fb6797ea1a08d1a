package loop

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"episodes/agents/agent"
	"episodes/internal/lazy"
	"episodes/internal/turns"
	"episodes/reflexion"
)

// Limits of what is taken over of what an actor prints: actions of one attempt, and the bytes
// of its texts.
const (
	maxActions     = 40
	maxRationale   = 2000
	maxDescription = 300
)

// readAnswer reads what an agent printed, as far as it is known: it may be cut, or be anything
// else. dir is the folder in which it worked.
func readAnswer(by *agent.Actor, dir string, stdout []byte) *Acted {
	printed := by.ReadPrinted(stdout)
	a := &Acted{Usage: usageOf(printed), failed: short(strings.TrimSpace(printed.Failed), maxDescription)}
	text := strings.TrimSpace(printed.Text)
	if own, ok := ReadActor([]byte(lastLine([]byte(text)))); ok { // it was asked for more
		a.Output = own.Output
		return a
	}
	actions := []reflexion.Action{}
	for _, u := range printed.Uses {
		actions = append(actions, actionsOf(u, dir)...)
	}
	if over := len(actions) - maxActions; over > 0 { // what it did last matters most, and how it began
		actions = slices.Delete(actions, maxActions/4, maxActions/4+over)
	}
	a.Output = cleaned(reflexion.ActorOutput{Rationale: text, Actions: actions})
	return a
}

// ParseActor reads the output of an actor: what ReadActor reads, as a whole or in the last line; of
// any other output nothing is kept. Texts are cleaned and never executed.
func ParseActor(stdout []byte) *Acted {
	for _, data := range [][]byte{stdout, []byte(lastLine(stdout))} {
		if a, ok := ReadActor(data); ok {
			return a
		}
	}
	return &Acted{Output: reflexion.ActorOutput{Actions: []reflexion.Action{}}}
}

// ReadActor reads a JSON object in the form of the schema's actor_output, with a list of
// actions and perhaps a usage; false for anything else. Texts are cleaned, and unknown action types
// become other.
func ReadActor(data []byte) (*Acted, bool) {
	var said struct {
		reflexion.ActorOutput
		Usage reflexion.Usage `json:"usage"`
	}
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' || json.Unmarshal(data, &said) != nil || said.Actions == nil {
		return nil, false
	}
	return &Acted{Output: cleaned(said.ActorOutput), Usage: said.Usage}, true
}

// cleaned is what is kept of an actor's own account.
func cleaned(out reflexion.ActorOutput) reflexion.ActorOutput {
	for i := range out.Actions {
		a := &out.Actions[i]
		if !slices.Contains(reflexion.ActionTypes(), a.Type) {
			a.Type = "other"
		}
		if _, err := time.Parse(time.RFC3339, a.Timestamp); err != nil {
			a.Timestamp = ""
		}
		a.Description, a.FilePath = short(a.Description, maxDescription), short(a.FilePath, maxDescription)
		a.Command = short(a.Command, maxDescription)
	}
	out.Rationale, out.Strategy = short(out.Rationale, maxRationale), short(out.Strategy, maxDescription)
	out.Blocked = short(out.Blocked, maxDescription)
	for i := range out.FilesModified {
		out.FilesModified[i] = short(out.FilesModified[i], maxDescription)
	}
	out.Changed = nil // that is measured, not said
	return out
}

func short(s string, n int) string { return reflexion.Shorten(reflexion.Clean(s), n) }

func lastLine(b []byte) string {
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return lines[len(lines)-1]
}

func usageOf(p *agent.Printed) reflexion.Usage {
	var u reflexion.Usage
	t := p.Total
	if t == nil && len(p.Tokens) > 0 {
		t = &agent.Tokens{}
		for _, x := range p.Tokens {
			t.Read, t.Cached, t.Written = t.Read+x.Read, t.Cached+x.Cached, t.Written+x.Written
		}
	}
	if t != nil {
		u.InputTokens, u.CachedTokens, u.OutputTokens = &t.Read, &t.Cached, &t.Written
	}
	u.CostUSD = p.Cost
	if t != nil || len(p.Uses) > 0 {
		u.ToolCalls = new(len(p.Uses))
	}
	return u
}

// runsTests matches command lines that run tests, by the words of common runners.
var runsTests = lazy.Pattern(`\b(?:test|tests|pytest|jest|vitest|mocha|rspec|phpunit|unittest|ctest|tox)\b`)

// inShell matches a command line that a shell is given, behind changes of the folder.
var inShell = lazy.Pattern(`(?s)^(?:(?:/\S*/)?(?:ba|z)?sh -l?c ['"]?)?(?:cd [^&;]+&& *)?(.*?)['"]?$`)

// actionsOf are the actions of a use of a tool; none where it only looked at something. What kind
// of tool it is, and what its arguments mean, is read as in transcripts.
func actionsOf(u *agent.Use, dir string) []reflexion.Action {
	how := ""
	if u.Failed {
		how = ", which failed"
	}
	if u.Changes != nil {
		var out []reflexion.Action
		for _, x := range u.Changes {
			out = append(out, fileAction(dir, x.Kind, x.Path, how))
		}
		return out
	}
	args, _ := json.Marshal(u.Input)
	c := turns.CallOf("", u.Tool, args)
	file := ""
	if len(c.Files) > 0 {
		file = c.Files[0]
	}
	tool := strings.ToLower(u.Tool)
	switch c.Tool {
	case turns.Plan, turns.Read, turns.Search:
		return nil
	case turns.Write, turns.Edit:
		kind := "update"
		if c.Tool == turns.Write {
			kind = "add"
		} else if strings.Contains(tool, "delete") {
			kind = "delete"
		}
		return []reflexion.Action{fileAction(dir, kind, file, how)}
	case turns.Shell:
		command := c.Command
		if m := inShell().FindStringSubmatch(command); m != nil {
			command = m[1]
		}
		a := reflexion.Action{Type: "command_execution", Description: "ran " + reflexion.Program(command) + how,
			Command: reflexion.Clean(command)}
		if runsTests().MatchString(command) {
			a.Type = "test_execution"
		}
		return []reflexion.Action{a}
	}
	switch {
	case strings.Contains(tool, "fetch"), strings.Contains(tool, "think"):
		return nil
	case strings.Contains(tool, "mcp"):
		return []reflexion.Action{{Type: "api_call", Description: "called " + reflexion.Clean(u.Tool) + how}}
	}
	return []reflexion.Action{{Type: "other", Description: "used " + reflexion.Clean(u.Tool) + how}}
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
