package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/recall"
	"episodes/query"
	"episodes/query/text"
)

// pathFlags are what path can be asked for.
type pathFlags struct {
	from, to string
	k, hops  int
	types    []string
	weight   float64
	why      bool
}

func (a *app) pathCommand() *cobra.Command {
	var pf pathFlags
	cmd := &cobra.Command{
		Use:   "path --from X --to Y",
		Short: "Show how one thing led to another",
		Example: `  episodes path --from "lock timeout" --to failure
  episodes path --from 2026-01-12-session-2#d001 --to success -k 1
  episodes path --from "retry with backoff" --to "flaky upload" --types causes,prevents`,
		Long: `X and Y are nodes: by id (n…), by a record of an episode (EPISODE#d001), by an outcome,
or by words. The weight of a path is the product of the weights of its links: how firmly
the logs state it, not how likely the end is. Links of the type correlates claim no cause
and are only followed when --types names them. What sessions show across each other, where
they show anything, comes beside it: there a weight is how probably one brings about the other.`,
		Args:        takes(cobra.NoArgs, "no arguments but its flags"),
		Annotations: exits(graphExits),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.path(cmd, pf) },
	}
	f := cmd.Flags()
	f.StringVar(&pf.from, "from", "", "`NODE` where the path starts")
	f.StringVar(&pf.to, "to", "", "`NODE` where it ends")
	f.IntVarP(&pf.k, "paths", "k", 3, "show `N` paths")
	f.IntVar(&pf.hops, "max-hops", 8, "the longest path has `N` links")
	explainFlag(cmd, &pf.why)
	f.StringSliceVar(&pf.types, "types", []string{"causes", "enables", "prevents"}, "`TYPES` of links to follow: causes, enables, prevents, correlates")
	f.Float64Var(&pf.weight, "min-weight", 0, "follow no links of less than `WEIGHT`")
	return cmd
}

func (a *app) path(cmd *cobra.Command, pf pathFlags) error {
	o := query.PathOptions{K: pf.k, MaxHops: pf.hops, MinWeight: pf.weight}
	for _, t := range pf.types {
		if !slices.Contains(episode.LinkTypes(), episode.LinkType(t)) {
			return usage("causes, enables, prevents and correlates", "--types %q: no such type of link", t)
		}
		o.Types = append(o.Types, episode.LinkType(t))
	}
	switch {
	case strings.TrimSpace(pf.from) == "" || strings.TrimSpace(pf.to) == "":
		return usage(seeHelp(cmd), "path needs --from and --to")
	case pf.k < 1 || pf.hops < 1:
		return usage("", "-k and --max-hops must be 1 or more")
	case pf.weight < 0 || pf.weight > 1:
		return usage("", "--min-weight must be between 0 and 1")
	}
	return a.askGraph(cmd, func(s *recall.Session, g *graph.Graph) error {
		o.Episodes = s
		study := s.StudyAtHand
		if pf.why {
			study = s.Study
		}
		var err error
		if o.Study, err = study(cmd.Context()); err != nil {
			return err
		}
		r, err := query.Paths(g, pf.from, pf.to, o)
		if missing := (*query.NotFoundError)(nil); errors.As(err, &missing) {
			a.noteMissing(missing)
			return a.answer(cmd, result{empty: true, data: map[string]any{
				"from": nil, "to": nil, "paths": []query.Path{}, "resolved": map[string]any{}, "not_found": notFound(missing)}})
		}
		if err != nil {
			return err
		}
		told := text.Path(r, a.flags.maxTokens)
		if pf.why {
			r.Explain = r.Reasons(o.Study.Health())
			told += text.Reasons(r.Explain)
		}
		return a.answer(cmd, result{data: r, text: a.budgeted(told), empty: len(r.Paths) == 0 && !r.Learned.Any()})
	})
}

// noteMissing says that a reference names nothing, and what comes closest.
func (a *app) noteMissing(e *query.NotFoundError) {
	a.note(e.Error())
	if hint := e.Hint(); hint != "" {
		a.note(hint)
	}
}

func notFound(e *query.NotFoundError) map[string]any {
	nearest := e.Nearest
	if nearest == nil {
		nearest = []query.Match{}
	}
	return map[string]any{"ref": e.Ref, "message": e.Error(), "nearest": nearest}
}
