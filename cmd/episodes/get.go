package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"episodes/episode"
	"episodes/internal/recall"
	"episodes/query"
	"episodes/query/text"
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
			return a.oneEpisode(cmd, args[0], func(ep *episode.Episode) result {
				return result{data: whole{ep}, text: text.Episode(ep, a.flags.maxTokens)}
			}, result{data: nil, empty: true})
		},
	}
}

// whole is an episode as its file has it: lists are never null, even when those of
// the file are.
type whole struct{ *episode.Episode }

// MarshalJSON gives the canonical JSON.
func (w whole) MarshalJSON() ([]byte, error) { return episode.Marshal(w.Episode) }

func (a *app) decisionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "decisions EPISODE",
		Short:       "List what was decided in an episode, in order",
		Example:     "  episodes decisions 2026-01-12-session-2\n  episodes decisions 2026-01-12-session-2 --json",
		Args:        takes(cobra.ExactArgs(1), "one episode: an id, a session or a prefix"),
		Annotations: exits(memoryExits + "\n1    failed; also: the prefix fits several episodes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.oneEpisode(cmd, args[0], func(ep *episode.Episode) result {
				l := query.Decisions(ep)
				return result{data: l, text: text.Decisions(l, a.flags.maxTokens), empty: len(l.Decisions) == 0}
			}, result{data: &query.DecisionList{Decisions: []episode.Decision{}}, empty: true})
		},
	}
}

// oneEpisode answers from the episode that ref names, or with none.
func (a *app) oneEpisode(cmd *cobra.Command, ref string, show func(*episode.Episode) result, none result) error {
	return a.ask(cmd, func(s *recall.Session) error {
		ep, err := s.Load(ref)
		if errors.Is(err, fs.ErrNotExist) {
			a.note(fmt.Sprintf("no episode is named %q", ref))
			return a.answer(cmd, none)
		}
		if err != nil {
			return err
		}
		return a.answer(cmd, show(ep))
	})
}
