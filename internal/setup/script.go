package setup

import (
	"bytes"
	"encoding/json"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/lazy"
)

// script is the editor of a file that is a program for the agent, with the hooks and the server. All of
// it is ours, which its first line shows.
func (w *wiring) script(is agent.Part) editor {
	ours := w.agent.Settings.Script(w.exe)
	first, _, _ := strings.Cut(ours, "\n")
	keep := func(text []byte) ([]byte, error) { return text, nil }
	e := editor{add: keep, drop: keep, find: func(text []byte) (f found, err error) {
		exe := calls(text)
		switch {
		case string(text) == w.agent.Settings.Script(exe):
			f.current = 1
			if !w.runs(exe) {
				f.lost = append(f.lost, exe)
			}
		case bytes.HasPrefix(text, []byte(first)):
			f.stale = 1
		case !isBlank(text):
			f.foreign = "a file of others"
		}
		if f.missing = 1 - f.current; is == agent.ServerPart {
			f.servers, f.foreign, f.stale, f.lost = f.current, "", 0, nil
		}
		return f, nil
	}}
	if is == agent.HooksPart {
		e.add = func([]byte) ([]byte, error) { return []byte(ours), nil }
		e.drop = func(text []byte) ([]byte, error) {
			if bytes.HasPrefix(text, []byte(first)) {
				return nil, nil
			}
			return text, nil
		}
	}
	return e
}

// calls is the program that a script calls.
func calls(text []byte) (program string) {
	if m := scripted().FindSubmatch(text); m != nil {
		_ = json.Unmarshal(m[1], &program)
	}
	return program
}

var scripted = lazy.Pattern(`(?m)^const program = ("(?:[^"\\]|\\.)*")$`)
