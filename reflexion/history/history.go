package history

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"episodes/internal/validate"
	"episodes/reflexion"
)

var (
	ErrNone      = errors.New("no such task")
	ErrNoAttempt = errors.New("no such attempt")
	ErrState     = errors.New("not now") // it does not fit the state of the task
	ErrInvalid   = errors.New("invalid") // a value is not one of the schema
)

// ValidID reports whether id names a task: task- and a number.
func ValidID(id string) bool {
	n, found := strings.CutPrefix(id, "task-")
	_, ok := reflexion.ParseOrdinal(n)
	return found && ok
}

// History is a task with the summaries of its attempts (query_history).
type History struct {
	Task        Metadata     `json:"task"`
	Attempts    []Step       `json:"attempts"`
	Reflections []Reflection `json:"reflections"`
}

// Task is a task with all that is kept of it.
type Task struct {
	Metadata
	Attempts    []Attempt    `json:"attempts"`
	Reflections []Reflection `json:"reflections"`
}

// History sums up the attempts of a task.
func (t *Task) History() *History {
	h := &History{Task: t.Metadata, Attempts: []Step{}, Reflections: append([]Reflection{}, t.Reflections...)}
	for i := range t.Attempts {
		a := &t.Attempts[i]
		x := a.execution()
		s := Step{AttemptID: a.ID, Started: a.Started, Ended: a.Ended, Plan: a.Plan.Approach, Actions: x.Actions,
			Iterations: x.Iterations, Milestones: a.Milestones}
		if n := len(x.Quality); n > 0 {
			s.Quality = &x.Quality[n-1].Quality
		}
		if o := a.Outcome; o != nil {
			s.Outcome, s.Percent, s.Worked, s.Quality = o.Status, o.Percent, o.Worked, cmp.Or(o.Quality, s.Quality)
		}
		h.Attempts = append(h.Attempts, s)
	}
	return h
}

// execution counts actions. The quality of an iteration is the last one stated.
func (a *Attempt) execution() Execution {
	x := Execution{Agent: a.Execution.Agent, Actions: len(a.Actions), Iterations: a.Execution.Iterations}
	for _, a := range a.Actions {
		x.Iterations = max(x.Iterations, a.Iteration)
		if a.Quality == nil {
			continue
		}
		i := slices.IndexFunc(x.Quality, func(q Quality) bool { return q.Iteration == a.Iteration })
		if i < 0 {
			i = len(x.Quality)
			x.Quality = append(x.Quality, Quality{Iteration: a.Iteration})
		}
		x.Quality[i].Quality = *a.Quality
	}
	for i := 1; i < len(x.Quality); i++ {
		x.Quality[i].Delta = x.Quality[i].Quality - x.Quality[i-1].Quality
	}
	return x
}

//go:embed task.schema.json
var schemaSource []byte

var schema = sync.OnceValues(func() (*validate.Schema, error) { return validate.Compile(schemaSource) })

// Validate checks a task with all that is kept of it against the schema. The error is ErrInvalid.
func (t *Task) Validate() error {
	s, err := schema()
	if err != nil {
		return err
	}
	data, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("%w task: %v", ErrInvalid, err)
	}
	if found := s.Check(data); len(found) > 0 {
		return fmt.Errorf("%w task: %s", ErrInvalid, found[0].Message)
	}
	numbered := t.TotalAttempts == len(t.Attempts) && (t.CurrentAttempt == 0 || t.CurrentAttempt == t.TotalAttempts)
	for i := range t.Attempts {
		numbered = numbered && t.Attempts[i].ID == i+1
	}
	if !numbered {
		return fmt.Errorf("%w task: the numbers of its attempts do not fit", ErrInvalid)
	}
	return nil
}

// FromLoop converts a loop, which may have ended, to a task.
func FromLoop(records []*reflexion.Record, ended bool) *Task {
	t := &Task{}
	for i, r := range reflexion.Turns(records) {
		if i == 0 {
			t.Metadata = Metadata{ID: r.LoopID, Description: r.Task, Created: r.Timestamp, Tags: []string{}, Related: []string{}}
		}
		a := attemptOf(&r)
		t.Attempts = append(t.Attempts, a)
		t.Updated, t.TotalAttempts, t.Status = r.Timestamp, a.ID, Paused
		switch {
		case r.Evaluator.Passed:
			t.Status, t.Completed = Completed, r.Timestamp
		case ended && i == len(records)-1:
			t.Status = Failed
		}
		if x := r.Reflection; r.Reflected() {
			t.Reflections = append(t.Reflections, Reflection{Timestamp: r.Timestamp, AttemptID: a.ID, Observation: x.Text,
				Analysis: x.Causal, Learning: strings.Join(slices.Concat(x.Insights, x.Lessons), "; "),
				ActionItems: append([]string{}, x.Insights...), TriggeredBy: a.Outcome.Status, Type: errorAnalysis})
		}
	}
	return t
}

func outcomeOf(r *reflexion.Record) string {
	switch {
	case r.Evaluator.Passed:
		return Success
	case slices.ContainsFunc(r.Evaluator.Errors, func(e reflexion.Problem) bool { return e.Type == reflexion.Timeout }):
		return Timeout
	}
	return Failure
}

// loopActions maps the action types of loops to those of tasks.
var loopActions = map[string]string{"code_modification": "edit", "file_creation": "write", "file_deletion": "edit",
	"test_execution": "bash", "command_execution": "bash"}

// attemptOf converts an iteration. An action failed if the reflection names it. What worked is a
// change after which errors were gone.
func attemptOf(r *reflexion.Turn) Attempt {
	quality := r.Evaluator.RewardOr()
	o := &Outcome{Status: outcomeOf(r.Record), Reason: string(r.Evaluator.Type), Quality: &quality, Ended: r.Timestamp, Worked: []string{},
		DidNotWork: []string{}, Suggestions: append([]string{}, r.Reflection.Insights...)}
	if len(r.Gone) > 0 {
		did := cmp.Or(reflexion.ChangeText(r.Actor.Changed, &r.Gone[0]), "what was done is not known") + "; gone:"
		for _, e := range r.Gone {
			did += " " + reflexion.Describe(e) + ";"
		}
		o.Worked = append(o.Worked, strings.TrimSuffix(did, ";"))
	} else if did := reflexion.ChangeText(r.Actor.Changed, nil); r.Evaluator.Passed && did != "" {
		o.Worked = append(o.Worked, did)
	}
	for _, x := range r.Evaluator.Results {
		o.Reason += fmt.Sprintf(", %s: %s", x.Tool, x.Status)
	}
	for _, e := range r.Evaluator.Errors {
		o.DidNotWork = append(o.DidNotWork, reflexion.Describe(e))
	}
	out := Attempt{ID: r.Iteration + 1, TaskID: r.LoopID, Started: r.Timestamp, Ended: r.Timestamp,
		Plan: Plan{Approach: r.Actor.Strategy, Steps: []string{}}, Outcome: o,
		Execution: Execution{Iterations: 1, Actions: len(r.Actor.Actions), Quality: []Quality{{Iteration: 1, Quality: quality}}}}
	for i, a := range r.Actor.Actions {
		c := r.Reflection.Credit
		x := Action{Timestamp: r.Timestamp, Iteration: 1, Type: cmp.Or(loopActions[a.Type], "task"), Tool: a.Type,
			Reasoning: a.Description, Success: c == nil || !slices.Contains(c.FailingActions, i)}
		if a.FilePath+a.Command != "" {
			x.Params, _ = json.Marshal(struct { // strings always have their JSON
				File    string `json:"file_path,omitempty"`
				Command string `json:"command,omitempty"`
			}{a.FilePath, a.Command})
		}
		out.Actions = append(out.Actions, x)
	}
	return out
}

// Records are the ended attempts of a task as iterations of a loop, for package analyze.
// Outcomes are what the agent stated, and so of type manual review.
func (t *Task) Records() (out []*reflexion.Record) {
	reflected := map[int]Reflection{}
	for _, r := range t.Reflections {
		if _, ok := reflected[r.AttemptID]; !ok || r.TriggeredBy == Manual {
			reflected[r.AttemptID] = r
		}
	}
	for i, s := range t.History().Attempts {
		if s.Outcome == "" {
			continue
		}
		r := &reflexion.Record{LoopID: "ralph-" + t.ID, Iteration: i, Timestamp: s.Ended,
			Task: t.Description, Actor: reflexion.ActorOutput{Strategy: s.Plan}, Memory: reflexion.MemoryMetadata{Omega: learned},
			Evaluator: reflexion.EvaluatorOutput{Passed: s.Outcome == Success, Type: reflexion.ManualReview, Reward: s.Quality}}
		if s.Outcome == Timeout {
			r.Evaluator.Errors = []reflexion.Problem{{Type: reflexion.Timeout, Message: "the attempt ran out of time"}}
		}
		if x, ok := reflected[s.AttemptID]; ok && s.Outcome != Success {
			r.Reflection = reflexion.SelfReflection{Text: x.Observation, Causal: x.Analysis, Insights: x.ActionItems}
			if x.Learning != "" {
				r.Reflection.Lessons = []string{x.Learning}
			}
		}
		for before := max(0, i-learned); before < i; before++ {
			if _, ok := reflected[before+1]; ok {
				r.Used, r.Injected = append(r.Used, before), true
			}
		}
		out = append(out, r)
	}
	return out
}
