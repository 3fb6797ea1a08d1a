package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"episodes/episode"
	"episodes/internal/recall"
	"episodes/query"
	"episodes/query/text"
)

// listFlags are what list can be asked for.
type listFlags struct{ outcome, since, until, task string }

func (a *app) listCommand() *cobra.Command {
	var lf listFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List episodes, newest first",
		Example: `  episodes list --limit 10
  episodes list --outcome failure --since 7d
  episodes list --task "lock timeout" --since 2026-01-01 --until 2026-02-01`,
		Long:        "Episodes whose log gives no time come last; with --since or --until they are left out.",
		Args:        takes(cobra.NoArgs, "no arguments"),
		Annotations: exits(memoryExits + "\n3    some episode files may not be read; the others are listed"),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.list(cmd, lf) },
	}
	f := cmd.Flags()
	f.StringVar(&lf.outcome, "outcome", "", "only episodes that came to `OUTCOME`: success, partial, failure or unknown")
	f.StringVar(&lf.since, "since", "", "only since `WHEN`: an age (36h, 7d, 2w), a date or a time")
	f.StringVar(&lf.until, "until", "", "only before `WHEN`")
	f.StringVar(&lf.task, "task", "", "only episodes with these `WORDS` in the task")
	return cmd
}

func (a *app) list(cmd *cobra.Command, lf listFlags) error {
	filter := query.Filter{Outcome: episode.Outcome(lf.outcome), Task: lf.task, Limit: a.flags.limit}
	for _, m := range []struct {
		flag, value string
		to          *time.Time
	}{{"since", lf.since, &filter.Since}, {"until", lf.until, &filter.Until}} {
		if m.value == "" {
			continue
		}
		t, err := query.ParseMoment(m.value, a.now())
		if err != nil {
			return usage("an age such as 7d, a date such as 2026-01-31, or a time", "--%s: %v", m.flag, err)
		}
		*m.to = t
	}
	if _, err := query.List(nil, filter); err != nil {
		return usage(seeHelp(cmd), "%v", err)
	}
	return a.ask(cmd, func(s *recall.Session) error {
		eps, err := s.Summaries()
		if err != nil {
			return err
		}
		l, err := query.List(eps, filter)
		if err != nil {
			return err
		}
		for _, err := range s.Unreadable {
			a.warn(fmt.Sprintf("left out: %v", err))
		}
		if err := a.answer(cmd, result{data: l, text: text.List(l, a.flags.maxTokens), empty: len(l.Episodes) == 0}); err != nil {
			return err
		}
		return a.partly(len(s.Unreadable), hintReadable)
	})
}
