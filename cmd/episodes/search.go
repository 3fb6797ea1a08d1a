package main

import (
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) searchCommand() *cobra.Command {
	var r ask.SearchRequest
	cmd := &cobra.Command{
		Use:   "search WORDS",
		Short: "Find errors, decisions, lessons, tasks, lines of logs and notes by words",
		Example: `  episodes search "lock timeout"
  episodes search --kind decision --since 30d retry backoff
  go test ./... 2>&1 | episodes search -
  episodes search --json --limit 20 @error.txt`,
		Long: `WORDS are words, - for standard input, or @FILE. Best hits first, one a line: date, kind, text
and its place. Lines of the logs themselves follow if no fact says the same, and notes: memories of
Serena (.serena/memories), exports of Forgetful (.forgetful/exports), and your agents' own notes on
the repository (off with notes = false in episodes/config.toml). The last word may be unfinished: from
three letters on, one that nothing has is completed.`,
		Args:        takes(cobra.MinimumNArgs(1), "words, - or @FILE"),
		Annotations: asksTeam(takesText(graphExits)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			r.Limit = a.flags.limit
			if r.Text, err = a.given(cmd, strings.Join(args, " ")); err != nil {
				return err
			}
			found, err := answered(a, cmd, r, (*ask.Memory).Search)
			return a.noteNothing(found, err, "nothing fits")
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.Kind, "kind", "", "`KIND`: "+strings.Join(ask.SearchKinds(), ", "))
	f.StringVar(&r.Since, "since", "", "sessions since `WHEN`: an age such as 7d, a date or a time")
	f.StringVar(&r.Session, "session", "", "`ID` of an episode, or a part of its name")
	_ = cmd.RegisterFlagCompletionFunc("session", a.completeIDs(0))
	completeValues(cmd, "kind", ask.SearchKinds()...)
	f.IntVar(&r.Skip, "skip", 0, "leave out the first `N` hits")
	return cmd
}
