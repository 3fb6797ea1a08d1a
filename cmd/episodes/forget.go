package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) forgetCommand() *cobra.Command {
	var r ask.ForgetRequest
	cmd := &cobra.Command{
		Use:   "forget [EPISODE]...",
		Short: "Remove episodes from the memory and the graph; their logs stay",
		Example: `  episodes forget 2026-04-30-session-12
  episodes forget --log .agents/sessions/2026-04-30-session-12.md
  episodes forget --older-than 2025-01-01 --dry-run`,
		Long: `The episode files are deleted, and every answer and export is as if the logs had never been
read. The logs stay. Their digests are kept in forgotten.txt in the memory folder, which you commit:
extract without arguments skips these logs, extract LOG reads one again. --log also forgets
the episodes of exact copies of the log under other names.`,
		Annotations:       exits(graphExits + "\n1    failed; also: something names no episode"),
		ValidArgsFunction: a.completeIDs(0),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Episodes, r.Cwd = args, a.cwd
			return question(a, cmd, r, (*ask.Memory).Forget)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&r.Logs, "log", nil, "what was read from the log `FILE`; may be given again")
	f.StringVar(&r.OlderThan, "older-than", "", "sessions that started before `WHEN`: an age (36h, 180d, 26w), a date or a time")
	f.BoolVar(&r.DryRun, "dry-run", false, "only say what would be forgotten")
	return cmd
}
