package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// Every envelope of the reflexion side is one line of JSON with the version and
// the command, also on an empty memory.
func TestReflexionEnvelopes(t *testing.T) {
	w := newWorld(t)
	for _, args := range [][]string{{"loop", "eval", "--", "true"}, {"analyze"}, {"task", "history"}, {"task", "init", "--description", "x"}, {"task", "start", "task-001"},
		{"task", "log", "task-001", "--type", "read"}, {"task", "milestone", "task-001", "x"}, {"task", "reflect", "task-001", "--observation", "x"}, {"task", "complete", "task-001", "--status", "failure"}, {"task", "history", "task-001"}, {"task", "replay", "task-001", "--attempt", "1"},
		{"task", "search", "x"}, {"task", "init", "--description", "y"}, {"task", "pause", "task-002"}, {"task", "export", "task-001"}, {"task", "show", "task-001"}, {"reflections", "search"}, {"reflections", "lessons"}, {"memory", "list"}, {"memory", "add", "x", "y"},
		{"memory", "update"}, {"memory", "consolidate"}, {"memory", "cleanup"}, {"memory", "audit"}, {"memory", "progress"},
		{"loop", "reflect", "--loop", "ralph-x", "--task", "x", "--verify", "false"}, {"loop", "retry", "ralph-x"}, {"loop", "--task", "y", "--actor", "true", "--verify", "true"}} {
		code := w.run(append([]string{"--json"}, args...)...)
		var got struct {
			Version int             `json:"schema_version"`
			Command string          `json:"command"`
			Data    json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(w.stdout.Bytes(), &got); err != nil || code != 0 {
			t.Errorf("%q: exit %d, %v: %s%s", args, code, err, &w.stdout, &w.stderr)
			continue
		}
		if strings.Count(w.stdout.String(), "\n") != 1 || got.Version != 1 || !strings.HasPrefix(strings.Join(args, " "), got.Command) || len(got.Data) == 0 || string(got.Data) == "null" {
			t.Errorf("%q: %s", args, &w.stdout)
		}
	}
}
