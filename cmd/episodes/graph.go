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
		a.graphWriter("update", "Bring the graph to exactly the set of episode files", false),
		a.graphWriter("rebuild", "Write the graph anew from the episode files", true),
		a.graphStatsCommand(), a.graphPruneCommand(), a.graphPinCommand(), a.graphExportCommand())
}

func (a *app) graphWriter(use, short string, rebuild bool) *cobra.Command {
	return &cobra.Command{
		Use:         use,
		Short:       short,
		Example:     "  episodes graph " + use,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(graphExits + "\n3    some episodes cannot be read; the others are in the graph"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			debug.SetMemoryLimit(512 << 20) // what is written is mapped into memory, beside that
			return a.ask(cmd, func(m *ask.Memory) error { return a.graphWrite(cmd, m, ask.UpdateRequest{Rebuild: rebuild}) })
		},
	}
}

func (a *app) graphWrite(cmd *cobra.Command, m *ask.Memory, r ask.UpdateRequest) error {
	change, err := m.Update(cmd.Context(), r)
	if err != nil {
		return err
	}
	if err := a.show(cmd, change); err != nil {
		return err
	}
	hint := ""
	if slices.ContainsFunc(change.LeftOut, func(line string) bool { return strings.HasSuffix(line, fs.ErrPermission.Error()) }) {
		hint = hintReadable
	}
	return a.partly(len(change.LeftOut), hint)
}

func (a *app) graphStatsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "stats",
		Short:   "Count what is in the graph",
		Example: "  episodes graph stats\n  episodes graph stats --json",
		Long: `Beside the counts it says how much of the records can bear on a causal answer: how many sessions
have a known outcome, how many records meet those of another session at the same fact, and what to
log to get more. Below 20 sessions with a known outcome, of both kinds, nothing statistical is claimed.`,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(graphExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return question(a, cmd, ask.StatsRequest{}, (*ask.Memory).Stats)
		},
	}
}
