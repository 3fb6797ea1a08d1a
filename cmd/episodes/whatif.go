package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) whatIfCommand() *cobra.Command {
	var r ask.WhatIfRequest
	cmd := &cobra.Command{
		Use:   "whatif OPTION",
		Short: "Compare an option with what was done instead",
		Example: `  episodes whatif "content hash"
  episodes whatif "bash or python for the hooks?"
  episodes whatif "retry with backoff" --context "how to handle the lock timeout"
  episodes whatif "squash merge" --episode 2026-01-12-session-2`,
		Long: `OPTION is words, a question between options, a decision (EPISODE#d001), - for standard
input, or @FILE.

Both sides are counted over the sessions that decided the same question: how often each was
tried, and how often it worked. Where no session decided between the options, each is shown by
itself. Too little evidence gives "not enough evidence", never a guess.

From 20 sessions with a known outcome on, a model of option, task and what was seen before
the choice compares the two under like conditions. A verdict that rests on the logs of a
single day is marked "one day only".`,
		Args:        takes(cobra.ArbitraryArgs, "an option"),
		Annotations: asksEach(takesText(graphExits)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if r.Option != "" && len(args) > 0 {
				return usage(seeHelp(cmd), "whatif takes one option, %q or --decision %q", strings.Join(args, " "), r.Option)
			}
			if r.Option, err = a.given(cmd, cmp.Or(r.Option, strings.Join(args, " "))); err != nil {
				return err
			}
			return question(a, cmd, r, (*ask.Memory).WhatIf)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.Option, "decision", "", "the `OPTION`, in place of an argument")
	f.StringVar(&r.Episode, "episode", "", "compare with what this `EPISODE` chose")
	_ = cmd.RegisterFlagCompletionFunc("episode", a.completeIDs(0))
	f.StringVar(&r.Context, "context", "", "`WORDS` of the question that was decided")
	return cmd
}
