package learning

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	t, err := f.changeTask(ctx, r.Of, func(t *history.Task, now string) error { return f.state(t, &r, now, out) })
	if t != nil {
		out.Task = t.Metadata
	}
	return out, err
}

// state does to a task what a request says; out gets what it adds.
func (f *Folder) state(t *history.Task, r *TaskRequest, now string, out *TaskAnswer) (err error) {
	switch r.Kind {
	case "task":
		return r.task(t, now)
	case "attempt":
		var x history.Plan
		others, failed := f.Tasks()
		if err = errors.Join(failed, r.read(&x, &x.Approach)); err == nil {
			out.Attempt, err = t.Start(x, r.By, others, now)
		}
	case "action":
		x := history.Action{Type: "task", Success: true}
		if err = r.read(&x, &x.Reasoning); err == nil {
			x.Success = x.Success && (x.Error == "" || strings.Contains(r.Text, `"success"`))
			err = t.Log(x, now)
		}
	case "milestone":
		var x history.Milestone
		if err = r.read(&x, &x.Event); err == nil {
			err = t.Mark(x, now)
		}
	case "reflection":
		var x history.Reflection
		if err = r.read(&x, &x.Observation); err == nil {
			out.Reflection, err = t.Reflect(x, now)
		}
	default:
		var x history.Outcome
		if err = r.read(&x, &x.Status); err == nil {
			err = t.Complete(x, now)
		}
	}
	return err
}

// task makes a task, or changes one: {"status": "paused"}, or the word.
func (r *TaskRequest) task(t *history.Task, now string) error {
	m := history.Metadata{}
	err := r.read(&m, &m.Description)
	switch {
	case err != nil:
		return err
	case r.Of == "" && m.Description == "":
		return &ask.RequestError{Message: "a task needs a description"}
	case r.Of == "":
		*t = *history.New(t.ID, m, now)
		return nil
	case m.Description != history.Paused && m.Status != history.Paused:
		return &ask.RequestError{Message: "of a task that there is, paused is all that can be stated; its outcome ends it"}
	}
	return t.Pause(now)
}
