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
	"episodes/reflexion/task"
)

func (a *app) taskLessonsCommand() *cobra.Command {
	var least int
	var categories []string
	cmd := &cobra.Command{
		Use: "lessons", Short: "Show what several reflections of loops and tasks say, and what people said",
		Example: "  episodes task lessons --min-frequency 3",
		Args:    takes(cobra.NoArgs, "no arguments"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if least < 1 {
				return usage("", "--min-frequency %d: must be 1 or more", least)
			}
			for _, c := range categories {
				if !slices.Contains(reflexion.LessonCategories(), c) {
					return usage("", "--category %q: must be one of %s", c, strings.Join(reflexion.LessonCategories(), ", "))
				}
			}
			f, err := a.learning(cmd)
			if err != nil {
				return err
			}
			lessons, err := f.Lessons(least, categories...)
			if err != nil {
				return err
			}
			return listing(a, cmd, "lessons", lessons, "no lesson recurs", func(l learning.Lesson) string {
				if l.Memory != "" {
					return fmt.Sprintf("said by a person (%s): %s\n", l.Memory, reflexion.FirstLine(l.Text))
				}
				where := "one loop or task"
				if n := len(l.Loops); n > 1 {
					where = fmt.Sprintf("%d loops or tasks", n)
				}
				return fmt.Sprintf("%s in %s: %s\n", term.Plural(l.Frequency, "time"), where, reflexion.FirstLine(l.Text))
			})
		},
	}
	cmd.Flags().IntVar(&least, "min-frequency", 2, "in at least `N` reflections")
	cmd.Flags().StringArrayVar(&categories, "category", nil,
		"only from this `PART` of reflections: "+strings.Join(reflexion.LessonCategories(), ", ")+" (may be given several times)")
	return cmd
}

func (a *app) taskShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show a loop, a task, one of their attempts, or a memory",
		Example: "  episodes task show ralph-cart\n  episodes task show ralph-cart#0\n  episodes task show task-001#2\n  episodes task show s1a2b3c4d5e6f",
		Long: `Attempts are numbered as records and memories number them: those of a loop from 0, those of a task
from 1.`,
		Args: takes(cobra.ExactArgs(1), "one id"), Annotations: exits(memoryExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := a.learning(cmd)
			if err != nil {
				return err
			}
			found, err := f.Find(args[0])
			switch {
			case err != nil:
				return err
			case found.Memory != "":
				return a.showMemory(cmd, found.Memory)
			case found.Record != nil:
				return a.answer(cmd, result{data: found.Record, text: a.budgeted(term.Lines(recordText(found.Record)))})
			case found.Replay != nil:
				return a.answer(cmd, result{data: found.Replay, text: a.budgeted(term.Lines(replayText(found.Replay)))})
			}
			data := struct {
				*task.History
				Worked []learning.Worked `json:"what_worked,omitempty"`
			}{found.History, found.Worked}
			return a.answer(cmd,
				result{data: data, text: a.budgeted(term.Lines(historyText(found.History, true) + workedText(found.Worked)))})
		},
	}
}

// workedText says what worked.
func workedText(list []learning.Worked) string {
	var b strings.Builder
	for i, w := range list {
		if i == 0 {
			b.WriteString("\nwhat worked:\n")
		}
		did, gone := w.Done, strings.Join(w.Gone, "; ")
		if did == "" {
			did = "what was done is not known"
		}
		switch {
		case gone != "" && w.Passed:
			gone = ": passed, and was gone: " + gone
		case gone != "":
			gone = ": was gone: " + gone
		default:
			gone = ": passed"
		}
		fmt.Fprintf(&b, "  iteration %d: %s%s\n", w.Iteration, did, gone)
	}
	return b.String()
}

// recordText is an attempt of a loop with all that its record says.
func recordText(r *reflexion.Record) string {
	var b strings.Builder
	word := "failed"
	if r.Evaluator.Passed {
		word = "passed"
	}
	fmt.Fprintf(&b, "%s, iteration %d (%s, %s, reward %.2f): %s\n", r.LoopID, r.Iteration, word, r.Evaluator.Type,
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
		out = append(out, fmt.Sprintf("%d of %s pass", *m.TestsPassed, term.Plural(*m.TestsTotal, "test")))
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

func (a *app) showMemory(cmd *cobra.Command, id string) error {
	return a.memories(cmd, false, func(s *learning.Memories) error {
		m, err := s.Get(id)
		if err != nil {
			return err
		}
		return a.answer(cmd, result{data: m, text: a.budgeted(term.Lines(memoryText(m)))})
	})
}

func memoryText(m *memories.Memory) string {
	var b strings.Builder
	b.WriteString(memoryLine(m))
	for _, p := range []struct {
		name string
		list []string
	}{{"details", []string{m.Content.Details}}, {"lesson", m.Content.Lessons}, {"applies to", m.Content.Scenarios},
		{"evidence", m.Content.Evidence}, {"related", m.Content.Related}, {"tag", m.Tags}} {
		for _, x := range p.list {
			if x != "" {
				fmt.Fprintf(&b, "  %s: %s\n", p.name, strings.ReplaceAll(x, "\n", "\n    "))
			}
		}
	}
	fmt.Fprintf(&b, "  made %s, read into %s", m.CreatedAt, term.Plural(m.AccessCount, "prompt"))
	if m.LastAccessed != "" {
		b.WriteString(", last " + m.LastAccessed)
	}
	if m.ExpiresAt != "" {
		b.WriteString(", expires " + m.ExpiresAt)
	}
	b.WriteByte('\n')
	return b.String()
}

func (a *app) importCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "import [DIR]",
		Short:   "Take over the loops and tasks of another tool",
		Example: "  episodes loop import\n  episodes loop import ../old/.aiwg/ralph",
		Long: `Reads DIR/reflections/LOOP/*.json and DIR/tasks/task-*/, by default those below .aiwg/ralph of the
repository. Records are checked against their schemas, cleaned, and stripped of command lines, outputs and
secrets; tasks get numbers of their own. What was taken over before is left as it is.`,
		Args: takes(cobra.MaximumNArgs(1), "at most one folder"), Annotations: exits(memoryExits + "\n3    some files were left out"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := a.learning(cmd)
			if err != nil {
				return err
			}
			dir := f.ImportFrom()
			if len(args) > 0 {
				dir = absoluteTo(a.cwd, args[0])
			}
			got, err := f.Import(cmd.Context(), dir)
			if err != nil {
				return err
			}
			for _, x := range got.LeftOut {
				a.warn("left out: " + term.Line(x))
			}
			text := fmt.Sprintf("%s and %s taken over, %d known before", term.Plural(got.Records, "record"),
				term.Plural(got.Tasks, "task"), got.Known)
			if err := a.answer(cmd, result{data: got, text: text, empty: got.Records+got.Tasks+got.Known == 0}); err != nil {
				return err
			}
			if n := len(got.LeftOut); n > 0 {
				return &failure{code: codePartly, err: fmt.Errorf("%s left out", term.Plural(n, "file")), reported: true}
			}
			return nil
		},
	}
}
