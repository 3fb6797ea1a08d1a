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
	return group(&cobra.Command{
		Use:   "reflections",
		Short: "Look through the reflections of all loops",
		Example: `  episodes loop reflections search --category edge_case_miss --min-confidence 0.8
  episodes loop reflections lessons --min-frequency 2`,
		Annotations: exits(memoryExits),
	},
		a.reflectionsSearchCommand(), a.lessonsCommand())
}

func (a *app) reflectionsSearchCommand() *cobra.Command {
	var q reflexion.Query
	var categories []string
	cmd := &cobra.Command{
		Use:   "search [WORDS]",
		Short: "Find reflections by words, category and confidence",
		Example: `  episodes loop reflections search API webhook --category integration_error --min-confidence 0.7
  episodes loop reflections search timeout --successes --limit 5`,
		Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, c := range categories {
				if !slices.Contains(reflexion.Categories(), reflexion.Category(c)) {
					return usage("", "--category %q: must be one of %s", c,
						list(reflexion.Categories()))
				}
				q.Categories = append(q.Categories, reflexion.Category(c))
			}
			if q.MinConfidence < 0 || q.MinConfidence > 1 {
				return usage("", "--min-confidence %v: must be 0 to 1", q.MinConfidence)
			}
			f, err := a.learning(cmd)
			if err != nil {
				return err
			}
			q.Words = strings.Join(args, " ")
			found, err := f.Search(q)
			if err != nil {
				return err
			}
			return listing(a, cmd, "reflections", found, "nothing found",
				func(f reflexion.Found) string { return foundText(f.Record, q.Successes) })
		},
	}
	cmd.Flags().StringArrayVar(&categories, "category", nil, "failure `CATEGORY` of the schema (may be given several times)")
	cmd.Flags().Float64Var(&q.MinConfidence, "min-confidence", 0, "at least `X`, 0 to 1")
	cmd.Flags().BoolVar(&q.Successes, "successes", false,
		"attempts that passed, instead of reflections")
	return cmd
}

// foundText is a record that a search found, for a search of successes with what was done.
func foundText(r *reflexion.Record, successes bool) string {
	var b strings.Builder
	what := string(r.Reflection.Category())
	switch {
	case r.Evaluator.Passed:
		what = "passed"
	case what == "":
		what = "no category"
	}
	fmt.Fprintf(&b, "%s, iteration %d (%s): %s\n", r.LoopID, r.Iteration, what,
		reflexion.FirstLine(r.Task))
	if successes {
		if did := reflexion.FirstLine(r.Actor.Strategy); did != "" {
			fmt.Fprintf(&b, "    strategy: %s\n", did)
		}
		for _, x := range r.Actor.Actions[:min(3, len(r.Actor.Actions))] {
			fmt.Fprintf(&b, "    did: %s\n", reflexion.FirstLine(x.Description))
		}
	}
	if r.Reflected() {
		fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(r.Reflection.Text, "\n", "\n    "))
	}
	return b.String()
}

func (a *app) lessonsCommand() *cobra.Command {
	var least int
	var categories []string
	cmd := &cobra.Command{
		Use: "lessons", Short: "Show what several reflections of loops and tasks say",
		Example: "  episodes loop reflections lessons --min-frequency 3",
		Args:    takesNothing, Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if least < 1 {
				return usage("", "--min-frequency %d: must be 1 or more", least)
			}
			for _, c := range categories {
				if !slices.Contains(reflexion.LessonCategories(), c) {
					return usage("", "--category %q: must be one of %s", c,
						strings.Join(reflexion.LessonCategories(), ", "))
				}
			}
			f, err := a.learning(cmd)
			if err != nil {
				return err
			}
			lessons, err := f.Lessons(least, categories...)
			if err != nil {
				return err
			}
			return listing(a, cmd, "lessons", lessons, "no lesson recurs",
				func(l reflexion.Lesson) string {
					where := "one loop or task"
					if n := len(l.Loops); n > 1 {
						where = fmt.Sprintf("%d loops or tasks", n)
					}
					return fmt.Sprintf("%s in %s: %s\n", term.Plural(l.Frequency, "time"), where,
						reflexion.FirstLine(l.Text))
				})
		},
	}
	cmd.Flags().IntVar(&least, "min-frequency", 2, "in at least `N` reflections")
	cmd.Flags().StringArrayVar(&categories, "category", nil,
		"only from this `PART` of reflections: "+strings.Join(reflexion.LessonCategories(), ", ")+" (may be given several times)")
	return cmd
}
