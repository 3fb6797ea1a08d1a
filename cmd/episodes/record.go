package main

import (
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) recordCommand() *cobra.Command {
	var r ask.StateRequest
	cmd := &cobra.Command{
		Use:   "record decision|lesson|outcome TEXT",
		Short: "Record a statement of an agent: a decision with its reason, a lesson, or an outcome",
		Example: `  episodes record decision "retry with backoff" --over "a longer timeout" --question "the upload times out" --why "the server drops idle connections"
  episodes record lesson "the linter needs the generated files" --session 5f0e2c61
  episodes record outcome success --of stated-2026-01-12-1a2b3c4d#d001
  episodes record outcome failure --of 2026-01-12-session-2`,
		Long: `A statement is stored as a line of the file below corrections/ that belongs to the episode of
the session. It is part of that episode in every answer, marked as a statement of the agent, and
it also applies after the next extraction. A session without an episode gets a private one, which its transcript
completes when it is extracted; so does a statement without --of or --session. A statement does not
change an outcome that the log shows or that a person has corrected.
TEXT is words, - for standard input, or @FILE. Secrets are redacted before anything is written.`,
		Args:        takes(cobra.MinimumNArgs(2), "decision, lesson or outcome, and a text"),
		Annotations: takesText(graphExits + "\n1    failed; also: there is no such episode or record"),
		ValidArgs:   ask.StateKinds(),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			r.Kind = args[0]
			if r.Text, err = a.given(cmd, strings.Join(args[1:], " ")); err != nil {
				return err
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
	f.StringVar(&r.Of, "of", "", "the `REF` of an episode; of an outcome also EPISODE#d001")
	f.StringVar(&r.Session, "session", "", "the `ID` that the agent gave its session")
	f.StringVar(&r.By, "by", "", "the `NAME` of the agent")
	return cmd
}
