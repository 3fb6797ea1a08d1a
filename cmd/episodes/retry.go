package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"episodes/internal/learning"
	"episodes/reflexion"
)

// armUse is what --arm says.
const armUse = "show this much of memory: `ARM` is none, last, reflections, graph or all"

func (a *app) retryCommand() *cobra.Command {
	var f windowFlags
	var arm string
	cmd := &cobra.Command{
		Use:   "retry LOOP",
		Short: "Print what the next attempt of a loop should know",
		Example: `  episodes loop retry ralph-cache
  episodes loop retry ralph-cache --max-tokens 500
  agent --print "$(episodes loop retry ralph-cache --arm reflections)"`,
		Long: `The context of the next attempt: the task, the reflections of the window, the errors of the last
attempt, what the causal graph knows of them, and lessons of other sessions about like tasks. A
loop that goes in circles is asked to go another way. It is printed within 2000 tokens of 4 bytes,
or --max-tokens: the errors are kept first, then a line for each attempt and the newest reflections.
All that tools, logs, models and records say is quoted line by line between tags that are drawn for
this prompt.`,
		Args:        takes(cobra.ExactArgs(1), "one loop"),
		Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := f.window()
			if err == nil && w.dynamic {
				err = usage("", "--omega %q: only a loop sizes its window by itself", f.omega)
			}
			if err != nil {
				return err
			}
			r := learning.RetryRequest{Loop: args[0], Arm: arm, Omega: w.omega, Policy: w.policy}
			if err := r.Check(); err != nil {
				return err
			}
			l, err := a.learning(cmd)
			if err != nil {
				return err
			}
			c, err := l.Retry(cmd.Context(), r)
			if err != nil {
				return err
			}
			return a.answer(cmd, result{data: c,
				text: a.budgeted(c.Within(cmp.Or(a.flags.maxTokens, reflexion.PromptTokens)))})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&arm, "arm", "all", armUse)
	return cmd
}
