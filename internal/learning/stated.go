package learning

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/ask"
	"episodes/reflexion/history"
)

// TaskRequest is what an agent that runs by itself states of a task (agent_protocol).
type TaskRequest struct {
	Kind string // one of TaskKinds
	Text string // words, or an object of the schema
	Of   string // the task; "": a new one
	By   string // the agent's name, or ""
}

// TaskKinds are the kinds of what can be stated of a task, besides its outcome.
func TaskKinds() []string { return []string{"task", "attempt", "action", "milestone", "reflection"} }

func OfTask(kind, of string) bool {
	return slices.Contains(TaskKinds(), kind) || kind == "outcome" && history.ValidID(of)
}

type TaskAnswer struct {
	Task       history.Metadata    `json:"task"`
	Attempt    *history.Attempt    `json:"attempt,omitempty"`    // that began
	Reflection *history.Reflection `json:"reflection,omitempty"` // that was stated
}

// read decodes the text of a request: an object, of which every field must be known, or words,
// which are the value of one field.
func (r *TaskRequest) read(into any, words *string) error {
	text := strings.TrimSpace(r.Text)
	if !strings.HasPrefix(text, "{") {
		*words = text
		return nil
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return &ask.RequestError{Message: fmt.Sprintf("this is no %s: %v", r.Kind, err)}
	}
	return nil
}

// StateOfTask keeps what an agent states of a task. Errors: *ask.RequestError,
// history.ErrInvalid, history.ErrNone, history.ErrState.
func (f *Folder) StateOfTask(ctx context.Context, r TaskRequest) (*TaskAnswer, error) {
	if strings.TrimSpace(r.Text) == "" && r.Kind != "attempt" {
		return nil, &ask.RequestError{Message: "the text is empty"}
	}
	if r.Of == "" && r.Kind != "task" {
		return nil, &ask.RequestError{Params: []string{"of"},
			Message: "must name a task, such as task-001"}
	}
	out := &TaskAnswer{}
	do, err := f.statement(&r, out)
	if err != nil {
		return nil, err
	}
	t, err := f.ChangeTask(ctx, r.Of, do)
	if t != nil {
		out.Task = t.Metadata
	}
	return out, err
}

func (f *Folder) statement(r *TaskRequest, out *TaskAnswer) (change, error) {
	switch r.Kind {
	case "task":
		return r.task()
	case "attempt":
		var plan history.Plan
		if err := r.read(&plan, &plan.Approach); err != nil {
			return nil, err
		}
		tasks, err := f.Tasks()
		var others []*history.History
		for _, other := range tasks {
			others = append(others, other.History())
		}
		return func(t *history.Task, now string) (err error) {
			out.Attempt, err = t.Start(plan, r.By, others, now)
			return err
		}, err
	case "action":
		x := history.Action{Type: "task", Success: true}
		err := r.read(&x, &x.Reasoning)
		if x.Error != "" && !strings.Contains(r.Text, `"success"`) {
			x.Success = false
		}
		return func(t *history.Task, now string) error { return t.Log(x, now) }, err
	case "milestone":
		var x history.Milestone
		err := r.read(&x, &x.Event)
		return func(t *history.Task, now string) error { return t.Mark(x, now) }, err
	case "reflection":
		var x history.Reflection
		err := r.read(&x, &x.Observation)
		return func(t *history.Task, now string) (err error) {
			out.Reflection, err = t.Reflect(x, now)
			return err
		}, err
	}
	var o history.Outcome
	err := r.read(&o, &o.Status)
	return func(t *history.Task, now string) error { return t.Complete(o, now) }, err
}

// task makes a task, or changes one: {"status": "paused"}, or the word.
func (r *TaskRequest) task() (change, error) {
	m := history.Metadata{}
	err := r.read(&m, &m.Description)
	switch {
	case err != nil:
		return nil, err
	case r.Of == "" && m.Description == "":
		return nil, &ask.RequestError{Message: "a task needs a description"}
	case r.Of == "":
		return func(t *history.Task, now string) error {
			*t = *history.New(t.ID, m, now)
			return nil
		}, nil
	case m.Description != history.Paused && m.Status != history.Paused:
		return nil, &ask.RequestError{Message: "of a task that there is, paused is all that can be stated; its outcome ends it"}
	}
	return func(t *history.Task, now string) error {
		return t.Pause(now)
	}, nil
}
