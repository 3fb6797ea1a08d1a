package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) statsCommand() *cobra.Command {
	var r ask.LedgerRequest
	return &cobra.Command{
		Use:   "stats",
		Short: "Say whether it pays: what agents were told, what they followed, which failures came back",
		Example: `  episodes stats
  episodes stats --verbose        # with intervals, and how it is counted`,
		Long: `Hooks keep account of what they tell, in your own state folder. When the transcript of the
session is taken in, the calls behind each telling are compared with it: was it followed, and
did the same failure come back, in that session or in another one within a week? Beside these
counts stand the sessions that met the same failures untold. With holdout = 0.1 in
episodes/config.toml, in your own settings, hooks hold back a tenth at random, which makes the
comparison fair. A fact that was told five times and never followed goes silent, and so does
one after which its failure comes back more often. For counts of the graph: episodes graph stats.`,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r.Limit, r.Explain = a.flags.limit, a.flags.verbose
			return question(a, cmd, r, (*ask.Memory).Ledger)
		},
	}
}
