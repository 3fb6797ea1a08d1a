package loop

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/internal/lazy"
	"episodes/internal/turns"
	"episodes/reflexion"
)

// answer is what an agent said and did in an attempt.
type answer struct {
	Text   string // its last words to the user
	Output reflexion.ActorOutput
	Usage  reflexion.Usage
	// Failed is why it gave up, in its words; "" where it did not say that it did.
	Failed string
}

// readAnswer reads what an agent printed, as far as it is known: it may be cut, or be anything
// else. dir is the folder in which it worked.
func readAnswer(name, dir string, stdout []byte) answer {
	a := agents.ActorNamed(name)
	if a == nil {
		return answer{}
	}
	return answerOf(a.Actor.ReadPrinted(stdout), dir)
}

// Limits of what is taken over: actions of one attempt, and the bytes of its last words and
// of why it failed.
const (
	maxActions = 40
	maxText    = 2000
	maxFailed  = 300
)

func answerOf(p *agent.Printed, dir string) answer {
	a := answer{Text: reflexion.Clean(strings.TrimSpace(p.Text)),
		Failed: reflexion.Shorten(reflexion.Clean(strings.TrimSpace(p.Failed)), maxFailed)}
	a.Output.Rationale = reflexion.Shorten(a.Text, maxText)
	var actions []reflexion.Action
	for _, c := range p.Uses {
		for _, x := range actionsOf(c, dir) {
			actions = append(actions, x)
			if changesFiles(x.Type) && !c.Failed && x.FilePath != "" && !slices.Contains(a.Output.FilesModified, x.FilePath) {
				a.Output.FilesModified = append(a.Output.FilesModified, x.FilePath)
			}
		}
	}
	if over := len(actions) - maxActions; over > 0 { // what it did last matters most, and how it began
		actions = slices.Delete(actions, maxActions/4, maxActions/4+over)
	}
	a.Output.Actions = actions
	a.Output.FilesModified = a.Output.FilesModified[:min(len(a.Output.FilesModified), maxActions)]
	a.Usage = usageOf(p)
	return a
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
		u.ToolCalls = reflexion.Ptr(len(p.Uses))
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
	case turns.Write:
		return []reflexion.Action{fileAction(dir, "add", file, how)}
	case turns.Edit:
		kind := "update"
		if strings.Contains(tool, "delete") {
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
