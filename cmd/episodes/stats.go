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
		Short: "Show what agents were told, what came of it, and which failures came back",
		Example: `  episodes stats
  episodes stats --since 7d       # the errors that came back in this week, with what ended them`,
		Long: `Hooks record what they tell in a ledger in your state folder. When the transcript of the session is extracted,
its later edits and commands show whether they contain what a line names, and whether the failure that it was about
came back in that session. Where that cannot be told, nothing is counted. With holdout = 0.1 in your
episodes/config.toml hooks withhold a tenth at random, to compare with. A line that was told five times by itself and
never followed is told so no more, unless a person demanded it. Where readers complete sessions, it is shown how many,
what they changed, and what they cost in 30 days. For counts of the graph: episodes graph stats.
With --since the three errors that cost most come first, then those met last. The first page of episodes serve shows the same.`,
		Args:        takesNothing,
		Annotations: exits(graphExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if errors.Since != "" {
				errors.Limit = a.flags.limit
				return question(a, cmd, errors, (*ask.Memory).Recurrences)
			}
			r.Limit = a.flags.limit
			return question(a, cmd, r, (*ask.Memory).Ledger)
		},
	}
	cmd.Flags().StringVar(&errors.Since, "since", "", "list the errors that came back and were met since `WHEN`: an age such as 7d, a date or a time")
	return cmd
}
