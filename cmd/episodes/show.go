package main

import (
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

const oneEpisodeExits = memoryExits + "\n1    failed; also: it names nothing, or the prefix fits several episodes"

func (a *app) showCommand() *cobra.Command {
	var log bool
	cmd := &cobra.Command{
		Use:     "show ID",
		Aliases: []string{"get", "decisions"}, // decisions: only what was decided
		Short:   "Show an episode, or one record of it",
		Example: `  episodes show 2026-01-12-session-2
  episodes show episode-2026-01-12                 # a prefix that fits no other
  episodes show 2026-01-12-session-2#d001          # one decision; e001 an event, l001 a lesson
  episodes show '2026-01-12-session-2#d001>e002'   # a link
  episodes show 2026-01-12-session-2:40-52         # lines of its log, with those around
  episodes show 2026-01-12-session-2 --json        # the whole episode
  episodes show 2026-01-12-session-2 --log         # its log, without most of what tools printed`,
		Args:              takes(cobra.ExactArgs(1), "one episode or record: an id, a session or a prefix"),
		Annotations:       asksOne(exits(oneEpisodeExits)),
		ValidArgsFunction: a.completeIDs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r := ask.EpisodeRequest{Ref: args[0]}
			switch {
			case log:
				name, _, _ := strings.Cut(r.Ref, "#")
				return question(a, cmd, ask.LogRequest{Ref: name}, (*ask.Memory).Log)
			case cmd.CalledAs() == "decisions":
				return question(a, cmd, r, (*ask.Memory).Decisions)
			}
			return question(a, cmd, r, (*ask.Memory).Show)
		},
	}
	cmd.Flags().BoolVar(&log, "log", false, "show the log as a reader of the session gets it: what people and the agent said, edits, commands, errors")
	return cmd
}
