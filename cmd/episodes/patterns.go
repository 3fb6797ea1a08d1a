package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/query"
)

func (a *app) patternsCommand() *cobra.Command {
	r, bad := ask.DefaultPatterns(query.GoodPattern), ask.DefaultPatterns(query.AntiPattern)
	var isBad bool
	cmd := &cobra.Command{
		Use:     "patterns",
		Aliases: []string{"antipatterns"}, // with --bad
		Short:   "Show what works here and, with --bad, what never does",
		Example: `  episodes patterns
  episodes patterns --bad
  episodes patterns --min-success 0.8 --min-occurrences 5 --limit 3`,
		Long: `A pattern is an action that ended well more often than what else was done; with --bad, less
often. It is only claimed when an exact test against its baseline survives the control of false
discoveries, from 20 measured sessions on, and with at least 5 instances (issues, pull requests,
branches; a session that names none is one of its own) that did it and 5 that did not; without
such support there is nothing to show. Counts are of sessions. An option is compared with all
others of its question, under like conditions. A pattern that rests on the logs of a single day
is marked "one day only", one that may not hold on other tasks "for tasks like these only".
Without any pattern, the choices and errors of several sessions are listed as counts.`,
		Args:        takesNothing,
		Annotations: asksEach(exits(graphExits)),
		RunE: func(cmd *cobra.Command, _ []string) error {
			isBad = isBad || cmd.CalledAs() == "antipatterns"
			switch {
			case isBad && cmd.Flags().Changed("min-success"):
				return usage("", "--bad takes --max-success in place of --min-success")
			case !isBad && cmd.Flags().Changed("max-success"):
				return usage("", "--max-success goes with --bad")
			case isBad:
				bad.MinOccurrences = r.MinOccurrences
				return a.patterns(cmd, bad)
			}
			return a.patterns(cmd, r)
		},
	}
	cmd.Flags().BoolVar(&isBad, "bad", false, "what ended well less often than what else was done")
	cmd.Flags().Float64Var(&bad.MaxSuccess, "max-success", bad.MaxSuccess, "with --bad: greatest `RATE` of success")
	cmd.Flags().Float64Var(&r.MinSuccess, "min-success", r.MinSuccess, "least `RATE` of success")
	cmd.Flags().IntVar(&r.MinOccurrences, "min-occurrences", r.MinOccurrences, "at least `N` episodes with a known outcome")
	return cmd
}

func (a *app) patterns(cmd *cobra.Command, r ask.PatternsRequest) error {
	r.Limit = a.flags.limit
	return question(a, cmd, r, (*ask.Memory).Patterns)
}
