package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) graphPinCommand() *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   "pin [RECORD [SAME]]",
		Short: "Mark two records as the same fact, or one as a fact of its own",
		Example: `  episodes explain "lock timeout"                 # which records a node has, with their words
  episodes graph pin 2026-01-12-session-2#e003                              # a fact of its own
  episodes graph pin 2026-01-12-session-2#e003 2026-01-10-session-1#e001    # the same fact as that one
  episodes graph pin 2026-01-12-session-2#e003 --remove
  episodes graph pin                             # what is pinned`,
		Long: `Records of different sessions become one node of the graph when their words, without numbers
and endings, are the same. Where that is wrong, pin RECORD takes a record out of its node; where
one fact was written in other words, pin RECORD SAME puts it into the node of another. Pins are lines
of the file pins.txt in the memory folder, which you commit.`,
		Args:        takes(cobra.MaximumNArgs(2), "one record, or two"),
		Annotations: exits(graphExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && !remove:
				return question(a, cmd, ask.PinsRequest{}, (*ask.Memory).Pins)
			case remove && len(args) != 1:
				return usage(seeHelp(cmd), "pin --remove takes one record")
			}
			r := ask.PinRequest{Record: args[0], Remove: remove}
			if len(args) > 1 {
				r.As = args[1]
			}
			return question(a, cmd, r, (*ask.Memory).Pin)
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "let its words decide again")
	return cmd
}
