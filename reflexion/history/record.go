// Package history has the histories of tasks in the form of the episodic-memory schema: of loops,
// and of agents that state what they do (agent_protocol). It has no files.
package history

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// The statuses of a task, and the outcomes of an attempt.
const (
	Running   = "running"
	Paused    = "paused"
	Completed = "completed"
	Failed    = "failed"

	Success = "success"
	Failure = "failure"
	Timeout = "timeout"

	Manual = "manual" // trigger of a reflection that a person added
)

func Outcomes() []string { return []string{Success, Failure, Timeout} }

var (
	statuses        = []string{Running, Paused, Completed, Failed}
	reflectionTypes = []string{errorAnalysis, successPattern, improvement}
	actionTypes     = []string{"read", "write", "bash", "grep", "glob", "task", "edit"}
)

const (
	errorAnalysis  = "error-analysis"
	successPattern = "success-pattern"
	improvement    = "process-improvement"
)

// Metadata is a task and its state.
type Metadata struct {
	ID             string   `json:"id"`
	Description    string   `json:"description"`
	Criteria       string   `json:"completion_criteria,omitempty"`
	Created        string   `json:"created"` // RFC 3339, as all times here
	Updated        string   `json:"updated"`
	Completed      string   `json:"completed,omitempty"`
	Status         string   `json:"status"`
	CurrentAttempt int      `json:"current_attempt"` // 0: none is under way
	TotalAttempts  int      `json:"total_attempts"`
	Tags           []string `json:"tags"`
	Related        []string `json:"related_tasks"`
}

// Step is the summary of an attempt, as a trajectory has it.
type Step struct {
	AttemptID  int         `json:"attempt_id"`
	Started    string      `json:"started"`
	Ended      string      `json:"ended,omitempty"`
	Outcome    string      `json:"outcome,omitempty"`
	Plan       string      `json:"plan,omitempty"`
	Actions    int         `json:"actions"`
	Iterations int         `json:"iterations"`
	Milestones []Milestone `json:"milestones,omitempty"`
	Quality    *float64    `json:"final_quality,omitempty"` // 0 to 1
	Percent    *float64    `json:"completion_percent,omitempty"`
}

type Milestone struct {
	Timestamp string `json:"timestamp"`
	Event     string `json:"event"`
	Details   string `json:"details,omitempty"`
}

// Attempt is one attempt. The schema has the last three fields in files of their own.
type Attempt struct {
	ID        int       `json:"id"`
	TaskID    string    `json:"task_id"`
	Started   string    `json:"started"`
	Ended     string    `json:"ended,omitempty"`
	Plan      Plan      `json:"plan"`
	Execution Execution `json:"execution"`
	Outcome   *Outcome  `json:"outcome,omitempty"` // nil: under way

	PlanText   string      `json:"plan_text,omitempty"`
	Actions    []Action    `json:"actions,omitempty"`
	Milestones []Milestone `json:"milestones,omitempty"`
}

type Plan struct {
	Approach   string   `json:"approach"`
	Steps      []string `json:"steps"`
	Iterations int      `json:"estimated_iterations,omitempty"`
}

type Execution struct {
	Agent      string    `json:"agent,omitempty"`
	Iterations int       `json:"iterations"`
	Actions    int       `json:"actions_performed"`
	Quality    []Quality `json:"quality_history,omitempty"`
}

// Quality is the quality of an iteration, 0 to 1.
type Quality struct {
	Iteration int     `json:"iteration"`
	Quality   float64 `json:"quality"`
	Delta     float64 `json:"delta"`
}

type Outcome struct {
	Status      string   `json:"status"`
	Reason      string   `json:"reason"`
	Quality     *float64 `json:"final_quality,omitempty"`
	Percent     *float64 `json:"completion_percent,omitempty"`
	Worked      []string `json:"what_worked"`
	DidNotWork  []string `json:"what_didnt_work"`
	Suggestions []string `json:"suggestions_for_next_time"`
	Ended       string   `json:"ended"`
	GivenUp     bool     `json:"given_up,omitempty"` // the task has failed for good
}

type Action struct {
	Timestamp string          `json:"timestamp"`
	Iteration int             `json:"iteration"`
	Type      string          `json:"type"`
	Tool      string          `json:"tool"`
	Params    json.RawMessage `json:"params,omitempty"`
	Success   bool            `json:"success"`
	Output    string          `json:"output,omitempty"`
	Error     string          `json:"error,omitempty"`
	Reasoning string          `json:"reasoning,omitempty"`
	Expected  string          `json:"expected_outcome,omitempty"`
	// Quality is an additional property: the quality after this action, 0 to 1.
	Quality *float64 `json:"quality,omitempty"`
}

type Reflection struct {
	Timestamp   string   `json:"timestamp"`
	AttemptID   int      `json:"attempt_id"`
	Observation string   `json:"observation"`
	Analysis    string   `json:"analysis"`
	Learning    string   `json:"learning"`
	ActionItems []string `json:"action_items"`
	TriggeredBy string   `json:"triggered_by"`    // failure, success, timeout or manual
	Type        string   `json:"reflection_type"` // error-analysis, success-pattern or process-improvement
}

// check keeps the first problem of a record.
type check struct {
	what string
	err  error
}

func (c *check) is(field string, ok bool, value any) {
	if c.err == nil && !ok {
		c.err = fmt.Errorf("%w %s: %s is %q", ErrInvalid, c.what, field, fmt.Sprint(value))
	}
}

func (c *check) oneOf(field, value string, legal ...string) {
	c.is(field, slices.Contains(legal, value), value)
}

func (c *check) time(field, value string) {
	_, err := time.Parse(time.RFC3339Nano, value)
	c.is(field, err == nil, value)
}

func (c *check) share(field string, x *float64, most float64) {
	v := *cmp.Or(x, new(float64))
	c.is(field, v >= 0 && v <= most, v)
}

func (c *check) part(v interface{ Validate() error }) {
	if c.err == nil {
		c.err = v.Validate()
	}
}

func (m *Metadata) Validate() error {
	c := &check{what: "task"}
	c.is("id", ValidID(m.ID), m.ID)
	c.is("description", m.Description != "", m.Description)
	c.time("created", m.Created)
	c.time("updated", m.Updated)
	c.time("completed", cmp.Or(m.Completed, m.Updated))
	c.oneOf("status", m.Status, statuses...)
	for _, id := range m.Related {
		c.is("related_tasks", ValidID(id), id)
	}
	c.is("total_attempts", m.TotalAttempts >= 0, m.TotalAttempts)
	c.is("current_attempt", m.CurrentAttempt == 0 || m.CurrentAttempt == m.TotalAttempts, m.CurrentAttempt)
	return c.err
}

func (m *Milestone) Validate() error {
	c := &check{what: "milestone"}
	c.time("timestamp", m.Timestamp)
	c.is("event", m.Event != "", m.Event)
	return c.err
}

func (a *Attempt) Validate() error {
	c := &check{what: "attempt"}
	c.is("id", a.ID >= 1, a.ID)
	c.is("task_id", ValidID(a.TaskID), a.TaskID)
	c.time("started", a.Started)
	c.time("ended", cmp.Or(a.Ended, a.Started))
	for _, q := range a.Execution.Quality {
		c.share("quality_history", &q.Quality, 1)
	}
	if a.Outcome != nil {
		c.part(a.Outcome)
	}
	for i := range a.Actions {
		c.part(&a.Actions[i])
	}
	for i := range a.Milestones {
		c.part(&a.Milestones[i])
	}
	return c.err
}

func (o *Outcome) Validate() error {
	c := &check{what: "outcome"}
	c.oneOf("status", o.Status, Outcomes()...)
	c.share("final_quality", o.Quality, 1)
	c.share("completion_percent", o.Percent, 100)
	c.time("ended", o.Ended)
	return c.err
}

func (a *Action) Validate() error {
	c := &check{what: "action"}
	c.time("timestamp", a.Timestamp)
	c.oneOf("type", a.Type, actionTypes...)
	c.is("iteration", a.Iteration >= 0, a.Iteration)
	c.share("quality", a.Quality, 1)
	if len(a.Params) > 0 {
		var object map[string]any
		c.is("params", json.Unmarshal(a.Params, &object) == nil, string(a.Params))
	}
	return c.err
}

func (r *Reflection) Validate() error {
	c := &check{what: "reflection"}
	c.time("timestamp", r.Timestamp)
	c.is("attempt_id", r.AttemptID >= 1, r.AttemptID)
	c.oneOf("triggered_by", r.TriggeredBy, Failure, Success, Timeout, Manual)
	c.oneOf("reflection_type", r.Type, reflectionTypes...)
	return c.err
}
