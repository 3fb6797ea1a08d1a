package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) statsCommand() *cobra.Command {
	var r ask.LedgerRequest
	var errors ask.RecurrencesRequest
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Show whether advice helps: how often it was given and followed, and which failures came back",
		Example: `  episodes stats
  episodes stats --verbose        # with intervals, and how it is counted
  episodes stats --since 7d       # the errors that came back in this week, with what ended them`,
		Long: `Hooks record what they print in a ledger in your state folder. When the transcript of the
session is extracted, its later tool calls show whether the advice was followed, and whether
the same failure came back, in that session or in another one within a week. The control group
are sessions that had the same failures without the advice ("control"). With holdout = 0.1 in
your episodes/config.toml hooks withhold a tenth of the advice at random, which makes the
comparison fair. Hooks stop giving a fact that was given five times and never followed, or after
which its failure comes back more often. Where readers complete sessions, it is shown how many,
what they changed, and what they cost in 30 days. For counts of the graph: episodes graph stats.
With --since it lists the errors that two or more sessions met and that were met since then: the three
that cost most first, then those met last. The first page of episodes serve shows the same.`,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(graphExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if errors.Since != "" {
				errors.Limit = a.flags.limit
				return question(a, cmd, errors, (*ask.Memory).Recurrences)
			}
			r.Limit, r.Explain = a.flags.limit, a.flags.verbose
			return question(a, cmd, r, (*ask.Memory).Ledger)
		},
	}
	cmd.Flags().StringVar(&errors.Since, "since", "", "list the errors that came back and were met since `WHEN`: an age such as 7d, a date or a time")
	return cmd
}
