package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/history"
)

func (a *app) historyCommand() *cobra.Command {
	var which string
	cmd := &cobra.Command{
		Use:   "history [LOOP|TASK]",
		Short: "Show the attempts of a loop or a task, what was learned, and what worked",
		Example: `  episodes loop history
  episodes loop history ralph-cart
  episodes loop history ralph-cart --attempt 2      # action by action
  episodes loop history task-001 --attempt failure`,
		Long: `Without an id all loops and tasks are listed. A task is what an agent that runs
by itself states with episodes record. An attempt that is asked for by its
number, from 1, is shown action by action, one of a loop with the prompt that
its record shows.`,
		Args: takes(cobra.MaximumNArgs(1),
			"at most one loop or task"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(which)
			switch {
			case which != "" && (err != nil || n < 1) && !slices.Contains(history.Outcomes(),
				which):
				return usage("", "--attempt %q: must be 1 or more, or one of %s", which,
					strings.Join(history.Outcomes(), ", "))
			case which != "" && len(args) == 0:
				return usage(seeHelp(cmd), "--attempt takes a loop or a task")
			}
			f, err := a.learning(cmd)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				list, err := f.List()
				if err != nil {
					return err
				}
				return listing(a, cmd, "tasks", list, "no loops or tasks", taskLine)
			}
			h, err := f.History(args[0])
			if err != nil {
				return err
			}
			if n > 0 {
				which = ""
			}
			if err := h.Only(n, which); err != nil {
				return err
			}
			text := historyText(h.History)
			if n > 0 {
				h.Replay()
				text = attemptText(&h.Replays[0])
				for _, r := range h.Records {
					text += recordText(r)
				}
			} else {
				h.Replays = nil
			}
			return a.answer(cmd, result{data: h, text: a.budgeted(term.Lines(text))})
		},
	}
	cmd.Flags().StringVar(&which, "attempt", "", "only attempt `N`, or only attempts with this outcome")
	return cmd
}

func taskLine(t history.Metadata) string {
	return fmt.Sprintf("%s  %-9s  %s  %s\n", t.ID, t.Status, term.Plural(t.TotalAttempts,
		"attempt"),
		reflexion.FirstLine(t.Description))
}

func historyText(h *history.History) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s): %s\n", h.Task.ID, h.Task.Status,
		term.Plural(h.Task.TotalAttempts, "attempt"),
		reflexion.FirstLine(h.Task.Description))
	for _, s := range h.Attempts {
		outcome := cmp.Or(s.Outcome, "in progress")
		fmt.Fprintf(&b, "  %d  %s  %s, %s", s.AttemptID,
			reflexion.Seconds(s.Started), outcome,
			term.Plural(s.Actions, "action"))
		if s.Quality != nil {
			fmt.Fprintf(&b, ", quality %s", strconv.FormatFloat(*s.Quality, 'f', 2, 64))
		}
		b.WriteByte('\n')
		for _, x := range s.Worked {
			fmt.Fprintf(&b, "     worked: %s\n", reflexion.FirstLine(x))
		}
		for _, x := range s.Milestones {
			fmt.Fprintf(&b, "     %s  %s\n", reflexion.Seconds(x.Timestamp),
				strings.TrimSuffix(x.Event+": "+x.Details, ": "))
		}
	}
	for _, r := range h.Reflections {
		b.WriteString("\n" + history.Text(r))
	}
	return b.String()
}

// attemptText is an attempt, action by action.
func attemptText(r *history.Attempt) string {
	var b strings.Builder
	if plan := strings.TrimRight(r.PlanText, "\n"); plan != "" {
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
				fmt.Fprintf(&b, "   %s: %s\n", p.name,
					strings.ReplaceAll(p.text, "\n", "\n   "))
			}
		}
	}
	for _, x := range r.Milestones {
		fmt.Fprintf(&b, "%s  %s\n", reflexion.Seconds(x.Timestamp),
			strings.TrimSuffix(x.Event+": "+x.Details, ": "))
	}
	if q := r.Execution.Quality; len(q) > 1 {
		b.WriteString("quality by iteration:")
		for _, x := range q {
			fmt.Fprintf(&b, " %.2f", x.Quality)
		}
		b.WriteByte('\n')
	}
	o := r.Outcome
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

// recordText is an attempt of a loop with all that its record says.
func recordText(r *reflexion.Record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, iteration %d (%s, %s, reward %.2f): %s\n",
		r.LoopID, r.Iteration, r.Evaluator.Verdict(),
		r.Evaluator.Type,
		r.Evaluator.RewardOr(), reflexion.FirstLine(r.Task))
	line := func(what, text string) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(&b, "  %s: %s\n", what, strings.ReplaceAll(text, "\n", "\n    "))
		}
	}
	line("strategy", r.Actor.Strategy)
	line("said", r.Actor.Rationale)
	for _, x := range r.Actor.Actions {
		line("did", x.Description)
	}
	line("used", usageText(r))
	for _, s := range strengths(r) {
		line("well", s)
	}
	for _, e := range r.Evaluator.Errors {
		line("error", reflexion.Describe(e))
	}
	line("reflection", r.Reflection.Text)
	line("why", r.Reflection.Causal)
	for _, x := range r.Reflection.Insights {
		line("next", x)
	}
	for _, x := range r.Reflection.Lessons {
		line("lesson", x)
	}
	for _, x := range r.Reflection.Gaps {
		line("not known", x)
	}
	line("note", r.Notes)
	return b.String()
}

// strengths are what the verifiers found to be well.
func strengths(r *reflexion.Record) (out []string) {
	m := r.Evaluator.Metrics
	if m == nil {
		return nil
	}
	if m.TestsPassed != nil && *m.TestsPassed > 0 && m.TestsTotal != nil {
		out = append(out, fmt.Sprintf("%d of %s pass", *m.TestsPassed,
			term.Plural(*m.TestsTotal, "test")))
	}
	for _, x := range []struct {
		n    *int
		what string
	}{{m.TypeErrors, "no errors of types"}, {m.LintErrors, "no errors of style"}} {
		if x.n != nil && *x.n == 0 {
			out = append(out, x.what)
		}
	}
	return out
}
