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

func (a *app) taskCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "task",
		Short: "Keep the history of tasks: attempts, actions, outcomes, what was learned",
		Example: `  episodes task init --description 'mend the cache' --criteria 'go test ./... passes'
  episodes task start task-001 --approach 'read the tests first'
  episodes task log task-001 --type bash --tool go --failed --error 'undefined: x'
  episodes task complete task-001 --status failure --reason 'still red' --suggest 'read the interface first'
  episodes task history task-001`,
		Annotations: exits(memoryExits),
		Args:        unknownCommand,
		RunE:        func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.taskInitCommand(), a.taskStartCommand(), a.taskLogCommand(), a.taskCompleteCommand(),
		a.taskHistoryCommand(), a.taskReplayCommand(), a.taskSearchCommand(), a.taskExportCommand())
	return cmd
}

// tasks opens the tasks of the memory.
func (a *app) tasks(f func(*task.Store) error) error {
	top, _, err := a.reflexionDir()
	if err != nil {
		return err
	}
	s, err := task.Open(top, a.now, a.flags.lockTimeout)
	if err != nil {
		return err
	}
	defer s.Close()
	return f(s)
}

func (a *app) taskInitCommand() *cobra.Command {
	var m task.Metadata
	cmd := &cobra.Command{
		Use: "init", Short: "Make a task and print its id", Example: "  episodes task init --description 'mend the cache' --criteria 'tests pass' --tag cache",
		Args: takes(cobra.NoArgs, "no arguments"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if strings.TrimSpace(m.Description) == "" {
				return usage(seeHelp(cmd), "task init takes --description")
			}
			return a.tasks(func(s *task.Store) error {
				made, err := s.Init(m)
				if err != nil {
					return err
				}
				return a.answer(cmd, result{data: made, text: made.ID})
			})
		},
	}
	m.Tags, m.Related = []string{}, []string{}
	cmd.Flags().StringVar(&m.Description, "description", "", "what is to be done, in `WORDS`")
	cmd.Flags().StringVar(&m.Criteria, "criteria", "", "when it is done, in `WORDS`")
	cmd.Flags().StringArrayVar(&m.Tags, "tag", []string{}, "`WORD` to find it by (may be given several times)")
	cmd.Flags().StringArrayVar(&m.Related, "related", []string{}, "`ID` of a related task (may be given several times)")
	return cmd
}

func (a *app) taskStartCommand() *cobra.Command {
	var p task.Plan
	var agent string
	cmd := &cobra.Command{
		Use: "start TASK", Short: "Begin an attempt; prints its plan with what earlier attempts taught", Example: "  episodes task start task-001 --approach 'read the tests first'",
		Args: takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tasks(func(s *task.Store) error {
				at, plan, err := s.Start(cmd.Context(), args[0], p, agent)
				if err != nil {
					return err
				}
				return a.answer(cmd, result{data: map[string]any{"attempt": at, "plan": plan}, text: a.budgeted(printableLines(plan))})
			})
		},
	}
	cmd.Flags().StringVar(&p.Approach, "approach", "", "how to go about it, in `WORDS`")
	cmd.Flags().StringArrayVar(&p.Steps, "step", nil, "`WORDS` of one step (may be given several times)")
	cmd.Flags().IntVar(&p.Iterations, "estimate", 0, "expect `N` iterations")
	cmd.Flags().StringVar(&agent, "agent", "", "`NAME` of the agent")
	return cmd
}

func (a *app) taskLogCommand() *cobra.Command {
	var x task.Action
	var failed bool
	var params string
	cmd := &cobra.Command{
		Use: "log TASK", Short: "Add an action to the attempt under way", Example: "  episodes task log task-001 --type bash --tool go --failed --error 'undefined: x'",
		Args: takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(task.ActionTypes(), x.Type) {
				return usage("", "--type %q: must be one of %s", x.Type, strings.Join(task.ActionTypes(), ", "))
			}
			if params != "" {
				var object map[string]any
				if json.Unmarshal([]byte(params), &object) != nil {
					return usage("", "--params %q: not a JSON object", params)
				}
				x.Params = json.RawMessage(params)
			}
			x.Success = !failed
			return a.tasks(func(s *task.Store) error {
				if err := s.Log(cmd.Context(), args[0], x); err != nil {
					return err
				}
				return a.answer(cmd, result{data: map[string]any{"task": args[0]}})
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&x.Type, "type", "", "`TYPE` of the action: "+strings.Join(task.ActionTypes(), ", "))
	f.StringVar(&x.Tool, "tool", "", "`NAME` of the tool")
	f.IntVar(&x.Iteration, "iteration", 0, "`N` of the attempt's iteration")
	f.StringVar(&params, "params", "", "`JSON` object of the tool's parameters")
	f.BoolVar(&failed, "failed", false, "the action failed")
	f.StringVar(&x.Output, "output", "", "`TEXT` that came out")
	f.StringVar(&x.Error, "error", "", "`TEXT` of the error")
	f.StringVar(&x.Reasoning, "reasoning", "", "why, in `WORDS`")
	f.StringVar(&x.Expected, "expected", "", "what was expected, in `WORDS`")
	return cmd
}

func (a *app) taskCompleteCommand() *cobra.Command {
	var o task.Outcome
	var quality, percent float64
	var giveUp bool
	cmd := &cobra.Command{
		Use: "complete TASK", Short: "End the attempt under way; writes what it taught", Example: "  episodes task complete task-001 --status failure --reason 'still red' --suggest 'read the interface first'",
		Args: takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains([]string{task.Success, task.Failure, task.Timeout}, o.Status) {
				return usage("", "--status %q: must be success, failure or timeout", o.Status)
			}
			if cmd.Flags().Changed("quality") {
				o.Quality = &quality
			}
			if cmd.Flags().Changed("percent") {
				o.Percent = &percent
			}
			return a.tasks(func(s *task.Store) error {
				m, err := s.Complete(cmd.Context(), args[0], o, giveUp)
				if err != nil {
					return err
				}
				return a.answer(cmd, result{data: m, text: fmt.Sprintf("%s: attempt %d ended in %s, the task is %s", m.ID, m.TotalAttempts, o.Status, m.Status)})
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Status, "status", "", "`STATUS`: success, failure or timeout")
	f.StringVar(&o.Reason, "reason", "", "why, in `WORDS`")
	f.Float64Var(&quality, "quality", 0, "how good it is, `X` from 0 to 1")
	f.Float64Var(&percent, "percent", 0, "how much is done, `X` from 0 to 100")
	f.StringArrayVar(&o.Worked, "worked", nil, "what worked, in `WORDS` (may be given several times)")
	f.StringArrayVar(&o.DidNotWork, "didnt-work", nil, "what did not, in `WORDS` (may be given several times)")
	f.StringArrayVar(&o.Suggestions, "suggest", nil, "what to do next time, in `WORDS` (may be given several times)")
	f.BoolVar(&giveUp, "give-up", false, "the task has failed for good")
	return cmd
}

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
