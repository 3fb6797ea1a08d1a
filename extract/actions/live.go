package actions

import (
	"cmp"
	"encoding/json"
	"strings"

	"episodes/internal/turns"
)

// Live is one call of a tool of any agent, seen alone, while its session goes on.
type Live struct{ s step }

// LiveCall reads a call: args is an object, or a string that holds one.
func LiveCall(name string, args json.RawMessage) *Live {
	l := &Live{step{role: turns.Call}}
	var patch struct {
		Command string `json:"command"`
	}
	if turns.KindOf(name) == turns.Edit && json.Unmarshal(args, &patch) == nil && strings.HasPrefix(patch.Command, "*** Begin Patch") {
		args, _ = json.Marshal(patch.Command) // hooks of Codex name a patch as they name a command
	}
	l.s.call = *turns.CallOf("", name, args)
	return l
}

// Command is the command line of a call of a shell; "" of another tool.
func (l *Live) Command() string { return l.s.call.Command }

// Edit returns the change that a call makes to a file: the old text, unless it writes the
// whole file, and the new text. ok is false for other calls.
func (l *Live) Edit() (file, old, new string, whole, ok bool) {
	c := &l.s.call
	if len(c.Files) > 0 {
		file = c.Files[0]
	}
	return file, c.Old, c.New, c.Tool == turns.Write, c.Tool == turns.Edit || c.Tool == turns.Write
}

// Runs reports whether the output of a call shows its success or failure, unlike that of
// the tools that read, search, edit, plan or ask.
func (l *Live) Runs() bool { return l.s.call.Tool == turns.Shell || l.s.call.Tool == turns.Other }

// mostParsed is how much of a command line is looked at, in bytes: more is a text that it
// writes somewhere.
const mostParsed = 32 << 10

// Verdict is what an agent reports about a call that it made.
type Verdict uint8

// Unsaid: only the exit code and the output can show it.
const (
	Unsaid Verdict = iota
	Worked
	DidFail
)

// Failed reports whether a call failed, as transcripts are judged: a search without a match,
// a question with the answer no, and what was stopped by hand are no failures. exit is nil
// where it is not known.
func (l *Live) Failed(said Verdict, exit *int, output string) bool {
	if l.s.call.Tool == turns.Shell {
		l.s.line = parseShell(turns.Start(l.s.call.Command, mostParsed))
	}
	l.s.result = turns.ToolResult{Exit: exit, Text: turns.Clip(output),
		State: map[Verdict]turns.State{Unsaid: turns.Unsaid, Worked: turns.OK, DidFail: turns.Failed}[said]}
	l.s.judge(nil)
	return l.s.failed
}

// Hidden returns the line by which a failure is known that the exit code 0 of a command line
// hides, since it is that of another command than the one that checks something; "" where the
// output shows none.
func Hidden(line, output string) string {
	s := &step{call: turns.ToolCall{Tool: turns.Shell, Command: line}, line: parseShell(turns.Start(line, mostParsed)),
		result: turns.ToolResult{Exit: new(int), Text: turns.Clip(output), State: turns.OK}}
	s.judge(nil)
	if s.failed && s.check != nil && s.check.masked {
		return cmp.Or(s.tells, s.name()+" failed")
	}
	return ""
}
