package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) similarCommand() *cobra.Command {
	var r ask.SimilarRequest
	cmd := &cobra.Command{
		Use:   "similar WORDS",
		Short: "Find decisions taken in a similar situation, with outcomes and reasons",
		Example: `  episodes similar "routing strategy"
  episodes similar "lock timeout of the migration job" --limit 3`,
		Long: `WORDS are words, - for standard input, or @FILE; --context WORDS is the same. They are compared
with the question, the options and the reasons of each decision, and with the task of its
session. The decisions that fit best are shown, the newest first.`,
		Args:        takes(cobra.ArbitraryArgs, "words"),
		Annotations: asksTeam(takesText(graphExits)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			r.Limit = a.flags.limit
			if r.Context != "" && len(args) > 0 {
				return usage(seeHelp(cmd), "similar takes words or --context, not both")
			}
			if r.Context, err = a.given(cmd, cmp.Or(r.Context, strings.Join(args, " "))); err != nil {
				return err
			}
			return question(a, cmd, r, (*ask.Memory).Similar)
		},
	}
	cmd.Flags().StringVar(&r.Context, "context", "", "the `WORDS`, in place of arguments")
	return cmd
}
