package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/reflexion"
)

func newStore(t testing.TB) (*Store, string) {
	t.Helper()
	dir := t.TempDir()
	now := time.Unix(1700000000, 0)
	s, err := Open(dir, true, func() time.Time { now = now.Add(time.Second); return now }, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, filepath.Join(dir, "tasks")
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var ctx = context.Background()

// The protocol of the schema, step by step, with the files it names (rows E2, E3,
// E14 to E18).
func TestProtocol(t *testing.T) {
	s, dir := newStore(t)
	m, err := s.Init(Metadata{Description: "mend the \x1b[2Jcache", Criteria: "tests pass", Tags: []string{"cache"}})
	must(t, err)
	if m.ID != "task-001" || m.Status != Running || m.Description != "mend the cache" {
		t.Errorf("%+v", m)
	}
	a, plan, err := s.Start(ctx, m.ID, Plan{Approach: "look first", Steps: []string{"read", "write"}}, "agent-1")
	must(t, err)
	if a.ID != 1 || !strings.Contains(plan, "Done when: tests pass") || strings.Contains(plan, "noted") {
		t.Errorf("%+v\n%s", a, plan)
	}
	if _, _, err := s.Start(ctx, m.ID, Plan{}, ""); !errors.Is(err, ErrState) {
		t.Errorf("two attempts at once: %v", err)
	}
	must(t, s.Log(ctx, m.ID, Action{Iteration: 1, Type: "bash", Tool: "go", Success: false, Error: "undefined: x\nmore", Params: json.RawMessage(`{"a":1}`)}))
	must(t, s.Log(ctx, m.ID, Action{Iteration: 2, Type: "edit", Tool: "editor", Success: true}))
	if err := s.Log(ctx, m.ID, Action{Type: "fly"}); err == nil {
		t.Error("an action of no type was logged")
	}
	q := 0.4
	_, err = s.Complete(ctx, m.ID, Outcome{Status: Failure, Reason: "still red", Quality: &q, DidNotWork: []string{"guessing"}, Suggestions: []string{"read the interface first"}})
	must(t, err)
	_, plan, err = s.Start(ctx, m.ID, Plan{}, "")
	must(t, err)
	for _, want := range []string{"## Reflection on Attempt 1", "**Observation**: failure after 2 actions, 1 of which failed: still red",
		"**Analysis**: The first action that failed was go (bash): undefined: x. What did not work: guessing.", "**Learning**: read the interface first", "1. read the interface first"} {
		if !strings.Contains(plan, want) {
			t.Errorf("the second plan lacks %q:\n%s", want, plan)
		}
	}
	m, err = s.Complete(ctx, m.ID, Outcome{Status: Success, Reason: "green", Worked: []string{"reading"}})
	must(t, err)
	if m.Status != Completed || m.Completed == "" || m.TotalAttempts != 2 || m.CurrentAttempt != 0 {
		t.Errorf("%+v", m)
	}
	if _, _, err := s.Start(ctx, m.ID, Plan{}, ""); !errors.Is(err, ErrState) {
		t.Errorf("a completed task was begun again: %v", err)
	}
	h, err := s.History(m.ID, true)
	must(t, err)
	if len(h.Attempts) != 2 || h.Attempts[0].Actions != 2 || h.Attempts[0].Iterations != 2 || *h.Attempts[0].Quality != 0.4 || h.Attempts[1].Outcome != Success {
		t.Errorf("%+v", h.Attempts)
	}
	var types []string
	for _, r := range h.Reflections {
		types = append(types, fmt.Sprintf("%d %s %s", r.AttemptID, r.TriggeredBy, r.Type))
	}
	if diff := cmp.Diff([]string{"1 failure error-analysis", "2 success success-pattern", "2 success process-improvement"}, types); diff != "" {
		t.Error(diff)
	}
	for _, f := range []string{"metadata.json", "trajectory.json", "reflections.jsonl", "attempts/001/attempt.json", "attempts/001/plan.md", "attempts/001/actions.jsonl", "attempts/001/outcome.json", "attempts/002/outcome.json"} {
		if _, err := os.Stat(filepath.Join(dir, m.ID, f)); err != nil {
			t.Error(err)
		}
	}
	r, err := s.Replay(m.ID, 1)
	must(t, err)
	if len(r.Actions) != 2 || r.Attempt.Outcome.Reason != "still red" || r.Attempt.Execution.Agent != "agent-1" || r.Attempt.Execution.Actions != 2 {
		t.Errorf("%+v", r)
	}
	for query, n := range map[string]int{"interface": 1, "caches": 1, "database": 0} {
		all, err := s.Histories()
		must(t, err)
		if found := Search(all, query); len(found) != n {
			t.Errorf("search %q: %d", query, len(found))
		}
	}
}

func TestTimeoutAndGivingUp(t *testing.T) {
	s, _ := newStore(t)
	m, err := s.Init(Metadata{Description: "x"})
	must(t, err)
	_, _, err = s.Start(ctx, m.ID, Plan{}, "")
	must(t, err)
	m, err = s.Complete(ctx, m.ID, Outcome{Status: Timeout, Reason: "an hour", GivenUp: true})
	must(t, err)
	h, err := s.History(m.ID, true)
	must(t, err)
	if m.Status != Failed || h.Reflections[0].Type != "process-improvement" || h.Reflections[0].TriggeredBy != Timeout {
		t.Errorf("%+v, %+v", m, h.Reflections)
	}
	for _, id := range []string{"task-002", "task-1", "../task-001", ""} {
		if _, err := s.History(id, false); !errors.Is(err, ErrNone) {
			t.Errorf("history of %q: %v", id, err)
		}
	}
	if _, err := s.Complete(ctx, m.ID, Outcome{Status: Success}); !errors.Is(err, ErrState) {
		t.Error(err)
	}
}

// A writer killed after the attempt's own file was written loses nothing: the next
// one carries it over to the files that sum it up, once.
func TestCatchUp(t *testing.T) {
	s, dir := newStore(t)
	m, err := s.Init(Metadata{Description: "x"})
	must(t, err)
	_, _, err = s.Start(ctx, m.ID, Plan{}, "")
	must(t, err)
	before := map[string][]byte{}
	for _, f := range []string{"metadata.json", "trajectory.json"} {
		before[f], err = os.ReadFile(filepath.Join(dir, m.ID, f))
		must(t, err)
	}
	_, err = s.Complete(ctx, m.ID, Outcome{Status: Failure, Reason: "red", Suggestions: []string{"look"}})
	must(t, err)
	want, err := s.History(m.ID, true)
	must(t, err)
	// As if it had been killed after outcome.json, after the reflection, and after
	// the trajectory.
	for _, undone := range [][]string{{"metadata.json", "trajectory.json"}, {"metadata.json"}} {
		for _, f := range undone {
			must(t, os.WriteFile(filepath.Join(dir, m.ID, f), before[f], 0o644))
		}
		if err := s.Log(ctx, m.ID, Action{Type: "read", Tool: "x"}); !errors.Is(err, ErrState) {
			t.Fatalf("the attempt is not over: %v", err)
		}
		got, err := s.History(m.ID, true)
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// Records that are not valid are refused when written and when read.
func TestInvalid(t *testing.T) {
	for what, v := range map[string]validated{
		"task: id":                    &Metadata{ID: "x"},
		"task: status":                &Metadata{ID: "task-001", Description: "x", Created: "2026-01-01T00:00:00Z", Updated: "2026-01-01T00:00:00Z", Status: "done"},
		"action: params":              &Action{Timestamp: "2026-01-01T00:00:00Z", Type: "bash", Params: json.RawMessage("[1]")},
		"outcome: status":             &Outcome{Status: "partial", Ended: "2026-01-01T00:00:00Z"},
		"outcome: completion_percent": &Outcome{Status: Success, Percent: reflexion.Ptr(101.0), Ended: "2026-01-01T00:00:00Z"},
		"reflection: triggered_by":    &Reflection{Timestamp: "2026-01-01T00:00:00Z", AttemptID: 1, TriggeredBy: "task_completion"},
		"trajectory: attempt_id":      &Trajectory{Attempts: []Step{{AttemptID: 2}}},
	} {
		if err := v.Validate(); err == nil || !strings.HasPrefix(err.Error(), "invalid "+what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	s, dir := newStore(t)
	m, err := s.Init(Metadata{Description: "x"})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, m.ID, "metadata.json"), []byte(`{"id":"task-001","status":"done"}`), 0o644))
	if _, err := s.History(m.ID, false); err == nil || !strings.Contains(err.Error(), "metadata.json") {
		t.Error(err)
	}
}

// Any order of calls keeps the files consistent: the number of attempts, of ended
// ones and of reflections agree.
func TestProtocolProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "task")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		s, err := Open(dir, true, time.Now, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		m, err := s.Init(Metadata{Description: "x"})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range rapid.SliceOfN(rapid.IntRange(0, 3), 0, 12).Draw(t, "steps") {
			switch step {
			case 0:
				_, _, err = s.Start(ctx, m.ID, Plan{}, "")
			case 1:
				err = s.Log(ctx, m.ID, Action{Type: "read", Tool: "x", Success: true})
			default:
				_, err = s.Complete(ctx, m.ID, Outcome{Status: []string{Failure, Timeout, Success}[rapid.IntRange(0, 2).Draw(t, "status")]})
			}
			if err != nil && !errors.Is(err, ErrState) {
				t.Fatal(err)
			}
		}
		h, err := s.History(m.ID, true)
		if err != nil {
			t.Fatal(err)
		}
		ended, success := 0, 0
		for _, a := range h.Attempts {
			if a.Outcome != "" {
				ended++
			}
			if a.Outcome == Success {
				success++
			}
		}
		if len(h.Attempts) != h.Task.TotalAttempts || len(h.Reflections) != ended+success || (h.Task.Status == Completed) != (success > 0) || (h.Task.CurrentAttempt > 0) != (ended < len(h.Attempts)) {
			t.Fatalf("%+v", h)
		}
	})
}

// manyAttempts writes the history of a task of n attempts.
func manyAttempts(t testing.TB, n int) (*Store, string) {
	s, dir := newStore(t)
	m, err := s.Init(Metadata{Description: "x"})
	must(t, err)
	tr := &Trajectory{TaskID: m.ID}
	for i := range n {
		tr.Attempts = append(tr.Attempts, Step{AttemptID: i + 1, Started: "2026-01-01T00:00:00Z", Ended: "2026-01-01T00:10:00Z", Outcome: Failure, Plan: "try it once more", Actions: 17, Iterations: 3,
			Quality: reflexion.Ptr(0.4), Percent: reflexion.Ptr(40.0)})
	}
	data, err := encode(tr)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, m.ID, "trajectory.json"), data, 0o644))
	return s, m.ID
}

// BenchmarkHistory is the read of a task's history at 10 000 attempts; the bar of
// the schema is 50 ms (success_metrics, read_latency).
func BenchmarkHistory(b *testing.B) {
	s, id := manyAttempts(b, 10_000)
	for b.Loop() {
		if h, err := s.History(id, false); err != nil || len(h.Attempts) != 10_000 {
			b.Fatal(err)
		}
	}
}
