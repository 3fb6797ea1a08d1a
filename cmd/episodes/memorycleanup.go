package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/learning"
	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/memories"
)

func (a *app) memoryConsolidateCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:     "consolidate",
		Short:   "Merge memories that say the same; only with --force, else say what would change",
		Example: "  episodes memory consolidate\n  episodes memory consolidate --force",
		Args:    takes(cobra.NoArgs, "no arguments"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.memories(cmd, true, func(s *learning.Memories) error {
				all, err := s.All()
				if err != nil {
					return err
				}
				merges := memories.Merges(all)
				var b strings.Builder
				for _, g := range merges {
					b.WriteString(memoryLine(g.Into))
					for _, m := range g.From {
						b.WriteString("  takes in " + memoryLine(m))
					}
				}
				return a.forced(cmd, force, b.String(), len(merges), map[string]any{"merges": merges, "done": force}, func() error {
					_, err := s.Consolidate(cmd.Context(), merges, "memory consolidate")
					return err
				})
			})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "do it")
	return cmd
}

// forced does what was shown, when it was asked for.
func (a *app) forced(cmd *cobra.Command, force bool, text string, n int, data any, do func() error) error {
	switch {
	case n == 0:
		text = "nothing to do\n"
	case force:
		if err := do(); err != nil {
			return err
		}
		text += "done; episodes memory cleanup --undo takes it back\n"
	default:
		a.note("nothing was changed: --force does it")
	}
	return a.answer(cmd, result{data: data, text: a.budgeted(term.Lines(text)), empty: n == 0})
}

func (a *app) memoryCleanupCommand() *cobra.Command {
	var l memories.Limits
	var force, undo bool
	cmd := &cobra.Command{
		Use:     "cleanup",
		Short:   "Delete memories that expired or are too many; only with --force, else say what would go",
		Example: "  episodes memory cleanup --per-kind 200\n  episodes memory cleanup --per-kind 200 --force\n  episodes memory cleanup --undo",
		Args:    takes(cobra.NoArgs, "no arguments"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if l.PerType < 0 || l.Retention < 0 {
				return usage("", "--per-kind and --retention must not be negative")
			}
			return a.memories(cmd, true, func(s *learning.Memories) error {
				var b strings.Builder
				if undo {
					restored, err := s.Undo(cmd.Context(), "memory cleanup --undo")
					if err != nil {
						return err
					}
					for _, m := range restored {
						b.WriteString("restored " + memoryLine(m))
					}
					if len(restored) == 0 {
						b.WriteString("nothing to take back\n")
					}
					return a.answer(cmd,
						result{data: map[string]any{"restored": restored},
							text: a.budgeted(term.Lines(b.String())), empty: len(restored) == 0})
				}
				all, err := s.All()
				if err != nil {
					return err
				}
				plan := memories.Plan(all, l, a.now())
				for _, r := range plan {
					fmt.Fprintf(&b, "%s: %s", r.Reason, memoryLine(r.Memory))
				}
				return a.forced(cmd, force, b.String(), len(plan), map[string]any{"removals": plan, "done": force}, func() error {
					_, err := s.Remove(cmd.Context(), plan, "memory cleanup")
					return err
				})
			})
		},
	}
	cmd.Flags().IntVar(&l.PerType, "per-kind", 1000, "keep `N` memories of each kind; 0: all")
	cmd.Flags().DurationVar(&l.Retention, "retention", 0, "delete what was not read for `TIME`; 0: nothing")
	cmd.Flags().BoolVar(&force, "force", false, "do it")
	cmd.Flags().BoolVar(&undo, "undo", false, "bring back what the last cleanup or consolidation took away")
	return cmd
}

func (a *app) memoryAuditCommand() *cobra.Command {
	return &cobra.Command{
		Use: "audit [ID]", Short: "Show each write, use in a prompt, and deletion, newest first",
		Example: "  episodes memory audit --limit 20",
		Args:    takes(cobra.MaximumNArgs(1), "at most one memory"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.memories(cmd, false, func(s *learning.Memories) error {
				trail, err := s.Audit()
				if err != nil {
					return err
				}
				slices.Reverse(trail)
				trail = slices.DeleteFunc(trail, func(e memories.Entry) bool { return len(args) > 0 && e.MemoryID != args[0] })
				return listing(a, cmd, "audit", trail, "nothing happened yet", func(e memories.Entry) string {
					return fmt.Sprintf("%s  %-8s %s  %s\n", e.Time, e.Operation, e.MemoryID, e.By)
				})
			})
		},
	}
}

func (a *app) memoryProgressCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "progress",
		Short:   "Show for each type of task how learning goes: trend, lasting problems, next focus",
		Example: "  episodes memory progress --json",
		Args:    takes(cobra.NoArgs, "no arguments"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			rs, err := a.records(cmd)
			if err != nil {
				return err
			}
			return listing(a, cmd, "progress", memories.Progress(rs), "no loops yet", progressText)
		},
	}
}

func progressText(p memories.LearningProgress) string {
	var b strings.Builder
	b.WriteString(p.Summary() + "\n")
	for _, part := range []struct {
		name string
		list []string
	}{{"lesson", p.KeyLessons}, {"persistent", p.PersistentIssues}, {"next focus", p.NextFocusAreas},
		{"not known yet", p.KnowledgeGaps}} {
		for _, x := range part.list {
			fmt.Fprintf(&b, "  %s: %s\n", part.name, reflexion.FirstLine(x))
		}
	}
	if p.LastImprovement != "" {
		fmt.Fprintf(&b, "  last improvement: %s\n", seconds(p.LastImprovement))
	}
	return b.String()
}
