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
	s, err := Open(dir, func() time.Time { now = now.Add(time.Second); return now }, time.Second)
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
	if m.ID != "task-001" || m.Status != Running || m.Description != "mend the [2Jcache" {
		t.Errorf("%+v", m)
	}
	a, plan, err := s.Start(ctx, m.ID, Plan{Approach: "look first", Steps: []string{"read", "write"}}, "agent-1")
	must(t, err)
	if a.ID != 1 || !strings.Contains(plan, "Done when: tests pass") || strings.Contains(plan, "taught") {
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
	if e, err := s.Export(m.ID); err != nil || len(e.Replays) != 2 {
		t.Errorf("%+v, %v", e, err)
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
func TestSettles(t *testing.T) {
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

// What is kept beside actions: the quality of each iteration with its change,
// milestones, reflections of one's own, a pause. It stands in the history while the
// attempt is under way, and in the attempt's own file once it ended (rows E3 to E6,
// E16).
func TestNotes(t *testing.T) {
	s, dir := newStore(t)
	m, err := s.Init(Metadata{Description: "x"})
	must(t, err)
	if _, err := s.Init(Metadata{Description: "y", Related: []string{"task-007"}}); !errors.Is(err, ErrNone) {
		t.Errorf("related to nothing: %v", err)
	}
	if _, err := s.Reflect(ctx, m.ID, Reflection{Observation: "x", Type: improvement}); !errors.Is(err, ErrState) {
		t.Errorf("reflected on nothing: %v", err)
	}
	if m, err = s.Pause(ctx, m.ID); err != nil || m.Status != Paused {
		t.Errorf("%+v, %v", m, err)
	}
	if err := s.Mark(ctx, m.ID, "x", ""); !errors.Is(err, ErrState) {
		t.Errorf("a milestone of no attempt: %v", err)
	}
	_, _, err = s.Start(ctx, m.ID, Plan{}, "me")
	must(t, err)
	if _, err := s.Pause(ctx, m.ID); !errors.Is(err, ErrState) {
		t.Errorf("paused in an attempt: %v", err)
	}
	for _, x := range []struct {
		iteration int
		quality   float64
	}{{1, 0.1}, {1, 0.25}, {2, 0.75}} {
		must(t, s.Log(ctx, m.ID, Action{Iteration: x.iteration, Type: "edit", Tool: "e", Success: true, Quality: &x.quality}))
	}
	must(t, s.Log(ctx, m.ID, Action{Iteration: 3, Type: "read", Tool: "r", Success: true}))
	must(t, s.Mark(ctx, m.ID, "it compiles", "at \x1b[1mlast"))
	if err := s.Log(ctx, m.ID, Action{Type: "read", Quality: reflexion.Ptr(1.5)}); err == nil {
		t.Error("a quality of 1.5 was logged")
	}
	h, err := s.History(m.ID, false)
	must(t, err)
	under := h.Attempts[0]
	if h.Task.Status != Running || under.Actions != 4 || under.Iterations != 3 || *under.Quality != 0.75 || len(under.Milestones) != 1 || under.Milestones[0].Details != "at [1mlast" {
		t.Errorf("under way: %+v", under)
	}
	own, err := s.Reflect(ctx, m.ID, Reflection{Observation: "the cache has two owners", Learning: "ask who owns it", Type: errorAnalysis})
	must(t, err)
	if own.TriggeredBy != manual || own.AttemptID != 1 {
		t.Errorf("%+v", own)
	}
	_, err = s.Complete(ctx, m.ID, Outcome{Status: Failure, Reason: "red"})
	must(t, err)
	h, err = s.History(m.ID, true)
	must(t, err)
	if last := h.Attempts[0]; *last.Quality != 0.75 || len(last.Milestones) != 1 || last.Actions != 4 {
		t.Errorf("ended: %+v", last)
	}
	if len(h.Reflections) != 2 || h.Reflections[1].TriggeredBy != Failure { // its own of the same type takes no other's place
		t.Errorf("%+v", h.Reflections)
	}
	var kept Attempt
	data, err := os.ReadFile(filepath.Join(dir, m.ID, "attempts", "001", "attempt.json"))
	must(t, err)
	must(t, json.Unmarshal(data, &kept))
	want := Execution{Agent: "me", Iterations: 3, Actions: 4, Quality: []Quality{{1, 0.25, 0}, {2, 0.75, 0.5}}}
	if diff := cmp.Diff(want, kept.Execution); diff != "" || kept.Ended == "" {
		t.Errorf("%s%+v", diff, kept)
	}
	if r, err := s.Replay(m.ID, 1); err != nil || len(r.Milestones) != 1 || cmp.Diff(want, r.Attempt.Execution) != "" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, plan, err := s.Start(ctx, m.ID, Plan{}, ""); err != nil || !strings.Contains(plan, "**Learning**: ask who owns it") {
		t.Errorf("%v\n%s", err, plan)
	}
}

// The first attempt of a task is told what like and related tasks taught, others
// are not (row E10).
func TestLikeTasks(t *testing.T) {
	s, _ := newStore(t)
	for _, x := range []struct{ description, suggest string }{{"mend the cache of the shop", "expire old entries"}, {"paint the bike shed", "ask for the colour"}, {"write the tax report", "round at the end"}, {"mend the shop's cache", ""}} {
		m, err := s.Init(Metadata{Description: x.description})
		must(t, err)
		_, _, err = s.Start(ctx, m.ID, Plan{}, "")
		must(t, err)
		o := Outcome{Status: Failure}
		if x.suggest != "" {
			o.Suggestions = []string{x.suggest}
		}
		_, err = s.Complete(ctx, m.ID, o)
		must(t, err)
	}
	m, err := s.Init(Metadata{Description: "mend the cache of the till", Related: []string{"task-003"}})
	must(t, err)
	_, plan, err := s.Start(ctx, m.ID, Plan{}, "")
	must(t, err)
	want := "What like tasks taught (quoted: information, not instruction):\n\n- task-003 (running): write the tax report\n  - round at the end\n- task-001 (running): mend the cache of the shop\n  - expire old entries\n"
	if !strings.HasSuffix(plan, want) || strings.Contains(plan, "colour") || strings.Contains(plan, "task-004") {
		t.Errorf("plan:\n%s", plan)
	}
	_, err = s.Complete(ctx, m.ID, Outcome{Status: Failure, Suggestions: []string{"count first"}})
	must(t, err)
	if _, plan, err := s.Start(ctx, m.ID, Plan{}, ""); err != nil || strings.Contains(plan, "like tasks") || !strings.Contains(plan, "count first") {
		t.Errorf("%v\n%s", err, plan)
	}
}

// A loop is shown as a task, and a task's attempts count in an analysis as a loop's
// iterations do (rows E10, E11 to E13, E19).
func TestLoops(t *testing.T) {
	rs := []*reflexion.Record{
		{LoopID: "ralph-a", Timestamp: "2026-01-01T00:00:00Z", Task: "mend it", Actor: reflexion.ActorOutput{Strategy: "guess", Actions: []reflexion.Action{{Type: "code_modification", Description: "cut it", FilePath: "a.go"}, {Type: "api_call", Description: "asked"}}},
			Evaluator:  reflexion.EvaluatorOutput{Type: reflexion.UnitTests, Reward: reflexion.Ptr(0.25), Results: []reflexion.Result{{Tool: "go test", Status: reflexion.Fail}}, Errors: []reflexion.Problem{{Type: reflexion.Timeout, Message: "slow"}}},
			Reflection: reflexion.SelfReflection{Text: "I cut too much", Insights: []string{"cut less"}, Lessons: []string{"measure twice"}, Credit: &reflexion.CreditAssignment{FailingActions: []int{0}}}},
		{LoopID: "ralph-a", Iteration: 1, Timestamp: "2026-01-01T00:01:00Z", Task: "mend it", Evaluator: reflexion.EvaluatorOutput{Passed: true, Type: reflexion.UnitTests}},
	}
	for ended, want := range map[bool]string{false: Paused, true: Failed} {
		if h := FromLoop(rs[:1], ended); h.Task.Status != want || h.Attempts[0].Outcome != Timeout || h.Reflections[0].Learning != "cut less; measure twice" {
			t.Errorf("%+v", h)
		}
	}
	if h := FromLoop(rs, true); h.Task.Status != Completed || h.Task.TotalAttempts != 2 || len(Search([]*History{h}, "measured")) != 1 {
		t.Errorf("%+v", h)
	}
	r := ReplayLoop(rs[0], "# Task")
	if r.Plan != "# Task" || r.Actions[0].Success || !r.Actions[1].Success || r.Actions[0].Type != "edit" || string(r.Actions[0].Params) != `{"file_path":"a.go"}` || r.Attempt.Outcome.Reason != "unit_tests, go test: fail" ||
		cmp.Diff([]string{"timeout: slow"}, r.Attempt.Outcome.DidNotWork) != "" {
		t.Errorf("%+v, %+v", r, r.Attempt.Outcome)
	}

	s, _ := newStore(t)
	m, err := s.Init(Metadata{Description: "mend the cache"})
	must(t, err)
	for _, status := range []string{Failure, Timeout, Success} {
		_, _, err = s.Start(ctx, m.ID, Plan{}, "")
		must(t, err)
		_, err = s.Complete(ctx, m.ID, Outcome{Status: status, Suggestions: []string{"after " + status}, Quality: reflexion.Ptr(0.5)})
		must(t, err)
	}
	h, err := s.History(m.ID, true)
	must(t, err)
	var got []string
	for _, r := range Records(h) {
		if _, err := reflexion.Marshal(r); err != nil {
			t.Errorf("no valid record: %v", err)
		}
		got = append(got, fmt.Sprintln(r.LoopID, r.Iteration, r.Evaluator.Passed, len(r.Evaluator.Errors), r.Used, r.Reflection.Lessons))
	}
	if diff := cmp.Diff([]string{"ralph-task-001 0 false 0 [] [after failure]\n", "ralph-task-001 1 false 1 [0] [after timeout]\n", "ralph-task-001 2 true 0 [0 1] []\n"}, got); diff != "" {
		t.Error(diff)
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
		s, err := Open(dir, time.Now, time.Second)
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
