package main

import (
	"github.com/spf13/cobra"

	"episodes/graph"
	"episodes/internal/recall"
	"episodes/patterns"
	"episodes/query"
	"episodes/query/text"
)

func (a *app) patternsCommand() *cobra.Command {
	o := patterns.Defaults()
	cmd := &cobra.Command{
		Use:   "patterns",
		Short: "Show what works here: actions that ended well more often than what else was done",
		Example: `  episodes patterns
  episodes patterns --min-success 0.8 --min-occurrences 5 --limit 3`,
		Long: `A pattern is only claimed when Fisher's test with mid-p against its baseline survives the control
of false discoveries; without such support there is nothing to show. Counts are over episodes.
For a question they are those that whatif shows, but held against all other options together
instead of one; after an event only the decisions count that the logs say it led to.`,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(graphExits),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.patterns(cmd, o, query.GoodPattern) },
	}
	cmd.Flags().Float64Var(&o.MinSuccess, "min-success", o.MinSuccess, "least `RATE` of success")
	cmd.Flags().IntVar(&o.MinOccurrences, "min-occurrences", o.MinOccurrences, "at least `N` episodes with a known outcome")
	return cmd
}

func (a *app) antiPatternsCommand() *cobra.Command {
	o := patterns.Defaults()
	cmd := &cobra.Command{
		Use:   "antipatterns",
		Short: "Show what never works here: actions that ended well less often than what else was done",
		Example: `  episodes antipatterns
  episodes antipatterns --max-success 0.2 --min-occurrences 5`,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(graphExits),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.patterns(cmd, o, query.AntiPattern) },
	}
	cmd.Flags().Float64Var(&o.MaxSuccess, "max-success", o.MaxSuccess, "greatest `RATE` of success")
	cmd.Flags().IntVar(&o.MinOccurrences, "min-occurrences", o.MinOccurrences, "at least `N` episodes with a known outcome")
	return cmd
}

func (a *app) patterns(cmd *cobra.Command, o patterns.Options, kind query.PatternKind) error {
	switch {
	case o.MinSuccess < 0 || o.MinSuccess > 1 || o.MaxSuccess < 0 || o.MaxSuccess > 1:
		return usage("", "a rate of success must be between 0 and 1")
	case o.MinOccurrences < 1:
		return usage("", "--min-occurrences must be 1 or more")
	}
	return a.askGraph(cmd, func(_ *recall.Session, g *graph.Graph) error {
		all, err := patterns.Mine(g, o)
		if err != nil {
			return err
		}
		r := all.Only(kind)
		if a.flags.limit > 0 && a.flags.limit < len(r.Patterns) {
			r.Patterns = r.Patterns[:a.flags.limit]
		}
		return a.answer(cmd, result{data: r, text: text.Patterns(r.Patterns, r.Considered, a.flags.maxTokens), empty: len(r.Patterns) == 0})
	})
}
