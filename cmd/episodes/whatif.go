package main

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"episodes/graph"
	"episodes/internal/recall"
	"episodes/query"
	"episodes/query/text"
)

func (a *app) whatIfCommand() *cobra.Command {
	var q query.WhatIfQuery
	var why bool
	cmd := &cobra.Command{
		Use:   "whatif --decision OPTION",
		Short: "Compare an option with what was done instead",
		Example: `  episodes whatif --decision "content hash"
  episodes whatif --decision "retry with backoff" --context "how to handle the lock timeout"
  episodes whatif --decision "squash merge" --episode 2026-01-12-session-2`,
		Long: `Both sides are counted over the episodes that decided the same question. From 20 measured
sessions on they are compared under like conditions: by a model of option, task and what was
seen before the choice. Too little evidence gives "not enough evidence", never a guess.`,
		Args:        takes(cobra.NoArgs, "no arguments but its flags"),
		Annotations: exits(graphExits),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.whatIf(cmd, q, why) },
	}
	f := cmd.Flags()
	f.StringVar(&q.Option, "decision", "", "`OPTION` by words; or a decision, EPISODE#d001")
	f.StringVar(&q.Episode, "episode", "", "compare with what this `EPISODE` chose")
	explainFlag(cmd, &why)
	f.StringVar(&q.Context, "context", "", "`WORDS` of the question that was decided")
	return cmd
}

func (a *app) whatIf(cmd *cobra.Command, q query.WhatIfQuery, why bool) error {
	if strings.TrimSpace(q.Option) == "" {
		return usage(seeHelp(cmd), "whatif needs --decision")
	}
	return a.askGraph(cmd, func(s *recall.Session, g *graph.Graph) (err error) {
		if q.Episode != "" {
			if q.Episode, err = s.Find(q.Episode); errors.Is(err, fs.ErrNotExist) {
				return &failure{code: codeFailed, err: err, hint: "episodes list shows the episodes"}
			} else if err != nil {
				return err
			}
		}
		if q.Option, err = s.DecisionRef(q.Option); err != nil {
			return err
		}
		if q.Study, err = s.Study(cmd.Context()); err != nil {
			return err
		}
		if q.Choices, err = s.Choices(cmd.Context()); err != nil {
			return err
		}
		r, err := query.WhatIf(g, q)
		if errors.Is(err, query.ErrContradiction) {
			return usage("--decision EPISODE#d001 stands alone; an option in words takes --episode and --context", "%v", err)
		}
		if err != nil {
			return err
		}
		told := text.WhatIf(r, a.flags.maxTokens)
		if why {
			r.Explain = r.Reasons(q.Study.Health())
			told += text.Reasons(r.Explain)
		}
		return a.answer(cmd, result{data: r, text: a.budgeted(told), empty: r.Verdict == query.NotEnoughEvidence})
	})
}
