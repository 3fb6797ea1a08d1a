package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) similarCommand() *cobra.Command {
	r, context := ask.AskRequest{Kind: "choice", Of: "decision"}, ""
	cmd := &cobra.Command{
		Use:   "similar WORDS",
		Short: "Find decisions taken in a similar situation: ask, of decisions only",
		Example: `  episodes similar "routing strategy"
  episodes similar "lock timeout of the migration job" --limit 3`,
		Long:        `WORDS are words, - for standard input, or @FILE. The answer is that of ask, of passages with a decision.`,
		Args:        takes(cobra.ArbitraryArgs, "words"),
		Annotations: asksTeam(takesText(graphExits)),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Limit = a.flags.limit
			if context != "" && len(args) > 0 {
				return usage(seeHelp(cmd), "similar takes words or --context, not both")
			}
			text, err := a.given(cmd, cmp.Or(context, strings.Join(args, " ")))
			r.Texts = []string{text}
			if err != nil {
				return err
			}
			return a.asked(cmd, r)
		},
	}
	cmd.Flags().StringVar(&context, "context", "", "the `WORDS`, in place of arguments")
	return cmd
}
