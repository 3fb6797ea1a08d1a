package history

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	Attempts    []Attempt
	Reflections []Reflection
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
			s.Outcome, s.Percent, s.Quality = o.Status, o.Percent, cmp.Or(o.Quality, s.Quality)
		}
		h.Attempts = append(h.Attempts, s)
	}
	return h
}

// Attempt returns attempt n, from 1; the error is ErrNoAttempt.
func (t *Task) Attempt(n int) (*Attempt, error) {
	i := slices.IndexFunc(t.Attempts, func(a Attempt) bool { return a.ID == n })
	if i < 0 {
		return nil, fmt.Errorf("attempt %d of %q: %w", n, t.ID, ErrNoAttempt)
	}
	return &t.Attempts[i], nil
}

// execution counts actions. The quality of an iteration is the last one stated.
func (a *Attempt) execution() Execution {
	x := Execution{Agent: a.Execution.Agent, Actions: len(a.Actions)}
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

// Validate checks a task with all that is kept of it.
func (t *Task) Validate() error {
	c := &check{what: "task"}
	c.part(&t.Metadata)
	c.is("total_attempts", t.TotalAttempts == len(t.Attempts), t.TotalAttempts)
	for i := range t.Attempts {
		c.is("attempts", t.Attempts[i].ID == i+1, t.Attempts[i].ID)
		c.part(&t.Attempts[i])
	}
	for i := range t.Reflections {
		c.part(&t.Reflections[i])
	}
	return c.err
}
