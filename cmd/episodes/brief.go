package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) briefCommand() *cobra.Command {
	var r ask.BriefRequest
	cmd := &cobra.Command{
		Use:   "brief [TEXT]",
		Short: "Print what a session is told once, with its first prompt",
		Example: `  episodes brief "add a retry to the uploader"
  episodes brief --lines 8
  episodes brief --why 3            # line 3, and why it is there`,
		Long: `The brief has at most 20 lines and 900 tokens, each a quotation that stands by itself, with who said it,
when, and a reference for episodes show: what agents and people recorded, commands that failed
and what worked after, what people demanded for good or took back, and conclusions of logs near
the prompt. What came back in most sessions is first, then what is recent and what is near to TEXT
and the branch. A third of the lines are people's where there are any. What AGENTS.md, CLAUDE.md
and such files say already is left out. Hooks give it with the first prompt of a session and once
more after a compaction; brief = N in your episodes/config.toml sets its lines, 0 is off; see
episodes off.`,
		Args:        takes(cobra.MaximumNArgs(1), "one text"),
		Annotations: takesText(graphExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if len(args) > 0 {
				if r.Text, err = a.given(cmd, args[0]); err != nil {
					return err
				}
			}
			r.Lines = cmp.Or(r.Lines, a.flags.limit)
			return question(a, cmd, r, (*ask.Memory).Brief)
		},
	}
	f := cmd.Flags()
	f.IntVar(&r.Lines, "lines", 0, "at most `N` lines; 0: 20")
	f.IntVar(&r.Why, "why", 0, "print line `N` alone, and why it is there")
	return cmd
}
