package main

import (
	"github.com/spf13/cobra"

	"episodes/episode"
	"episodes/internal/ask"
)

func (a *app) pathCommand() *cobra.Command {
	var r ask.PathRequest
	var types []string
	cmd := &cobra.Command{
		Use:   "path --from X --to Y",
		Short: "Show how one thing led to another",
		Example: `  episodes path --from "lock timeout" --to failure
  episodes path --from 2026-01-12-session-2#d001 --to success -k 1
  episodes path --from "retry with backoff" --to "flaky upload" --types causes,prevents`,
		Long: `X and Y are nodes: by id (n…), by a record of an episode (EPISODE#d001), by an outcome,
or by words. Each step says how many of the sessions that speak of its beginning state it.
The best path comes first: the one whose steps most sessions state (--json gives the
weights). Links of the type correlates claim no cause and are only followed when
--types names them. Where counts over many sessions show a statistical path between the two,
it comes last, marked "across sessions".`,
		Args:        takesNothing,
		Annotations: asksEach(exits(graphExits)),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, t := range types {
				r.Types = append(r.Types, episode.LinkType(t))
			}
			if r.Paths == 0 || r.MaxHops == 0 { // which a request takes for the defaults
				return usage("", "-k and --max-hops must be 1 or more")
			}
			return question(a, cmd, r, (*ask.Memory).Path)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.From, "from", "", "`NODE` where the path starts")
	f.StringVar(&r.To, "to", "", "`NODE` where it ends")
	f.IntVarP(&r.Paths, "paths", "k", 3, "show `N` paths")
	f.IntVar(&r.MaxHops, "max-hops", 8, "the longest path has `N` links")
	f.StringSliceVar(&types, "types", []string{"causes", "enables", "prevents"},
		"`TYPES` of links to follow: causes, enables, prevents, correlates")
	completeValues(cmd, "types", "causes", "enables", "prevents", "correlates")
	f.Float64Var(&r.MinWeight, "min-weight", 0, "follow no links of less than `WEIGHT`")
	return cmd
}
