package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) getCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "get EPISODE",
		Short: "Show one episode",
		Example: `  episodes get 2026-01-12-session-2
  episodes get episode-2026-01-12            # a prefix that fits no other
  episodes get 2026-01-12-session-2 --json   # the whole episode`,
		Args:        takes(cobra.ExactArgs(1), "one episode: an id, a session or a prefix"),
		Annotations: exits(memoryExits + "\n1    failed; also: the prefix fits several episodes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return question(a, cmd, ask.EpisodeRequest{Ref: args[0]}, (*ask.Memory).Episode)
		},
	}
}

func (a *app) decisionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "decisions EPISODE",
		Short:       "List what was decided in an episode, in order",
		Example:     "  episodes decisions 2026-01-12-session-2\n  episodes decisions 2026-01-12-session-2 --json",
		Args:        takes(cobra.ExactArgs(1), "one episode: an id, a session or a prefix"),
		Annotations: exits(memoryExits + "\n1    failed; also: the prefix fits several episodes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return question(a, cmd, ask.EpisodeRequest{Ref: args[0]}, (*ask.Memory).Decisions)
		},
	}
}
