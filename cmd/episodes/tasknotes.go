package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/learning"
	"episodes/internal/term"
	"episodes/reflexion/task"
)

func (a *app) taskMilestoneCommand() *cobra.Command {
	var details string
	cmd := &cobra.Command{
		Use: "milestone TASK WORDS", Short: "Record a notable event of the current attempt",
		Example: "  episodes task milestone task-001 'it compiles' --details 'after the move to io/fs'",
		Args:    takes(cobra.MinimumNArgs(2), "a task and words"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tasks(cmd, true, func(s *learning.Tasks) error {
				if err := s.Mark(cmd.Context(), args[0], strings.Join(args[1:], " "), details); err != nil {
					return err
				}
				return a.answer(cmd, result{data: map[string]any{"task": args[0]}})
			})
		},
	}
	cmd.Flags().StringVar(&details, "details", "", "more, in `WORDS`")
	return cmd
}

func (a *app) taskReflectCommand() *cobra.Command {
	var r task.Reflection
	cmd := &cobra.Command{
		Use: "reflect TASK", Short: "Record what you learned, at any time; the next plan includes it",
		Example: "  episodes task reflect task-001 --observation 'two owners of one cache' --learning 'ask who owns it' --action 'read cache.go first'",
		Args:    takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case strings.TrimSpace(r.Observation) == "":
				return usage(seeHelp(cmd), "task reflect takes --observation")
			case !slices.Contains(task.ReflectionTypes(), r.Type):
				return usage("", "--type %q: must be one of %s", r.Type, strings.Join(task.ReflectionTypes(), ", "))
			}
			return a.tasks(cmd, true, func(s *learning.Tasks) error {
				kept, err := s.Reflect(cmd.Context(), args[0], r)
				if err != nil {
					return err
				}
				return a.answer(cmd, result{data: kept, text: term.Lines(task.Text(*kept))})
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.Observation, "observation", "", "what happened, in `WORDS`")
	f.StringVar(&r.Analysis, "analysis", "", "why, in `WORDS`")
	f.StringVar(&r.Learning, "learning", "", "what to do differently, in `WORDS`")
	f.StringArrayVar(&r.ActionItems, "action", nil, "`WORDS` of one thing to do (may be given several times)")
	f.StringVar(&r.Type, "type", "process-improvement", "`TYPE` of the reflection: "+strings.Join(task.ReflectionTypes(), ", "))
	return cmd
}

func (a *app) taskPauseCommand() *cobra.Command {
	return &cobra.Command{
		Use: "pause TASK", Short: "Mark a task as paused; its next attempt ends the pause", Example: "  episodes task pause task-001",
		Args: takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tasks(cmd, true, func(s *learning.Tasks) error {
				m, err := s.Pause(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return a.answer(cmd, result{data: m, text: fmt.Sprintf("%s is %s", m.ID, m.Status)})
			})
		},
	}
}
