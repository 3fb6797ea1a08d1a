package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) graphPruneCommand() *cobra.Command {
	var r ask.PruneRequest
	var reset bool
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Hide old, weak or rarely stated parts of the graph",
		Example: `  episodes graph prune --older-than 180d --min-weight 0.1 --dry-run
  episodes graph prune --older-than 180d --min-weight 0.1
  episodes graph prune --reset                    # show everything again`,
		Long: `This sets the view through which questions see the graph: episodes stay, and only those in view
are counted. An age is turned into a date when it is given. Episodes whose log gives no time are
always in view. The view belongs to this checkout and lasts until --reset.`,
		Args:        takesNothing,
		Annotations: exits(graphExits + "\n3    some episodes cannot be read; the others are in the graph"),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.graphPrune(cmd, r, reset) },
	}
	f := cmd.Flags()
	f.StringVar(&r.OlderThan, "older-than", "",
		"leave out sessions that started before `WHEN`: an age (36h, 180d, 26w), a date or a time")
	f.Float64Var(&r.MinWeight, "min-weight", 0, "hide links of less than `WEIGHT`, 0 to 1")
	f.IntVar(&r.MinSupport, "min-support", 0, "hide links that fewer than `N` episodes state")
	f.BoolVar(&r.DryRun, "dry-run", false, "only say what would be hidden")
	f.BoolVar(&reset, "reset", false, "show everything again")
	return cmd
}

func (a *app) graphPrune(cmd *cobra.Command, r ask.PruneRequest, reset bool) error {
	hides := r.OlderThan != "" || cmd.Flags().Changed("min-weight") || cmd.Flags().Changed("min-support")
	if hides == reset {
		return usage(seeHelp(cmd), "prune needs either --reset or what to hide: --older-than, --min-weight or --min-support")
	}
	view, err := answered(a, cmd, r, (*ask.Memory).Prune)
	if err != nil {
		return err
	}
	return a.leftOut(len(view.LeftOut), "")
}
