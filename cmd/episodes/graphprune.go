package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"episodes/internal/memory"
	"episodes/internal/recall"
	"episodes/query"
)

// pruneFlags say what is out of view.
type pruneFlags struct {
	older       string
	weight      float64
	support     int
	dry, showIt bool
}

func (a *app) graphPruneCommand() *cobra.Command {
	var pf pruneFlags
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Show less of the graph: nothing old, weak or rarely stated",
		Example: `  episodes graph prune --older-than 180d --min-weight 0.1 --dry-run
  episodes graph prune --older-than 180d --min-weight 0.1
  episodes graph prune --reset                    # show everything again`,
		Long: `This sets the view through which questions see the graph, in place of the one before. It
deletes nothing: episodes stay, and the graph is counted again from those in view. An age
is turned into a date when it is given, so that the same episodes give the same answers
tomorrow. Episodes whose log gives no time are always in view. The view belongs to this
checkout and lasts until --reset.`,
		Args:        takes(cobra.NoArgs, "no arguments but its flags"),
		Annotations: exits(graphExits + "\n3    some episodes cannot be read; the others are in the graph"),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.graphPrune(cmd, pf) },
	}
	f := cmd.Flags()
	f.StringVar(&pf.older, "older-than", "", "leave out sessions that started before `WHEN`: an age (36h, 180d, 26w), a date or a time")
	f.Float64Var(&pf.weight, "min-weight", 0, "hide links of less than `WEIGHT`, 0 to 1")
	f.IntVar(&pf.support, "min-support", 0, "hide links that fewer than `N` episodes state")
	f.BoolVar(&pf.dry, "dry-run", false, "only say what would be hidden")
	f.BoolVar(&pf.showIt, "reset", false, "show everything again")
	return cmd
}

func (a *app) graphPrune(cmd *cobra.Command, pf pruneFlags) error {
	view, err := a.pruneView(cmd, pf)
	if err != nil {
		return err
	}
	return a.ask(cmd, func(s *recall.Session) error {
		p, leftOut, err := s.Prune(cmd.Context(), view, pf.dry)
		if err != nil {
			return err
		}
		for _, line := range leftOut {
			a.warn(line)
		}
		if err := a.answer(cmd, result{data: p, text: a.budgeted(prunedText(p))}); err != nil {
			return err
		}
		return a.partly(len(leftOut), "")
	})
}

func (a *app) pruneView(cmd *cobra.Command, pf pruneFlags) (v memory.View, err error) {
	some := pf.older != "" || cmd.Flags().Changed("min-weight") || cmd.Flags().Changed("min-support")
	switch {
	case some == pf.showIt:
		return v, usage(seeHelp(cmd), "prune needs either --reset or what to hide: --older-than, --min-weight or --min-support")
	case pf.weight < 0 || pf.weight > 1 || pf.weight != pf.weight:
		return v, usage("", "--min-weight must be between 0 and 1")
	case pf.support < 0:
		return v, usage("", "--min-support must be 0 or more")
	}
	v.MinWeight, v.MinSupport = pf.weight, pf.support
	if pf.older != "" {
		t, err := query.ParseMoment(pf.older, a.now())
		if err != nil {
			return v, usage("an age such as 180d, a date such as 2026-01-31, or a time", "--older-than: %v", err)
		}
		v.Before = t.UTC().Format(time.RFC3339)
	}
	return v, nil
}

func prunedText(p *recall.Pruned) string {
	verb := "hidden"
	if p.DryRun {
		verb = "would be hidden"
	}
	return fmt.Sprintf("view: %s\n%s: %s, %s, %s\nin view: %s, %s, %s", viewText(p.View),
		verb, plural(p.Hidden.Episodes, "episode"), plural(p.Hidden.Nodes, "node"), plural(p.Hidden.Edges, "edge"),
		plural(p.Left.Episodes, "episode"), plural(p.Left.Nodes, "node"), plural(p.Left.Edges, "edge"))
}

// viewText says what a view shows.
func viewText(v memory.View) string {
	var parts []string
	if v.Before != "" {
		parts = append(parts, "sessions since "+v.Before)
	}
	if v.MinWeight > 0 {
		parts = append(parts, fmt.Sprintf("links of weight %g or more", v.MinWeight))
	}
	if v.MinSupport > 0 {
		parts = append(parts, "links stated by "+plural(v.MinSupport, "episode")+" or more")
	}
	if parts == nil {
		return "everything"
	}
	return strings.Join(parts, "; ")
}
