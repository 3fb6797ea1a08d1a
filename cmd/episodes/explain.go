package main

import (
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain REF",
		Short: "Show on what an error, a decision, a link or a pattern rests: sessions, files, lines",
		Example: `  episodes explain n0123456789ab                      # an error or a decision
  episodes explain 2026-01-12-session-2#d001          # a decision of one session
  episodes explain '2026-01-12-session-2#d001>e002'   # a link of one session
  episodes explain 'n0123456789ab>causes>nba9876543210'
  episodes explain p0123456789ab                      # a pattern`,
		Long: `REF is an id as other commands print it; for words, - for standard input, or @FILE the answer is that of ask.
Counts are of sessions: "Fix that held, 2 of 2" was done in two sessions that ended well, and
no later session speaks of the error again. The answer keeps to 2000 tokens, or --max-tokens,
and counts what it leaves out; --json has all of it, with weights and intervals.`,
		Args:              takes(cobra.MinimumNArgs(1), "words or a reference"),
		Annotations:       asksEach(takesText(graphExits)),
		ValidArgsFunction: a.completeIDs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ref, err := a.given(cmd, strings.Join(args, " "))
			if err != nil {
				return err
			}
			if !ask.Reference(ref) {
				return a.asked(cmd, ask.AskRequest{Texts: []string{ref}, Limit: a.flags.limit})
			}
			return question(a, cmd, ask.ExplainRequest{Ref: ref, Limit: a.flags.limit}, (*ask.Memory).Explain)
		},
	}
}
