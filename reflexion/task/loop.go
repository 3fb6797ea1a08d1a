package task

import (
	"strings"

	"episodes/reflexion"
)

// FromLoop shows a loop as a task: each iteration is an attempt. The records of
// the loop stay the only truth of it.
func FromLoop(records []*reflexion.Record) *History {
	h := &History{Attempts: []Step{}}
	for i, r := range records {
		if i == 0 {
			h.Task = Metadata{ID: r.LoopID, Description: r.Task, Created: r.Timestamp, Tags: []string{}, Related: []string{}}
		}
		reward := r.Evaluator.RewardOr()
		s := Step{AttemptID: r.Iteration + 1, Started: r.Timestamp, Ended: r.Timestamp, Outcome: Failure, Plan: r.Actor.Strategy, Actions: len(r.Actor.Actions), Iterations: 1, Quality: &reward}
		for _, e := range r.Evaluator.Errors {
			if e.Type == reflexion.Timeout {
				s.Outcome = Timeout
			}
		}
		if r.Evaluator.Passed {
			s.Outcome = Success
		}
		h.Attempts = append(h.Attempts, s)
		h.Task.Updated, h.Task.TotalAttempts, h.Task.Status = r.Timestamp, r.Iteration+1, Paused
		if r.Evaluator.Passed {
			h.Task.Status, h.Task.Completed = Completed, r.Timestamp
		}
		if r.Reflected() {
			learning := strings.Join(append(append([]string{}, r.Reflection.Insights...), r.Reflection.Lessons...), "; ")
			h.Reflections = append(h.Reflections, Reflection{Timestamp: r.Timestamp, AttemptID: r.Iteration + 1, Observation: r.Reflection.Text, Analysis: r.Reflection.Causal,
				Learning: learning, ActionItems: append([]string{}, r.Reflection.Insights...), TriggeredBy: s.Outcome, Type: "error-analysis"})
		}
	}
	return h
}
