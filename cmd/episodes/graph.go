package main

import (
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) graphCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "graph",
		Short: "Make, count, prune and export the causal graph",
		Example: `  episodes graph stats
  episodes graph rebuild
  episodes graph export --format dot | dot -Tsvg >graph.svg`,
		Annotations: exits(graphExits),
	},
		a.graphWriter("update", "Update the graph to match the episode files", false),
		a.graphWriter("rebuild", "Build the graph again from the episode files", true),
		a.graphStatsCommand(), a.graphPruneCommand(), a.graphExportCommand())
}

func (a *app) graphWriter(use, short string, rebuild bool) *cobra.Command {
	return &cobra.Command{
		Use:         use,
		Short:       short,
		Example:     "  episodes graph " + use,
		Args:        takesNothing,
		Annotations: exits(graphExits + "\n3    some episodes cannot be read; the others are in the graph"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			debug.SetMemoryLimit(512 << 20) // without memory-mapped files
			return a.graphWrite(cmd, ask.UpdateRequest{Rebuild: rebuild})
		},
	}
}

func (a *app) graphWrite(cmd *cobra.Command, r ask.UpdateRequest) error {
	change, err := answered(a, cmd, r, (*ask.Memory).Update)
	if err != nil {
		return err
	}
	hint := ""
	if slices.ContainsFunc(change.LeftOut, func(line string) bool { return strings.HasSuffix(line, fs.ErrPermission.Error()) }) {
		hint = hintReadable
	}
	return a.leftOut(len(change.LeftOut), hint)
}

func (a *app) graphStatsCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "stats",
		Short:       "Count what is in the graph",
		Example:     "  episodes graph stats\n  episodes graph stats --json",
		Long:        `Nodes are errors, decisions and other facts of the logs; edges are the links that logs state.`,
		Args:        takesNothing,
		Annotations: asksEach(exits(graphExits)),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return question(a, cmd, ask.StatsRequest{}, (*ask.Memory).Stats)
		},
	}
}
