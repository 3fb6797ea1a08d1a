// Package history has the histories of tasks in the form of the episodic-memory schema: of loops,
// and of agents that state what they do (agent_protocol). It has no files.
package history

import "encoding/json"

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
	Worked     []string    `json:"what_worked,omitempty"`
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
