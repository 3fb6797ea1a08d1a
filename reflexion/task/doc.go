// Package task keeps the history of tasks for agents that run by themselves: what
// was to be done, each attempt with its plan, actions and outcome, and what was
// learned (episodic-memory schema, agent_protocol).
//
//	DIR/tasks/task-001/metadata.json       the task and its state
//	                   trajectory.json     one line an attempt: what history reads
//	                   reflections.jsonl   one line a reflection
//	                   attempts/001/       attempt.json plan.md actions.jsonl milestones.jsonl outcome.json
//
// An attempt's own files are the truth; trajectory.json sums them up, so that a
// history is read from one file however many attempts there are. A writer that
// was killed between the two is made up for by the next one. Numbers in names are
// those of reflexion.Ordinal. Writers hold the lock of the task.
package task
