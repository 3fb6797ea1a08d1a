package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) listCommand() *cobra.Command {
	var r ask.ListRequest
	var kind string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List episodes, newest first",
		Example: `  episodes list --limit 10
  episodes list --outcome failure --since 7d
  episodes list --task "lock timeout" --since 2026-01-01 --until yesterday
  episodes list --after 2026-01-12-session-2    # the next page
  episodes list --kind rule --since 30d         # lessons, not episodes`,
		Long: `Lists 100 at a time, or --limit. Episodes whose log gives no time come last; with --since or
--until they are left out.`,
		Args:        takesNothing,
		Annotations: exits(memoryExits + "\n3    some episode files may not be read; the others are listed"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if kind != "" {
				return question(a, cmd, ask.TaughtRequest{Kind: kind, Since: r.Since, Limit: a.flags.limit}, (*ask.Memory).Taught)
			}
			return a.list(cmd, r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.Outcome, "outcome", "", "only episodes that came to `OUTCOME`: success, partial, failure or unknown")
	f.StringVar(&r.Since, "since", "", "only since `WHEN`: yesterday, an age (36h, 7d, 2w), a date or a time")
	f.StringVar(&r.Until, "until", "", "only before `WHEN`")
	f.StringVar(&r.After, "after", "", "only what comes after this `EPISODE` in the list")
	_ = cmd.RegisterFlagCompletionFunc("after", a.completeIDs(0))
	completeValues(cmd, "outcome", "success", "partial", "failure", "unknown")
	f.StringVar(&kind, "kind", "", "the lessons of a `KIND` in place of episodes: fix, choice, rule, trap or open; only with --since and --limit")
	completeValues(cmd, "kind", "fix", "choice", "rule", "trap", "open")
	f.StringVar(&r.Task, "task", "", "only episodes with these `WORDS` in the task")
	return cmd
}

func (a *app) list(cmd *cobra.Command, r ask.ListRequest) error {
	r.Limit = a.flags.limit
	found, err := answered(a, cmd, r, (*ask.Memory).List)
	if err != nil {
		return err
	}
	return a.leftOut(len(found.Unreadable), hintReadable)
}
