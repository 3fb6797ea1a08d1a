package main

import (
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/capture"
	"episodes/internal/recall"
	"episodes/query/text"
)

func (a *app) graphCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Make, count, prune and export the causal graph",
		Example: `  episodes graph stats
  episodes graph rebuild
  episodes graph export --format dot | dot -Tsvg >graph.svg`,
		Annotations: exits(graphExits),
		Args:        unknownCommand,
		RunE:        func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.graphWriter("update", "Bring the graph to exactly the set of episode files", (*recall.Session).UpdateGraph),
		a.graphWriter("rebuild", "Write the graph anew from the episode files", (*recall.Session).RebuildGraph),
		a.graphStatsCommand(), a.graphPruneCommand(), a.graphPinCommand(), a.graphExportCommand())
	return cmd
}

func (a *app) graphWriter(use, short string, write recall.GraphWriter) *cobra.Command {
	return &cobra.Command{
		Use:         use,
		Short:       short,
		Example:     "  episodes graph " + use,
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(graphExits + "\n3    some episodes cannot be read; the others are in the graph"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			debug.SetMemoryLimit(512 << 20) // what is written is mapped into memory, beside that
			return a.ask(cmd, func(s *recall.Session) error { return a.graphWrite(cmd, s, write) })
		},
	}
}

func (a *app) graphWrite(cmd *cobra.Command, s *recall.Session, write recall.GraphWriter) error {
	rep, leftOut, err := write(s, cmd.Context())
	if err != nil {
		return err
	}
	for _, line := range leftOut {
		a.warn(line)
	}
	if n := rep.OfOlderTools; n > 0 {
		a.note(plural(n, "episode") + " written by older tools: outcomes taken as unknown, links that only follow order as correlations")
	}
	change := capture.ChangeOf(rep)
	if err := a.answer(cmd, result{data: change, text: a.budgeted(change.String())}); err != nil {
		return err
	}
	hint := ""
	if slices.ContainsFunc(leftOut, func(line string) bool { return strings.HasSuffix(line, fs.ErrPermission.Error()) }) {
		hint = hintReadable
	}
	return a.partly(len(leftOut), hint)
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
			return a.ask(cmd, func(s *recall.Session) error {
				st, err := s.Stats(cmd.Context())
				if err != nil {
					return err
				}
				return a.answer(cmd, result{data: st, text: a.budgeted(statsText(st)), empty: st.Episodes == 0})
			})
		},
	}
}

func statsText(st *recall.Stats) string {
	view := ""
	if st.View != nil {
		view = "\nin view: " + viewText(*st.View)
	}
	return fmt.Sprintf("%s\n%s: %s; %d isolated\n%s: %s; stated %d times\n%s; %s learned across sessions\n%d KB, generation %s%s\n%s",
		plural(st.Episodes, "episode"),
		plural(st.Nodes.Total, "node"), countsText(st.Nodes.ByType), st.Nodes.Isolated,
		plural(st.Edges.Total, "edge"), countsText(st.Edges.ByType), st.Edges.Evidence,
		plural(st.Patterns, "pattern"), plural(st.Learned, "edge"), st.Bytes>>10, text.Printable(st.Generation), view, text.Across(st.Across, st.Learned)+text.Health(st.Health))
}
