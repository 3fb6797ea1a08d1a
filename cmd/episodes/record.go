package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"episodes/internal/ask"
	"episodes/internal/learning"
	"episodes/internal/term"
	"episodes/reflexion/history"
)

func (a *app) recordCommand() *cobra.Command {
	var r ask.StateRequest
	var from string
	cmd := &cobra.Command{
		Use:   "record KIND [TEXT]",
		Short: "Record a lesson of a session, its outcome, or a task",
		Example: `  episodes record choice "retry with backoff, not a longer timeout" --because "the server drops idle connections" --session 5f0e2c61
  episodes record fix "run make gen before the linter" --when "lint: undefined: Schema" --lines docs/sessions/12.md:40-44
  episodes record rule "never push to main" --session 5f0e2c61
  episodes record open "the cache is not cleared on logout" --session 5f0e2c61
  episodes record outcome failure --of 2026-01-12-session-2
  episodes record refuted l1a2b3c4d --why "the flag is gone in version 3"
  episodes record --from lessons.jsonl
  episodes record task '{"description": "fix the cache", "completion_criteria": "tests pass"}'
  episodes record attempt "read the tests first" --of task-001
  episodes record outcome '{"status": "failure", "suggestions_for_next_time": ["read the interface"]}' --of task-001`,
		Long: `KIND is fix (an error and what ended it), choice (one of several ways, and why), rule (what a person
demands of work to come), trap (what goes wrong here unless…) or open (one matter left unfinished);
outcome, of a session or decision; or refuted, of a lesson that was wrong. TEXT is one sentence of at most
800 bytes, true for work to come. It is held to the log of its session where that is here: its names,
paths, flags and numbers occur there.

What is recorded is a small file below additions/ of the session's episode, which never changes. A session
without an episode gets a private one, which its transcript completes. An outcome that the log shows or that
a person has corrected stays. decision and lesson are older names of choice, and of fix or rule.

--from takes a file with one JSON object a line, each with session or log: lessons, what became of earlier
ones (again), links between them. Lines that do not hold are refused with a reason; the others are kept. The same file again changes nothing.

An agent that runs by itself can keep the history of a task: KIND task makes one and prints its id,
attempt begins an attempt and prints its plan with what earlier attempts and like tasks taught, action,
milestone and reflection are about the attempt under way, and outcome (success, failure or timeout) ends
it. episodes loop history shows it.
TEXT is words or an object of the episodic-memory schema, - for standard input, or @FILE. Secrets are
redacted before anything is written.`,
		Annotations: takesText(graphExits + "\n1    failed; also: there is no such episode or record\n3    --from: some lines were refused"),
		ValidArgs:   append(ask.StateKinds(), learning.TaskKinds()...),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if from != "" {
				return a.recordFrom(cmd, from, ask.RecordFromRequest{By: r.By})
			}
			if len(args) < 1 || len(args) < 2 && r.Say == "" {
				return takes(cobra.MinimumNArgs(2), "a kind and a text")(cmd, args)
			}
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
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(map[string]string{"why": "because", "asked": "when"}[name], name))
	})
	f.StringVar(&from, "from", "", "take lines of JSON from a `FILE`, or - for standard input")
	f.StringVar(&r.Say, "say", "", "the `TEXT`, in place of the second argument")
	f.StringArrayVar(&r.When, "when", nil, "a situation in which it is needed, in `WORDS` of whoever is in it; up to three times")
	f.StringVar(&r.Question, "question", "", "what was to be decided, in `WORDS`: the first --when")
	f.StringVar(&r.Because, "because", "", "the `REASON`")
	f.StringVar(&r.Was, "was", "", "what was tried or held before, in `WORDS`")
	f.StringArrayVar(&r.Over, "over", nil, "what else could have been chosen: an `OPTION`; may be given several times")
	f.StringVar(&r.Lines, "lines", "", "the `LINES` of the log that show it: FILE:A-B, or A-B,C")
	f.StringVar(&r.Mends, "mends", "", "of a fix: the `REF` of the lesson whose problem it ends")
	f.StringVar(&r.Of, "of", "", "the `REF` of an episode or task; of an outcome also EPISODE#d001")
	f.StringVar(&r.Session, "session", "", "the `ID` that the agent gave its session")
	f.StringVar(&r.By, "by", "", "the `NAME` of the agent")
	return cmd
}

// recordFrom records the lines of a file.
func (a *app) recordFrom(cmd *cobra.Command, file string, r ask.RecordFromRequest) error {
	text, err := a.readInput(cmd.Context(), file)
	if err != nil {
		return err
	}
	r.Text = string(text)
	got, err := answered(a, cmd, r, (*ask.Memory).RecordFrom)
	if err != nil || len(got.Refused) == 0 {
		return err
	}
	return partly("%d of %s refused", len(got.Refused), term.Plural(got.Taken+len(got.Refused), "line"))
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
