package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/memory"
	"episodes/reflexion"
	"episodes/reflexion/task"
)

// history is that of a task, or of a loop, whose iterations are its attempts.
func (a *app) history(s *task.Store, id string, learned bool) (*task.History, error) {
	if !reflexion.ValidLoopID(id) {
		return s.History(id, learned)
	}
	rs, err := a.loopHistory(id)
	if err != nil {
		return nil, err
	}
	h := task.FromLoop(rs)
	if !learned {
		h.Reflections = nil
	}
	return h, nil
}

func (a *app) taskHistoryCommand() *cobra.Command {
	var attempt int
	var learned bool
	cmd := &cobra.Command{
		Use: "history [TASK]", Short: "Show the attempts of a task, or of a loop; without one, the tasks", Example: "  episodes task history task-001\n  episodes task history task-001 --reflections\n  episodes task history ralph-cart --attempt 2",
		Args: takes(cobra.MaximumNArgs(1), "at most one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tasks(func(s *task.Store) error {
				if len(args) == 0 {
					return a.taskList(cmd, s)
				}
				h, err := a.history(s, args[0], learned)
				if err != nil {
					return err
				}
				if attempt > 0 {
					if attempt > len(h.Attempts) {
						return fmt.Errorf("attempt %d of %q: %w", attempt, args[0], task.ErrNone)
					}
					h.Attempts = h.Attempts[attempt-1 : attempt]
				}
				return a.answer(cmd, result{data: h, text: a.budgeted(printableLines(historyText(h, learned)))})
			})
		},
	}
	cmd.Flags().IntVar(&attempt, "attempt", 0, "only attempt `N`")
	cmd.Flags().BoolVar(&learned, "reflections", false, "also what was learned")
	return cmd
}

func (a *app) taskList(cmd *cobra.Command, s *task.Store) error {
	ids, err := s.IDs()
	if err != nil {
		return err
	}
	slices.Reverse(ids)
	if a.flags.limit > 0 {
		ids = ids[:min(len(ids), a.flags.limit)]
	}
	list := []task.Metadata{}
	var b strings.Builder
	for _, id := range ids {
		h, err := s.History(id, false)
		if err != nil {
			return err
		}
		list = append(list, h.Task)
		fmt.Fprintf(&b, "%s  %-9s  %s  %s\n", id, h.Task.Status, plural(h.Task.TotalAttempts, "attempt"), firstLine(h.Task.Description))
	}
	text := b.String()
	if len(list) == 0 {
		text = "no tasks\n"
	}
	return a.answer(cmd, result{data: map[string]any{"tasks": list}, text: a.budgeted(printableLines(text)), empty: len(list) == 0})
}

func historyText(h *task.History, learned bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s): %s\n", h.Task.ID, h.Task.Status, plural(h.Task.TotalAttempts, "attempt"), firstLine(h.Task.Description))
	for _, s := range h.Attempts {
		outcome := s.Outcome
		if outcome == "" {
			outcome = "under way"
		}
		fmt.Fprintf(&b, "  %d  %s  %s, %s", s.AttemptID, s.Started, outcome, plural(s.Actions, "action"))
		if s.Quality != nil {
			fmt.Fprintf(&b, ", quality %s", strconv.FormatFloat(*s.Quality, 'f', 2, 64))
		}
		b.WriteByte('\n')
	}
	if learned {
		for _, r := range h.Reflections {
			b.WriteString("\n" + task.Text(r))
		}
	}
	return b.String()
}

func (a *app) taskReplayCommand() *cobra.Command {
	var attempt int
	cmd := &cobra.Command{
		Use: "replay TASK --attempt N", Short: "Show an attempt action by action", Example: "  episodes task replay task-001 --attempt 2",
		Args: takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			if attempt < 1 {
				return usage("", "--attempt %d: must be 1 or more", attempt)
			}
			return a.tasks(func(s *task.Store) error {
				r, err := s.Replay(args[0], attempt)
				if err != nil {
					return err
				}
				return a.answer(cmd, result{data: r, text: a.budgeted(printableLines(replayText(r)))})
			})
		},
	}
	cmd.Flags().IntVar(&attempt, "attempt", 0, "`N` of the attempt")
	return cmd
}

func replayText(r *task.Replay) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(r.Plan, "\n") + "\n\n")
	for i, x := range r.Actions {
		word := "ok"
		if !x.Success {
			word = "failed"
		}
		fmt.Fprintf(&b, "%d. %s %s: %s\n", i+1, x.Type, x.Tool, word)
		for _, p := range []struct{ name, text string }{{"why", x.Reasoning}, {"expected", x.Expected}, {"output", x.Output}, {"error", x.Error}} {
			if p.text != "" {
				fmt.Fprintf(&b, "   %s: %s\n", p.name, strings.ReplaceAll(p.text, "\n", "\n   "))
			}
		}
	}
	if o := r.Attempt.Outcome; o != nil {
		fmt.Fprintf(&b, "%s: %s\n", o.Status, o.Reason)
	}
	return b.String()
}

func (a *app) taskSearchCommand() *cobra.Command {
	return &cobra.Command{
		Use: "search WORDS", Short: "Find tasks by words of their descriptions and reflections", Example: "  episodes task search 'lock timeout'",
		Args: takes(cobra.MinimumNArgs(1), "words"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tasks(func(s *task.Store) error {
				found, err := s.Search(strings.Join(args, " "))
				if err != nil {
					return err
				}
				if a.flags.limit > 0 {
					found = found[:min(len(found), a.flags.limit)]
				}
				var b strings.Builder
				for _, m := range found {
					fmt.Fprintf(&b, "%s  %s  %s\n", m.Task.ID, m.Task.Status, firstLine(m.Task.Description))
					for _, l := range m.Learning {
						fmt.Fprintf(&b, "    %s\n", firstLine(l))
					}
				}
				text := b.String()
				if len(found) == 0 {
					text = "nothing found\n"
				}
				return a.answer(cmd, result{data: map[string]any{"tasks": found}, text: a.budgeted(printableLines(text)), empty: len(found) == 0})
			})
		},
	}
}

func (a *app) taskExportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "export TASK", Short: "Print all records of a task as JSON", Example: "  episodes task export task-001 --out task.json",
		Args: takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tasks(func(s *task.Store) error {
				e, err := s.Export(args[0])
				if err != nil {
					return err
				}
				data, err := json.MarshalIndent(e, "", "  ")
				if err != nil {
					return err
				}
				if out == "" {
					return a.answer(cmd, result{data: e, text: string(escapeControls(data))})
				}
				if err := memory.WriteOut(absoluteTo(a.cwd, out), append(data, '\n')); err != nil {
					return err
				}
				return a.answer(cmd, result{data: map[string]any{"file": out}, text: fmt.Sprintf("wrote %q", out)})
			})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write into `FILE` instead")
	return cmd
}
