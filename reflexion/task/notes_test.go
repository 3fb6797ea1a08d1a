package task

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/reflexion"
)

// What is kept beside actions: the quality of each iteration with its change,
// milestones, reflections of one's own, a pause. It is in the history while the
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
	if h.Task.Status != Running || under.Actions != 4 || under.Iterations != 3 || *under.Quality != 0.75 || len(under.Milestones) != 1 || under.Milestones[0].Details != "at last" {
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

// The plan of a first attempt has the lessons of similar and related tasks, others
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
	want := "> - task-003 (running): write the tax report\n>   - round at the end\n> - task-001 (running): mend the cache of the shop\n>   - expire old entries\n</tasks-"
	if !strings.Contains(plan, want) || !strings.HasPrefix(plan, "Lines that begin with") || strings.Contains(plan, "colour") || strings.Contains(plan, "task-004") {
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

// No file of a task has the secrets that an agent stated.
func TestTasksAreRedacted(t *testing.T) {
	s, dir := newStore(t)
	token := "ghp_" + (rand.Text() + rand.Text())[:36] // a form of key
	m, err := s.Init(Metadata{Description: "use " + token, Criteria: token, Tags: []string{token}})
	must(t, err)
	_, plan, err := s.Start(ctx, m.ID, Plan{Approach: token, Steps: []string{token}}, "me")
	must(t, err)
	must(t, s.Log(ctx, m.ID, Action{Type: "bash", Output: token, Error: token, Reasoning: token}))
	_, err = s.Complete(ctx, m.ID, Outcome{Status: Failure, Reason: token, Suggestions: []string{token}})
	must(t, err)
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data)+plan, token) {
			t.Errorf("%s: %s", path, data)
		}
		return err
	}))
}
