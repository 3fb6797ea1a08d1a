package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/term"
	"episodes/reflexion"
)

func (a *app) reflectionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reflections",
		Short: "Look through the reflections of all loops",
		Example: `  episodes reflections search --category edge_case_miss --min-confidence 0.8
  episodes reflections lessons --min-frequency 2`,
		Annotations: exits(memoryExits),
		Args:        unknownCommand,
		RunE:        func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.reflectionsSearchCommand(), a.lessonsCommand())
	return cmd
}

// records reads the records of every loop.
func (a *app) records(cmd *cobra.Command) ([]*reflexion.Record, error) {
	f, err := a.learning(cmd)
	if err != nil {
		return nil, err
	}
	return f.Records()
}

func (a *app) reflectionsSearchCommand() *cobra.Command {
	var q reflexion.Query
	var categories []string
	cmd := &cobra.Command{
		Use:   "search [WORDS]",
		Short: "Find reflections by words, category and confidence",
		Example: `  episodes reflections search API webhook --category integration_error --min-confidence 0.7
  episodes reflections search timeout --successes --limit 5`,
		Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, c := range categories {
				if !slices.Contains(reflexion.Categories(), reflexion.Category(c)) {
					return usage("", "--category %q: must be one of %s", c, list(reflexion.Categories()))
				}
				q.Categories = append(q.Categories, reflexion.Category(c))
			}
			if q.MinConfidence < 0 || q.MinConfidence > 1 {
				return usage("", "--min-confidence %v: must be 0 to 1", q.MinConfidence)
			}
			rs, err := a.records(cmd)
			if err != nil {
				return err
			}
			q.Words, q.Limit = strings.Join(args, " "), a.flags.limit
			found := reflexion.Search(rs, q)
			var b strings.Builder
			for _, f := range found {
				r := f.Record
				what := string(r.Reflection.Category())
				switch {
				case r.Evaluator.Passed:
					what = "passed"
				case what == "":
					what = "no category"
				}
				fmt.Fprintf(&b, "%s, iteration %d (%s): %s\n", r.LoopID, r.Iteration, what, firstLine(r.Task))
				if did := firstLine(r.Actor.Strategy); q.Successes && did != "" {
					fmt.Fprintf(&b, "    strategy: %s\n", did)
				}
				for _, x := range r.Actor.Actions[:min(3, len(r.Actor.Actions))] {
					if q.Successes {
						fmt.Fprintf(&b, "    did: %s\n", firstLine(x.Description))
					}
				}
				if r.Reflected() {
					fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(r.Reflection.Text, "\n", "\n    "))
				}
			}
			text := b.String()
			if len(found) == 0 {
				text = "nothing found\n"
			}
			return a.answer(cmd, result{data: map[string]any{"reflections": found}, text: a.budgeted(term.Lines(text)), empty: len(found) == 0})
		},
	}
	cmd.Flags().StringArrayVar(&categories, "category", nil, "failure `CATEGORY` of the schema (may be given several times)")
	cmd.Flags().Float64Var(&q.MinConfidence, "min-confidence", 0, "at least `X`, 0 to 1")
	cmd.Flags().BoolVar(&q.Successes, "successes", false, "attempts that passed, instead of reflections")
	return cmd
}

func (a *app) lessonsCommand() *cobra.Command {
	var least int
	cmd := &cobra.Command{
		Use: "lessons", Short: "Show what several reflections say", Example: "  episodes reflections lessons --min-frequency 3",
		Args: takes(cobra.NoArgs, "no arguments"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if least < 1 {
				return usage("", "--min-frequency %d: must be 1 or more", least)
			}
			rs, err := a.records(cmd)
			if err != nil {
				return err
			}
			found := reflexion.Lessons(rs, least)
			if a.flags.limit > 0 {
				found = found[:min(len(found), a.flags.limit)]
			}
			var b strings.Builder
			for _, l := range found {
				fmt.Fprintf(&b, "%d times in %s: %s\n", l.Frequency, term.Plural(len(l.Loops), "loop"), l.Text)
			}
			text := b.String()
			if len(found) == 0 {
				text = "no lesson recurs\n"
			}
			return a.answer(cmd, result{data: map[string]any{"lessons": found}, text: a.budgeted(term.Lines(text)), empty: len(found) == 0})
		},
	}
	cmd.Flags().IntVar(&least, "min-frequency", 2, "in at least `N` reflections")
	return cmd
}
