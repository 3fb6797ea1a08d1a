package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/recall"
	"episodes/patterns"
	"episodes/query"
	"episodes/query/text"
)

func (a *app) patternsCommand() *cobra.Command {
	o, why := patterns.Defaults(), false
	cmd := &cobra.Command{
		Use:   "patterns",
		Short: "Show what works here: actions that ended well more often than what else was done",
		Example: `  episodes patterns
  episodes patterns --min-success 0.8 --min-occurrences 5 --limit 3`,
		Long: `A pattern is only claimed when an exact test against its baseline survives the control of false
discoveries, and from 20 measured sessions on; without such support there is nothing to show.
Counts are over episodes. The options of a question are held against all others there, under
like conditions; after an event only the decisions count that the logs say it led to.`,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(graphExits),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.patterns(cmd, o, query.GoodPattern, why) },
	}
	cmd.Flags().Float64Var(&o.MinSuccess, "min-success", o.MinSuccess, "least `RATE` of success")
	cmd.Flags().IntVar(&o.MinOccurrences, "min-occurrences", o.MinOccurrences, "at least `N` episodes with a known outcome")
	explainFlag(cmd, &why)
	return cmd
}

func (a *app) antiPatternsCommand() *cobra.Command {
	o, why := patterns.Defaults(), false
	cmd := &cobra.Command{
		Use:   "antipatterns",
		Short: "Show what never works here: actions that ended well less often than what else was done",
		Example: `  episodes antipatterns
  episodes antipatterns --max-success 0.2 --min-occurrences 5`,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(graphExits),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.patterns(cmd, o, query.AntiPattern, why) },
	}
	cmd.Flags().Float64Var(&o.MaxSuccess, "max-success", o.MaxSuccess, "greatest `RATE` of success")
	cmd.Flags().IntVar(&o.MinOccurrences, "min-occurrences", o.MinOccurrences, "at least `N` episodes with a known outcome")
	explainFlag(cmd, &why)
	return cmd
}

func (a *app) patterns(cmd *cobra.Command, o patterns.Options, kind query.PatternKind, why bool) error {
	switch {
	case o.MinSuccess < 0 || o.MinSuccess > 1 || o.MaxSuccess < 0 || o.MaxSuccess > 1:
		return usage("", "a rate of success must be between 0 and 1")
	case o.MinOccurrences < 1:
		return usage("", "--min-occurrences must be 1 or more")
	}
	return a.ask(cmd, func(s *recall.Session) error {
		all, err := s.Patterns(cmd.Context(), o)
		if err != nil {
			return err
		}
		r := all.Only(kind)
		if a.flags.limit > 0 && a.flags.limit < len(r.Patterns) {
			r.Patterns = r.Patterns[:a.flags.limit]
		}
		told := text.Patterns(r.Patterns, r.Considered, a.flags.maxTokens)
		if why || len(r.Patterns) == 0 {
			study, err := s.Study(cmd.Context())
			if err != nil {
				return err
			}
			if h := study.Health(); why || !h.Enough {
				r.Explain = query.PatternReasons(r.Patterns, r.Considered, r.Testable, h)
				told += text.Reasons(r.Explain)
			}
		}
		return a.answer(cmd, result{data: r, text: a.budgeted(told), empty: len(r.Patterns) == 0})
	})
}
