package main

import (
	"context"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) briefCommand() *cobra.Command {
	var r ask.BriefRequest
	cmd := &cobra.Command{
		Use:         "brief [TEXT]",
		Short:       "Print what a session is told once, at its first prompt",
		Annotations: takesText(graphExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := ""
			if len(args) > 0 {
				given = args[0]
			}
			var err error
			if r.Text, err = a.given(cmd, given); err != nil {
				return err
			}
			return question(a, cmd, r, func(m *ask.Memory, ctx context.Context, r ask.BriefRequest) (*ask.BriefAnswer, error) {
				return m.Brief(ctx, r)
			})
		},
	}
	cmd.Flags().IntVar(&r.Lines, "lines", 0, "at most `N` lines")
	return cmd
}
