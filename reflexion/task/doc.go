// Package task keeps the history of tasks for agents that run by themselves: the task,
// each attempt with its plan, actions and outcome, and the reflections (episodic-memory
// schema, agent_protocol).
//
//	DIR/tasks/task-001/metadata.json       the task and its state
//	                   trajectory.json     a summary of each attempt, for history
//	                   reflections.jsonl   one reflection on each line
//	                   attempts/001/       attempt.json plan.md actions.jsonl milestones.jsonl outcome.json
//
// An attempt's own files are the truth; trajectory.json summarizes them, so that a
// history is read from one file. What a killed writer left undone, the next one completes
// (catchUp). Numbers in names are those of reflexion.Ordinal. Writers hold the task's
// lock. The actions, with what tools were given and printed, stay out of git.
package task
