package loop

import (
	"reflect"
	"slices"
	"time"

	"episodes/reflexion"
)

// Config is the configuration of a loop. Command lines are the user's.
type Config struct {
	LoopID   string   `json:"loop_id"`
	Task     string   `json:"task"`
	TaskType string   `json:"task_type,omitempty"`
	Created  string   `json:"created"` // RFC 3339
	Actor    string   `json:"actor"`
	Agent    string   `json:"agent,omitempty"` // which one the actor is; "": none that is known
	Verify   []string `json:"verify"`
	Reflect  string   `json:"reflect,omitempty"` // command line of a model; "": reflections by rules
	Max      int      `json:"max_iterations"`
	// PromptTokens is the budget of a prompt; 0: reflexion.PromptTokens.
	PromptTokens int              `json:"prompt_tokens,omitempty"`
	Omega        int              `json:"omega_capacity,omitempty"`
	Dynamic      bool             `json:"dynamic_omega,omitempty"`
	Policy       reflexion.Policy `json:"window_policy,omitempty"`
	Arm          string           `json:"arm"`
	// Stuck is after how many attempts without progress the loop ends; 0: never.
	Stuck int `json:"stuck_after,omitempty"`
	// TestsToo allows a pass by changing tests that were there, golden files or the verifier.
	TestsToo bool `json:"tests_too,omitempty"`
	// Isolate: attempts work in a copy of the work tree, each begins with what the best one so
	// far left, and the best one is brought back; with Discard only one that is to be committed.
	Isolate bool `json:"isolate,omitempty"`
	Discard bool `json:"discard,omitempty"`
	// Commit commits what the attempts changed, after a pass.
	Commit bool `json:"commit,omitempty"`
	// Wait waits where the agent is at the limit of its plan; else the loop ends, and can go on.
	Wait bool `json:"wait_on_limit,omitempty"`
	// Attempt: there is an attempt also where the verifiers pass before the first one, as they do not
	// know the task.
	Attempt bool `json:"attempt,omitempty"`
	// WentOn is how many attempts there were when the user let the loop go on after an end.
	WentOn int `json:"went_on_after,omitempty"`
	// Timeouts in seconds.
	ActorTimeout  float64 `json:"actor_timeout_s"`
	VerifyTimeout float64 `json:"verify_timeout_s"`
	// Budgets, after which no further attempt begins; 0: none.
	MaxCost float64 `json:"max_cost_usd,omitempty"`
	MaxTime float64 `json:"max_time_s,omitempty"` // of actors and verifiers
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// End is how a loop ended.
type End struct {
	LoopID     string `json:"loop_id"`
	Success    bool   `json:"success"`
	Reason     Reason `json:"reason"`
	Detail     string `json:"detail,omitempty"`
	Iterations int    `json:"iterations"`
	Ended      string `json:"ended"` // RFC 3339, of the last record
}

// Reason is why a loop ended.
type Reason string

// The reasons (guide, "When Reflections Are Generated"), and four more: the verifiers passed
// before anything was tried, they passed only by changing tests, golden files or a verifier,
// nothing came further for a while, and the actor said that a person is needed.
const (
	Passed   Reason = "passed"
	Changing Reason = "passed_by_changing_tests"
	Nothing  Reason = "nothing_to_do"
	Limit    Reason = "max_iterations"
	Stuck    Reason = "stuck"
	Blocked  Reason = "blocked"
	Critical Reason = "critical_error"
	Cost     Reason = "max_cost"
	Time     Reason = "max_time"
)

// CanGoOn reports whether a loop that ended so may be let go on. One that discards has nothing to go on
// with.
func (c *Config) CanGoOn(r Reason) bool {
	return !c.Discard && slices.Contains([]Reason{Changing, Limit, Stuck, Blocked, Cost, Time}, r)
}

// SameCommand reports whether two loops were begun alike, but for what may change when one goes on.
func (c *Config) SameCommand(o *Config) bool {
	x := *c
	x.LoopID, x.Created, x.WentOn, x.TestsToo, x.Max, x.MaxCost, x.MaxTime = o.LoopID, o.Created, o.WentOn, o.TestsToo, o.Max, o.MaxCost, o.MaxTime
	x.Wait, x.ActorTimeout, x.VerifyTimeout = o.Wait, o.ActorTimeout, o.VerifyTimeout // which follow from MaxTime
	return reflect.DeepEqual(x, *o)
}

// DefaultStuck is the number of attempts without progress after which a loop ends.
const DefaultStuck = 5

// MaxTask is the size of the longest task, in bytes.
const MaxTask = 1 << 20
