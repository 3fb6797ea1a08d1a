package hook

import (
	"context"
	"testing"
)

// What is off is silent: all sessions, or the one that acts next and its sub-agents; on ends it.
func TestOff(t *testing.T) {
	w := newWorld(t, lockLog)
	turn := func(session, off bool) { must(t, Switch(context.Background(), w.location(), session, off)) }
	turn(false, true)
	if out := w.prompt("a", "Mend the index.", "") + w.failure("a"); out != "" {
		t.Errorf("off, and told %s", out)
	}
	turn(true, false) // of sessions alone
	if out := w.failure("a"); out != "" {
		t.Errorf("still off, and told %s", out)
	}
	turn(false, false)
	if w.failure("a") == "" {
		t.Error("on, and told nothing")
	}
	turn(true, true)
	if out := w.prompt("b", "Mend the index.", "") + w.failure("b") + w.start("claude", "SubagentStart", "b", `,"agent_id":"x"`); out != "" {
		t.Errorf("the session that acted next is told %s", out)
	}
	if w.failure("c") == "" {
		t.Error("another session is told nothing")
	}
	turn(true, false)
	if w.failure("b") == "" {
		t.Error("the session is on again, and told nothing")
	}
}
