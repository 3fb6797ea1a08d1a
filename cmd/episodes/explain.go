package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"episodes/graph"
	"episodes/internal/recall"
	"episodes/query"
	"episodes/query/text"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain REF",
		Short: "Show on which episodes, files and lines something rests, with the lines themselves",
		Example: `  episodes explain "lock timeout"                     # a node, by words or by id
  episodes explain 2026-01-12-session-2#d001          # a record
  episodes explain '2026-01-12-session-2#d001>e002'   # a link
  episodes explain 'n0123456789ab>causes>nba9876543210'
  episodes explain p0123456789ab                      # a pattern`,
		Args:        takes(cobra.ExactArgs(1), "one reference (put words in quotes)"),
		Annotations: exits(graphExits),
		RunE:        func(cmd *cobra.Command, args []string) error { return a.explain(cmd, args[0]) },
	}
}

func (a *app) explain(cmd *cobra.Command, ref string) error {
	return a.askGraph(cmd, func(s *recall.Session, g *graph.Graph) error {
		x, logs, err := s.Explain(cmd.Context(), g, ref, a.flags.limit)
		if missing := (*query.NotFoundError)(nil); errors.As(err, &missing) {
			a.noteMissing(missing)
			return a.answer(cmd, result{data: nil, empty: true})
		}
		if err != nil {
			return err
		}
		for _, l := range logs {
			if l.State == recall.Changed || l.State == recall.Gone {
				a.note(fmt.Sprintf("not quoted: the log %q of %s is %s", l.Path, l.Episode, l.State))
			}
		}
		return a.answer(cmd, result{text: text.Explanation(x, a.flags.maxTokens), data: struct {
			*query.Explanation
			Logs []recall.LogNote `json:"logs"`
		}{x, logs}})
	})
}
