package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/learning"
	"episodes/internal/term"
	"episodes/reflexion/history"
)

func (a *app) recordCommand() *cobra.Command {
	var r ask.StateRequest
	cmd := &cobra.Command{
		Use:   "record KIND TEXT",
		Short: "Record a statement of an agent: a decision with its reason, a lesson, an outcome, or a task",
		Example: `  episodes record decision "retry with backoff" --over "a longer timeout" --question "the upload times out" --why "the server drops idle connections"
  episodes record lesson "the linter needs the generated files" --session 5f0e2c61
  episodes record outcome success --of stated-2026-01-12-1a2b3c4d#d001
  episodes record outcome failure --of 2026-01-12-session-2
  episodes record task '{"description": "fix the cache", "completion_criteria": "tests pass"}'
  episodes record attempt "read the tests first" --of task-001
  episodes record action '{"type": "bash", "tool": "go", "error": "undefined: x"}' --of task-001
  episodes record outcome '{"status": "failure", "suggestions_for_next_time": ["read the interface"]}' --of task-001`,
		Long: `KIND is decision, lesson or outcome. A statement is a line of the file below corrections/ of
the session's episode, marked as the agent's own. A session without an episode gets a private one, which
its transcript completes. It does not change an outcome that the log shows or that a person has
corrected.

An agent that runs by itself can keep the history of a task: KIND task makes one
and prints its id, attempt begins an attempt and prints its plan with what
earlier attempts and like tasks taught, action, milestone and reflection are
about the attempt under way, and outcome (success, failure or timeout) ends it.
episodes loop history shows it.
TEXT is words or an object of the episodic-memory schema, - for standard input, or @FILE. Secrets are
redacted before anything is written.`,
		Args:        takes(cobra.MinimumNArgs(2), "a kind and a text"),
		Annotations: takesText(graphExits + "\n1    failed; also: there is no such episode or record"),
		ValidArgs:   append(ask.StateKinds(), learning.TaskKinds()...),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			r.Kind = args[0]
			if r.Text, err = a.given(cmd, strings.Join(args[1:], " ")); err != nil {
				return err
			}
			if learning.OfTask(r.Kind, r.Of) {
				return a.recordOfTask(cmd, learning.TaskRequest{Kind: r.Kind, Text: r.Text,
					Of: r.Of, By: r.By})
			}
			return question(a, cmd, r, (*ask.Memory).State)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&r.Over, "over", nil, "what else could have been chosen: an `OPTION`; may be given several times")
	f.StringVar(&r.Question, "question", "", "what was to be decided, in `WORDS`")
	f.StringVar(&r.Why, "why", "", "the `REASON` of a decision")
	f.StringArrayVar(&r.Asked, "asked", nil,
		"what somebody may say to whom it is of use, in other `WORDS`; may be given several times")
	f.StringVar(&r.Of, "of", "", "the `REF` of an episode or task; of an outcome also EPISODE#d001")
	f.StringVar(&r.Session, "session", "", "the `ID` that the agent gave its session")
	f.StringVar(&r.By, "by", "", "the `NAME` of the agent")
	return cmd
}

// recordOfTask records what an agent states of a task.
func (a *app) recordOfTask(cmd *cobra.Command, r learning.TaskRequest) error {
	f, err := a.learning(cmd)
	if err != nil {
		return err
	}
	got, err := f.StateOfTask(cmd.Context(), r)
	if err != nil {
		return err
	}
	text := ""
	switch {
	case got.Attempt != nil:
		text = got.Attempt.PlanText
	case got.Reflection != nil:
		text = history.Text(*got.Reflection)
	case r.Kind == "task" && r.Of == "":
		text = got.Task.ID
	case r.Kind == "task" || r.Kind == "outcome":
		text = fmt.Sprintf("%s is %s after %s", got.Task.ID, got.Task.Status,
			term.Plural(got.Task.TotalAttempts, "attempt"))
	}
	return a.answer(cmd, result{data: got, text: a.budgeted(term.Lines(text))})
}
