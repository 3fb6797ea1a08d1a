package main

import (
	"encoding/json"
	"strings"
	"testing"

	"episodes/reflexion/loop"
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

// However a loop ends without a pass, it is said how to go on.
func TestOnward(t *testing.T) {
	a, c := &app{}, &loop.Config{LoopID: "ralph-x", Max: 3}
	for reason, want := range map[loop.Reason]string{
		loop.Critical: "correct the command line and start the loop again",
		loop.Blocked:  "episodes loop --resume ralph-x goes on when that was done",
		loop.Limit:    "episodes loop --resume ralph-x --max 6 goes on with it",
		loop.Time:     "episodes loop --resume ralph-x --max-time TIME goes on with it; 0: without a limit",
		loop.Stuck:    "episodes loop --resume ralph-x goes on with it all the same",
		loop.Changing: "put them back, and episodes loop --resume ralph-x tries again; if the change is right, begin anew with --tests-too",
	} {
		if got := a.onward(c, reason); got != want {
			t.Errorf("%s: %q, want %q", reason, got, want)
		}
	}
	c.Discard = true
	if got := a.onward(c, loop.Limit); got != "episodes loop retry ralph-x shows what the next attempt should know" {
		t.Errorf("discarded: %q", got)
	}
}
