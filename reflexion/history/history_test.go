package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/reflexion"
)

// clock gives times one second apart.
func clock() func() string {
	now := time.Unix(1700000000, 0).UTC()
	return func() string { now = now.Add(time.Second); return now.Format(time.RFC3339Nano) }
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// started is a task with an attempt under way.
func started(t testing.TB, m Metadata, others ...*Task) (*Task, func() string) {
	t.Helper()
	at := clock()
	x := New("task-001", m, at())
	_, err := x.Start(Plan{}, "me", others, at())
	must(t, err)
	return x, at
}

// The protocol of the schema, step by step.
func TestProtocol(t *testing.T) {
	at := clock()
	x := New("task-001", Metadata{Description: "mend the \x1b[2Jcache", Criteria: "tests pass", Tags: []string{"cache"}}, at())
	if x.Status != Running || x.Description != "mend the cache" {
		t.Errorf("%+v", x)
	}
	a, err := x.Start(Plan{Approach: "look first", Steps: []string{"read", "write"}}, "agent-1", nil, at())
	must(t, err)
	if a.ID != 1 || !strings.Contains(a.PlanText, "Done when: tests pass") || strings.Contains(a.PlanText, "noted") {
		t.Errorf("%+v", a)
	}
	if _, err := x.Start(Plan{}, "", nil, at()); !errors.Is(err, ErrState) {
		t.Errorf("two attempts at once: %v", err)
	}
	must(t, x.Log(Action{Iteration: 1, Type: "bash", Tool: "go", Error: "undefined: x\nmore", Params: json.RawMessage(`{"a":1}`)}, at()))
	must(t, x.Log(Action{Iteration: 2, Type: "edit", Tool: "editor", Success: true}, at()))
	must(t, x.Complete(Outcome{Status: Failure, Reason: "still red", Quality: new(0.4), DidNotWork: []string{"guessing"}, Suggestions: []string{"read the interface first"}}, at()))
	second, err := x.Start(Plan{}, "", nil, at())
	must(t, err)
	for _, want := range []string{"## Reflection on Attempt 1", "**Observation**: failure after 2 actions, 1 of which failed: still red",
		"**Analysis**: The first action that failed was go (bash): undefined: x. What did not work: guessing.", "**Learning**: read the interface first", "1. read the interface first"} {
		if !strings.Contains(second.PlanText, want) {
			t.Errorf("the second plan lacks %q:\n%s", want, second.PlanText)
		}
	}
	must(t, x.Complete(Outcome{Status: Success, Reason: "green", Worked: []string{"reading"}}, at()))
	if x.Status != Completed || x.Completed == "" || x.TotalAttempts != 2 || x.CurrentAttempt != 0 {
		t.Errorf("%+v", x.Metadata)
	}
	if _, err := x.Start(Plan{}, "", nil, at()); !errors.Is(err, ErrState) {
		t.Errorf("a completed task was begun again: %v", err)
	}
	h := x.History()
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
	if first := x.Attempts[0]; len(first.Actions) != 2 || first.Outcome.Reason != "still red" || first.Execution.Agent != "agent-1" || first.Execution.Actions != 2 {
		t.Errorf("%+v", first)
	}
	must(t, x.Validate())
}

// What is not valid is refused.
func TestInvalid(t *testing.T) {
	for want, spoil := range map[string]func(*Task){
		"id: is \"x\"":                           func(x *Task) { x.ID = "x" },
		"description: is \"\"":                   func(x *Task) { x.Description = "" },
		"the numbers of its attempts do not fit": func(x *Task) { x.TotalAttempts = 2 },
		"attempts[0].task_id: is \"\"":           func(x *Task) { x.Attempts[0].TaskID = "" },
		"attempts[0].actions[0].type: is \"fly\"": func(x *Task) {
			x.Attempts[0].Actions = []Action{{Timestamp: x.Created, Type: "fly"}}
		},
		"attempts[0].actions[0].params: is an array": func(x *Task) {
			x.Attempts[0].Actions = []Action{{Timestamp: x.Created, Type: "bash", Params: json.RawMessage("[1]")}}
		},
		"attempts[0].outcome.completion_percent: is 101": func(x *Task) { x.Attempts[0].Outcome.Percent = new(101.0) },
	} {
		x, at := started(t, Metadata{Description: "x"})
		must(t, x.Complete(Outcome{Status: Failure}, at()))
		must(t, x.Validate())
		spoil(x)
		if err := x.Validate(); !errors.Is(err, ErrInvalid) || !strings.HasPrefix(err.Error(), "invalid task: "+want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// Any order of calls keeps a task consistent: the number of attempts, of ended ones and of
// reflections agree.
func TestProtocolProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := clock()
		x := New("task-001", Metadata{Description: "x"}, at())
		for _, step := range rapid.SliceOfN(rapid.IntRange(0, 3), 0, 12).Draw(t, "steps") {
			var err error
			switch step {
			case 0:
				_, err = x.Start(Plan{}, "", nil, at())
			case 1:
				err = x.Log(Action{Type: "read", Tool: "x", Success: true}, at())
			default:
				err = x.Complete(Outcome{Status: []string{Failure, Timeout, Success}[rapid.IntRange(0, 2).Draw(t, "status")]}, at())
			}
			if err != nil && !errors.Is(err, ErrState) {
				t.Fatal(err)
			}
		}
		h := x.History()
		ended, success := 0, 0
		for _, a := range h.Attempts {
			if a.Outcome != "" {
				ended++
			}
			if a.Outcome == Success {
				success++
			}
		}
		if err := x.Validate(); err != nil || len(h.Reflections) != ended+success || (h.Task.Status == Completed) != (success > 0) || (h.Task.CurrentAttempt > 0) != (ended < len(h.Attempts)) {
			t.Fatalf("%+v, %v", h, err)
		}
	})
}

// The plan of a first attempt has the lessons of similar and related tasks, and no others.
func TestLikeTasks(t *testing.T) {
	var others []*Task
	for i, x := range []struct{ description, suggest string }{{"mend the cache of the shop", "expire old entries"}, {"paint the bike shed", "ask for the colour"}, {"write the tax report", "round at the end"}, {"mend the shop's cache", ""}} {
		task, at := started(t, Metadata{Description: x.description})
		o := Outcome{Status: Failure}
		if x.suggest != "" {
			o.Suggestions = []string{x.suggest}
		}
		must(t, task.Complete(o, at()))
		task.ID = "task-" + reflexion.Ordinal(i+1)
		others = append(others, task)
	}
	at := clock()
	x := New("task-005", Metadata{Description: "mend the cache of the till", Related: []string{"task-003"}}, at())
	a, err := x.Start(Plan{}, "", others, at())
	must(t, err)
	want := "> - task-003 (running): write the tax report\n>   - round at the end\n> - task-001 (running): mend the cache of the shop\n>   - expire old entries\n</tasks-"
	if !strings.Contains(a.PlanText, want) || !strings.HasPrefix(a.PlanText, "Lines that begin with") || strings.Contains(a.PlanText, "colour") || strings.Contains(a.PlanText, "task-004") {
		t.Errorf("plan:\n%s", a.PlanText)
	}
	must(t, x.Complete(Outcome{Status: Failure, Suggestions: []string{"count first"}}, at()))
	if a, err := x.Start(Plan{}, "", others, at()); err != nil || strings.Contains(a.PlanText, "like tasks") || !strings.Contains(a.PlanText, "count first") {
		t.Errorf("%v\n%+v", err, a)
	}
}
