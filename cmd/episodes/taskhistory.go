package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"episodes/internal/fsstore"
	"episodes/internal/learning"
	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/task"
)

func (a *app) taskHistoryCommand() *cobra.Command {
	var attempt int
	var learned bool
	var status, outcome string
	cmd := &cobra.Command{
		Use:     "history [TASK]",
		Short:   "Show the attempts of a task, or of a loop; without one, all tasks and loops",
		Example: "  episodes task history task-001\n  episodes task history task-001 --reflections\n  episodes task history ralph-cart --attempt 2\n  episodes task history --status running",
		Args:    takes(cobra.MaximumNArgs(1), "at most one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case status != "" && !slices.Contains(task.Statuses(), status):
				return usage("", "--status %q: must be one of %s", status, strings.Join(task.Statuses(), ", "))
			case outcome != "" && !slices.Contains(task.Outcomes(), outcome):
				return usage("", "--outcome %q: must be one of %s", outcome, strings.Join(task.Outcomes(), ", "))
			case attempt < 0:
				return usage("", "--attempt %d: must be 1 or more", attempt)
			case status != "" && len(args) > 0:
				return usage("", "--status lists tasks: leave out %s, or ask for --outcome", args[0])
			case len(args) == 0 && (outcome != "" || attempt > 0 || learned):
				return usage(seeHelp(cmd), "--attempt, --outcome and --reflections take a task")
			}
			return a.tasks(cmd, false, func(s *learning.Tasks) error {
				if len(args) == 0 {
					return a.taskList(cmd, s, status)
				}
				h, err := s.History(learning.HistoryRequest{ID: args[0], Attempt: attempt, Outcome: outcome, Reflections: learned})
				if err != nil {
					return err
				}
				return a.answer(cmd, result{data: h, text: a.budgeted(term.Lines(historyText(h, learned)))})
			})
		},
	}
	cmd.Flags().IntVar(&attempt, "attempt", 0, "only attempt `N`")
	cmd.Flags().StringVar(&outcome, "outcome", "", "only attempts that ended in this `OUTCOME`: "+strings.Join(task.Outcomes(), ", "))
	cmd.Flags().StringVar(&status, "status", "", "only tasks of this `STATUS`: "+strings.Join(task.Statuses(), ", "))
	cmd.Flags().BoolVar(&learned, "reflections", false, "also what was learned")
	return cmd
}

func (a *app) taskList(cmd *cobra.Command, s *learning.Tasks, status string) error {
	list, err := s.List(status)
	if err != nil {
		return err
	}
	return listing(a, cmd, "tasks", list, "no tasks", func(t task.Metadata) string {
		return fmt.Sprintf("%s  %-9s  %s  %s\n", t.ID, t.Status, term.Plural(t.TotalAttempts, "attempt"),
			reflexion.FirstLine(t.Description))
	})
}

func historyText(h *task.History, learned bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s): %s\n", h.Task.ID, h.Task.Status, term.Plural(h.Task.TotalAttempts, "attempt"),
		reflexion.FirstLine(h.Task.Description))
	for _, s := range h.Attempts {
		outcome := s.Outcome
		if outcome == "" {
			outcome = "in progress"
		}
		fmt.Fprintf(&b, "  %d  %s  %s, %s", s.AttemptID, seconds(s.Started), outcome, term.Plural(s.Actions, "action"))
		if s.Quality != nil {
			fmt.Fprintf(&b, ", quality %s", strconv.FormatFloat(*s.Quality, 'f', 2, 64))
		}
		b.WriteByte('\n')
		for _, x := range s.Milestones {
			fmt.Fprintf(&b, "     %s  %s\n", seconds(x.Timestamp), strings.TrimSuffix(x.Event+": "+x.Details, ": "))
		}
	}
	if learned {
		for _, r := range h.Reflections {
			b.WriteString("\n" + task.Text(r))
		}
	}
	return b.String()
}

// seconds cuts a time to its seconds.
func seconds(stamp string) string {
	t, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		return stamp
	}
	return t.UTC().Format(time.RFC3339)
}

func (a *app) taskReplayCommand() *cobra.Command {
	var attempt int
	cmd := &cobra.Command{
		Use: "replay TASK --attempt N", Short: "Show an attempt of a task, or of a loop, action by action",
		Example: "  episodes task replay task-001 --attempt 2\n  episodes task replay ralph-cart --attempt 1",
		Args:    takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("attempt") {
				return usage(seeHelp(cmd), "task replay takes --attempt")
			}
			if attempt < 1 {
				return usage("", "--attempt %d: must be 1 or more", attempt)
			}
			return a.tasks(cmd, false, func(s *learning.Tasks) error {
				r, err := s.Replay(args[0], attempt)
				if err != nil {
					return err
				}
				return a.answer(cmd, result{data: r, text: a.budgeted(term.Lines(replayText(r)))})
			})
		},
	}
	cmd.Flags().IntVar(&attempt, "attempt", 0, "`N` of the attempt")
	return cmd
}

func replayText(r *task.Replay) string {
	var b strings.Builder
	if plan := strings.TrimRight(r.Plan, "\n"); plan != "" {
		b.WriteString(plan + "\n\n")
	}
	for i, x := range r.Actions {
		word := "ok"
		if !x.Success {
			word = "failed"
		}
		fmt.Fprintf(&b, "%d. %s: %s\n", i+1, strings.TrimSpace(x.Type+" "+x.Tool), word)
		for _, p := range []struct{ name, text string }{{"with", string(x.Params)}, {"why", x.Reasoning},
			{"expected", x.Expected}, {"output", x.Output}, {"error", x.Error}} {
			if p.text != "" {
				fmt.Fprintf(&b, "   %s: %s\n", p.name, strings.ReplaceAll(p.text, "\n", "\n   "))
			}
		}
	}
	for _, x := range r.Milestones {
		fmt.Fprintf(&b, "%s  %s\n", seconds(x.Timestamp), strings.TrimSuffix(x.Event+": "+x.Details, ": "))
	}
	if q := r.Attempt.Execution.Quality; len(q) > 1 {
		b.WriteString("quality by iteration:")
		for _, x := range q {
			fmt.Fprintf(&b, " %.2f", x.Quality)
		}
		b.WriteByte('\n')
	}
	o := r.Attempt.Outcome
	if o == nil {
		b.WriteString("in progress\n")
		return b.String()
	}
	b.WriteString(strings.TrimSuffix(o.Status+": "+o.Reason, ": ") + "\n")
	for _, p := range []struct {
		name string
		list []string
	}{{"worked", o.Worked}, {"did not work", o.DidNotWork}, {"next time", o.Suggestions}} {
		for _, x := range p.list {
			fmt.Fprintf(&b, "   %s: %s\n", p.name, reflexion.FirstLine(x))
		}
	}
	return b.String()
}

func (a *app) taskSearchCommand() *cobra.Command {
	return &cobra.Command{
		Use: "search WORDS", Short: "Find tasks and loops by words of their descriptions and reflections",
		Example: "  episodes task search 'lock timeout'",
		Args:    takes(cobra.MinimumNArgs(1), "words"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tasks(cmd, false, func(s *learning.Tasks) error {
				all, err := s.Histories()
				if err != nil {
					return err
				}
				return listing(a, cmd, "tasks", task.Search(all, strings.Join(args, " ")), "nothing found",
					func(m task.Match) string {
						text := fmt.Sprintf("%s  %s  %s\n", m.Task.ID, m.Task.Status, reflexion.FirstLine(m.Task.Description))
						for _, l := range m.Learning {
							text += fmt.Sprintf("    %s\n", reflexion.FirstLine(l))
						}
						return text
					})
			})
		},
	}
}

func (a *app) taskExportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "export TASK", Short: "Print all records of a task, or of a loop, as JSON",
		Example: "  episodes task export task-001 --out task.json",
		Args:    takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tasks(cmd, false, func(s *learning.Tasks) error {
				e, err := s.Export(args[0])
				if err != nil {
					return err
				}
				data, err := json.MarshalIndent(e, "", "  ")
				if err != nil {
					return err
				}
				if out == "" {
					return a.answer(cmd, result{data: e, text: string(term.JSON(data))})
				}
				if err := fsstore.WriteOut(absoluteTo(a.cwd, out), append(data, '\n')); err != nil {
					return err
				}
				return a.answer(cmd, result{data: map[string]any{"file": out}, text: fmt.Sprintf("wrote %q", out)})
			})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write into `FILE` instead")
	return cmd
}
