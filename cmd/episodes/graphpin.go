package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) graphPinCommand() *cobra.Command {
	var as string
	var alone, remove bool
	cmd := &cobra.Command{
		Use:   "pin [EPISODE#RECORD]",
		Short: "Mark two records as the same fact, or one as a fact of its own",
		Example: `  episodes explain "lock timeout"                 # which records stand at a node, and how they put it
  episodes graph pin 2026-01-12-session-2#e003 --alone
  episodes graph pin 2026-01-12-session-2#e003 --as 2026-01-10-session-1#e001
  episodes graph pin 2026-01-12-session-2#e003 --remove
  episodes graph pin                             # what is pinned`,
		Long: `Records of different sessions become one node of the graph when their words, without numbers
and endings, are the same. Where that is wrong, --alone takes a record out of its node; where
one fact was told in other words, --as puts a record into the node of another. Pins are lines
of the file pins.txt in the memory folder, which you commit.`,
		Args:        takes(cobra.MaximumNArgs(1), "one record"),
		Annotations: exits(graphExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && as == "" && !alone && !remove {
				return question(a, cmd, ask.PinsRequest{}, (*ask.Memory).Pins)
			}
			given := 0
			for _, is := range []bool{as != "", alone, remove} {
				if is {
					given++
				}
			}
			if len(args) == 0 || given != 1 {
				return usage(seeHelp(cmd), "pin needs a record and one of --as, --alone and --remove")
			}
			return question(a, cmd, ask.PinRequest{Record: args[0], As: as, Remove: remove}, (*ask.Memory).Pin)
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "it is the same fact as `EPISODE#RECORD`")
	cmd.Flags().BoolVar(&alone, "alone", false, "it is a fact of its own")
	cmd.Flags().BoolVar(&remove, "remove", false, "let its words decide again")
	return cmd
}
