package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) shareCommand() *cobra.Command {
	var r ask.ShareRequest
	cmd := &cobra.Command{
		Use:   "share EPISODE...",
		Short: "Move private episodes into the shared part of the memory",
		Example: `  episodes share 0ccf1a04 --dry-run     # shows all that others would get
  episodes share 0ccf1a04`,
		Long: `Private episodes are those that extract --from made of your own transcripts; git ignores
them. A shared episode is a file of the repository like any other. Its corrections, with the
lines of the transcript that they quote, are shared with it. What users and agents
wrote in the transcript is kept for you alone. A session
that goes on after it was shared is not read again by itself: extract FILE brings its episode up
to date.`,
		Args:              takes(cobra.MinimumNArgs(1), "one episode or more: an id, a session or a prefix"),
		Annotations:       exits(graphExits + "\n1    failed; also: something names no episode"),
		ValidArgsFunction: a.completeIDs(0),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Episodes = args
			return question(a, cmd, r, (*ask.Memory).Share)
		},
	}
	cmd.Flags().BoolVar(&r.WithText, "with-text", false, "also share what was written in the session, redacted, up to 64 KB")
	cmd.Flags().BoolVar(&r.DryRun, "dry-run", false, "only show what would be shared")
	return cmd
}
