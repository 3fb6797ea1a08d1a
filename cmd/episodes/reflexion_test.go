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
	for _, args := range [][]string{{"loop", "eval", "--", "true"}, {"loop", "analyze"}, {"loop", "history"}, {"record", "task", "x"}, {"record", "attempt", "x", "--of", "task-001"},
		{"record", "action", "x", "--of", "task-001"}, {"record", "milestone", "x", "--of", "task-001"}, {"record", "reflection", "x", "--of", "task-001"}, {"record", "outcome", "failure", "--of", "task-001"},
		{"loop", "history", "task-001"}, {"loop", "history", "task-001", "--attempt", "1"}, {"record", "task", "y"}, {"record", "task", "paused", "--of", "task-002"}, {"loop", "export", "task-001"},
		{"loop", "export", "--format", "ralph", "out"}, {"loop", "reflections", "search"}, {"loop", "reflections", "lessons"},
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
