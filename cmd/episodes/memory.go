package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"episodes/internal/learning"
	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/memories"
)

func (a *app) memoryCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "memory",
		Short: "Keep what was learned beyond one task: lessons, procedures, feedback",
		Example: `  episodes memory list --kind semantic
  episodes memory add 'run the linter before a commit' --tag lint
  episodes memory cleanup --per-kind 200 --retention 2160h
  episodes memory audit`,
		Long: `A memory here is one lesson, procedure or piece of feedback that outlives its task. Memories are
derived from the records of loops when a loop ends, or by memory update; feedback is written by
people and agents. Those that fit a task go into the prompts of loops run with --arm all.`,
		Annotations: exits(memoryExits),
	},
		a.memoryListCommand(), a.memoryShowCommand(), a.memoryAddCommand(), a.memoryMarkCommand(), a.memoryUpdateCommand(),
		a.memoryConsolidateCommand(), a.memoryCleanupCommand(), a.memoryAuditCommand(), a.memoryProgressCommand())
}

// memories opens the memories; only to write does it make their folder.
func (a *app) memories(cmd *cobra.Command, write bool, do func(*learning.Memories) error) error {
	f, err := a.learning(cmd)
	if err != nil {
		return err
	}
	s, err := f.Memories(write)
	if err != nil {
		return err
	}
	defer s.Close()
	return do(s)
}

func (a *app) memoryListCommand() *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use: "list [WORDS]", Short: "List memories, those that fit the words first",
		Example:     "  episodes memory list\n  episodes memory list cache --kind procedural",
		Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			if kind != "" && !slices.Contains(memories.Types(), memories.Type(kind)) {
				return usage("", "--kind %q: must be episodic, semantic, procedural, meta or feedback", kind)
			}
			return a.memories(cmd, false, func(s *learning.Memories) error {
				all, err := s.All()
				if err != nil {
					return err
				}
				if len(args) > 0 {
					all = memories.Relevant(all, strings.Join(args, " "), "", "", a.now(), len(all))
				}
				all = slices.DeleteFunc(all, func(m *memories.Memory) bool { return kind != "" && string(m.Type) != kind })
				return listing(a, cmd, "memories", all, "no memories", memoryLine)
			})
		},
	}
	cmd.Flags().StringVar(&kind, "kind", "", "only memories of this `KIND`")
	return cmd
}

func memoryLine(m *memories.Memory) string {
	mark := ""
	if m.Metadata.Private {
		mark = " (private)"
	}
	return fmt.Sprintf("%s  %-10s  %.2f  %s%s\n", m.ID, m.Type, m.Relevance, reflexion.FirstLine(m.Content.Summary), mark)
}

func (a *app) memoryShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show one memory with its evidence", Example: "  episodes memory show s1a2b3c4d5e6f",
		Args: takes(cobra.ExactArgs(1), "one memory"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.showMemory(cmd, args[0])
		},
	}
}

func (a *app) memoryAddCommand() *cobra.Command {
	var details string
	var tags []string
	var private bool
	var keep time.Duration
	cmd := &cobra.Command{
		Use: "add WORDS", Short: "Remember feedback",
		Example: "  episodes memory add 'run the linter before a commit' --tag lint --keep 720h",
		Args:    takes(cobra.MinimumNArgs(1), "words"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			m := memories.NewFeedback(strings.Join(args, " "), details, tags, a.now())
			if keep < 0 {
				return usage("", "--keep %s: must not be negative", keep)
			}
			if keep > 0 {
				m.ExpiresAt = a.now().Add(keep).UTC().Format(time.RFC3339)
			}
			m.Metadata.Private = private
			return a.memories(cmd, true, func(s *learning.Memories) error {
				if _, err := s.Update(cmd.Context(), []*memories.Memory{m}, "memory add"); err != nil {
					return err
				}
				return a.answer(cmd, result{data: m, text: m.ID})
			})
		},
	}
	cmd.Flags().StringVar(&details, "details", "", "more `TEXT`")
	cmd.Flags().StringArrayVar(&tags, "tag", nil, "`WORD` to find it by (may be given several times)")
	cmd.Flags().BoolVar(&private, "private", false, "keep it out of prompts and of the index")
	cmd.Flags().DurationVar(&keep, "keep", 0, "forget it after `TIME`; 0: never")
	return cmd
}

func (a *app) memoryMarkCommand() *cobra.Command {
	var public bool
	cmd := &cobra.Command{
		Use: "mark ID", Short: "Mark a memory as private: prompts and indexes leave it out",
		Example: "  episodes memory mark s1a2b3c4d5e6f\n  episodes memory mark s1a2b3c4d5e6f --public",
		Args:    takes(cobra.ExactArgs(1), "one memory"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.memories(cmd, true, func(s *learning.Memories) error {
				m, err := s.Mark(cmd.Context(), args[0], !public, "memory mark")
				if err != nil {
					return err
				}
				return a.answer(cmd, result{data: m, text: term.Lines(memoryLine(m))})
			})
		},
	}
	cmd.Flags().BoolVar(&public, "public", false, "take the mark away")
	return cmd
}

func (a *app) memoryUpdateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "update", Short: "Update the memories from the records of loops", Example: "  episodes memory update",
		Args: takes(cobra.NoArgs, "no arguments"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := a.learning(cmd)
			if err != nil {
				return err
			}
			r, err := f.DeriveMemories(cmd.Context(), "memory update")
			if err != nil {
				return err
			}
			return a.answer(cmd,
				result{data: r, text: fmt.Sprintf("%d written, %d unchanged, %d taken away before", r.Written, r.Unchanged, r.Away)})
		},
	}
}
