package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/learning"
	"episodes/internal/term"
	"episodes/reflexion/task"
)

func (a *app) taskCommand() *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "task",
		Short: "Keep the history of tasks: attempts, actions, outcomes, what was learned",
		Example: `  episodes task init --description 'mend the cache' --criteria 'go test ./... passes'
  episodes task start task-001 --approach 'read the tests first'
  episodes task log task-001 --type bash --tool go --failed --error 'undefined: x'
  episodes task complete task-001 --status failure --reason 'still red' --suggest 'read the interface first'
  episodes task history task-001`,
		Annotations: exits(memoryExits),
	},
		a.taskInitCommand(), a.taskStartCommand(), a.taskLogCommand(), a.taskCompleteCommand(),
		a.taskMilestoneCommand(), a.taskReflectCommand(), a.taskPauseCommand(),
		a.taskHistoryCommand(), a.taskReplayCommand(), a.taskSearchCommand(), a.taskExportCommand(),
		a.taskLessonsCommand(), a.taskShowCommand())
	return cmd
}

// tasks opens the tasks of the memory; only to write does it make their folder.
func (a *app) tasks(cmd *cobra.Command, write bool, do func(*learning.Tasks) error) error {
	f, err := a.learning(cmd)
	if err != nil {
		return err
	}
	s, err := f.Tasks(write)
	if err != nil {
		return err
	}
	defer s.Close()
	return do(s)
}

func (a *app) taskInitCommand() *cobra.Command {
	var m task.Metadata
	cmd := &cobra.Command{
		Use: "init", Short: "Make a task and print its id",
		Example: "  episodes task init --description 'mend the cache' --criteria 'tests pass' --tag cache",
		Args:    takes(cobra.NoArgs, "no arguments"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if strings.TrimSpace(m.Description) == "" {
				return usage(seeHelp(cmd), "task init takes --description")
			}
			return a.tasks(cmd, true, func(s *learning.Tasks) error {
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
		Use: "start TASK", Short: "Begin an attempt and print its plan, with what earlier attempts taught",
		Example: "  episodes task start task-001 --approach 'read the tests first'",
		Args:    takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tasks(cmd, true, func(s *learning.Tasks) error {
				at, plan, err := s.Start(cmd.Context(), args[0], p, agent)
				if err != nil {
					return err
				}
				return a.answer(cmd, result{data: map[string]any{"attempt": at, "plan": plan}, text: a.budgeted(term.Lines(plan))})
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
	var quality float64
	cmd := &cobra.Command{
		Use: "log TASK", Short: "Add an action to the current attempt",
		Example: "  episodes task log task-001 --type bash --tool go --failed --error 'undefined: x'",
		Args:    takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			if x.Type == "" {
				return usage(seeHelp(cmd), "task log takes --type: one of %s", strings.Join(task.ActionTypes(), ", "))
			}
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
			if cmd.Flags().Changed("quality") {
				x.Quality = &quality
			}
			return a.tasks(cmd, true, func(s *learning.Tasks) error {
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
	f.Float64Var(&quality, "quality", 0, "how good the work is now, `X` from 0 to 1")
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
	cmd := &cobra.Command{
		Use: "complete TASK", Short: "End the current attempt and record what it taught",
		Example: "  episodes task complete task-001 --status failure --reason 'still red' --suggest 'read the interface first'",
		Args:    takes(cobra.ExactArgs(1), "one task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Status == "" {
				return usage(seeHelp(cmd), "task complete takes --status: success, failure or timeout")
			}
			if !slices.Contains(task.Outcomes(), o.Status) {
				return usage("", "--status %q: must be success, failure or timeout", o.Status)
			}
			if cmd.Flags().Changed("quality") {
				o.Quality = &quality
			}
			if cmd.Flags().Changed("percent") {
				o.Percent = &percent
			}
			return a.tasks(cmd, true, func(s *learning.Tasks) error {
				m, err := s.Complete(cmd.Context(), args[0], o)
				if err != nil {
					return err
				}
				return a.answer(cmd,
					result{data: m,
						text: fmt.Sprintf("%s: attempt %d ended in %s, the task is %s", m.ID, m.TotalAttempts, o.Status, m.Status)})
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
	f.BoolVar(&o.GivenUp, "give-up", false, "the task has failed for good")
	return cmd
}
