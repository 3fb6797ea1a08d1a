package task

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"episodes/internal/fsstore"
	"episodes/redact"
	"episodes/reflexion"
)

// Init creates a task and returns it (agent_protocol, init_task). Texts are cleaned.
func (s *Store) Init(m Metadata) (*Metadata, error) {
	ids, err := s.IDs()
	if err != nil {
		return nil, err
	}
	n := 1
	if len(ids) > 0 {
		last, _ := reflexion.ParseOrdinal(strings.TrimPrefix(ids[len(ids)-1], "task-"))
		n = last + 1
	}
	m.Description, m.Criteria = reflexion.Clean(strings.TrimSpace(m.Description)), reflexion.Clean(m.Criteria)
	m.Created, m.Status = s.stamp(), Running
	m.Updated, m.CurrentAttempt, m.TotalAttempts = m.Created, 0, 0
	for _, id := range m.Related {
		if !slices.Contains(ids, id) {
			return nil, fmt.Errorf("related task %q: %w", id, ErrNone)
		}
	}
	for ; ; n++ { // another process may take the number first
		m.ID = "task-" + reflexion.Ordinal(n)
		data, err := encode(&m)
		if err != nil {
			return nil, err
		}
		d, err := s.dir.Sub(m.ID)
		if err != nil {
			return nil, err
		}
		// The trajectory first: a task exists once its metadata does.
		empty, err := encode(&Trajectory{TaskID: m.ID, Attempts: []Step{}})
		if err == nil {
			err = d.WriteOnce("trajectory.json", empty)
		}
		if err == nil || errors.Is(err, fs.ErrExist) {
			err = d.WriteOnce("metadata.json", data)
		}
		d.Close()
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return &m, err
	}
}

// Start starts an attempt (start_attempt). Its plan contains the last reflections on
// earlier attempts, that of a first attempt lessons of similar tasks
// (learning_application). It returns the attempt and plan.md.
func (s *Store) Start(ctx context.Context, id string, plan Plan, agent string) (*Attempt, string, error) {
	var a *Attempt
	var text string
	err := s.change(ctx, id, func(d *fsstore.Dir, m *Metadata, t *Trajectory) error {
		switch {
		case m.CurrentAttempt > 0:
			return fmt.Errorf("%w: attempt %d of %s is under way", ErrState, m.CurrentAttempt, id)
		case m.Status == Completed || m.Status == Failed:
			return fmt.Errorf("%w: %s is %s", ErrState, id, m.Status)
		}
		past, err := lines[Reflection](d, "reflections.jsonl")
		if err != nil {
			return err
		}
		n := len(t.Attempts) + 1
		if plan.Steps == nil {
			plan.Steps = []string{}
		}
		a = &Attempt{ID: n, TaskID: id, Started: s.stamp(), Plan: plan, Execution: Execution{Agent: agent}}
		var like []Lesson
		if n == 1 { // later attempts have their own reflections
			if like, err = s.similar(m); err != nil {
				return err
			}
		}
		text = redact.Default.String(planText(m, a, past, like))
		sub, err := d.Sub(attemptDir(n))
		if err != nil {
			return err
		}
		defer sub.Close()
		if err := sub.Write("plan.md", []byte(text)); err != nil {
			return err
		}
		if err := write(sub, "attempt.json", a); err != nil {
			return err
		}
		m.Status, m.Updated = Running, a.Started
		return catchUp(d, m, t)
	})
	return a, text, err
}

// learned is how many of the last reflections a plan contains.
const learned = 3

func planText(m *Metadata, a *Attempt, past []Reflection, like []Lesson) string {
	var b strings.Builder
	q := &reflexion.Quotation{}
	if len(past)+len(like) > 0 {
		b.WriteString(q.Notice() + "\n")
	}
	fmt.Fprintf(&b, "# Attempt %d: %s\n\n", a.ID, m.Description)
	if m.Criteria != "" {
		fmt.Fprintf(&b, "Done when: %s\n\n", m.Criteria)
	}
	if a.Plan.Approach != "" {
		fmt.Fprintf(&b, "Approach: %s\n", a.Plan.Approach)
	}
	for i, s := range a.Plan.Steps {
		fmt.Fprintf(&b, "%d. %s\n", i+1, s)
	}
	if past = past[max(0, len(past)-learned):]; len(past) > 0 {
		var items []string
		for _, r := range past {
			items = append(items, itemsOf(r)...)
		}
		b.WriteString("\nWhat was noted on earlier attempts:\n\n" + q.List("reflections", items))
	}
	if len(like) > 0 {
		var items []string
		for _, l := range like {
			items = append(items, fmt.Sprintf("- %s (%s): %s", l.TaskID, l.Status, reflexion.FirstLine(l.Description)))
			for _, x := range l.Learning {
				items = append(items, "  - "+strings.ReplaceAll(x, "\n", "\n    "))
			}
		}
		b.WriteString("\nWhat was noted on like tasks:\n\n" + q.List("tasks", items))
	}
	return b.String()
}

// itemsOf returns a reflection in the form of Text, as items for a prompt.
func itemsOf(r Reflection) []string {
	out := []string{fmt.Sprintf("## Reflection on Attempt %d", r.AttemptID), "**Observation**: " + r.Observation,
		"**Analysis**: " + r.Analysis, "**Learning**: " + r.Learning}
	for i, s := range r.ActionItems {
		s = fmt.Sprintf("%d. %s", i+1, s)
		if i == 0 {
			s = "**Action Items**:\n" + s
		}
		out = append(out, s)
	}
	return out
}

// Text renders a reflection in the form of the schema's template.
func Text(r Reflection) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Reflection on Attempt %d\n\n**Observation**: %s\n\n**Analysis**: %s\n\n**Learning**: %s\n",
		r.AttemptID, r.Observation, r.Analysis, r.Learning)
	if len(r.ActionItems) > 0 {
		b.WriteString("\n**Action Items**:\n")
		for i, s := range r.ActionItems {
			fmt.Fprintf(&b, "%d. %s\n", i+1, s)
		}
	}
	return b.String()
}

// Log adds an action to the current attempt (log_action).
func (s *Store) Log(ctx context.Context, id string, a Action) error {
	a.Timestamp = s.stamp()
	for _, p := range []*string{&a.Tool, &a.Output, &a.Error, &a.Reasoning, &a.Expected} {
		*p = reflexion.Clean(*p)
	}
	return s.attempt(ctx, id, func(d *fsstore.Dir, in string, _ *Metadata, _ *Trajectory) error {
		sub, err := d.Existing(in)
		if err != nil {
			return err
		}
		defer sub.Close()
		f, err := sub.OpenPrivate(actionsFile, os.O_WRONLY) // only the user may read what tools printed
		if err != nil {
			return err
		}
		return errors.Join(f.Close(), appendLine(sub, actionsFile, &a))
	})
}

// cleaned cleans a list of texts; it is never nil.
func cleaned(list []string) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, reflexion.Clean(s))
	}
	return out
}

// Complete ends the current attempt (complete_attempt): its outcome is written first; the
// reflection, the trajectory and the task's state follow from it. A failed attempt leaves
// the task running, unless it is given up.
func (s *Store) Complete(ctx context.Context, id string, o Outcome) (*Metadata, error) {
	o.Ended = s.stamp()
	o.Reason = reflexion.Clean(o.Reason)
	o.Worked, o.DidNotWork, o.Suggestions = cleaned(o.Worked), cleaned(o.DidNotWork), cleaned(o.Suggestions)
	var out *Metadata
	err := s.attempt(ctx, id, func(d *fsstore.Dir, in string, m *Metadata, t *Trajectory) error {
		out = m
		if err := write(d, in+"/outcome.json", &o); err != nil {
			return err
		}
		return catchUp(d, m, t)
	})
	return out, err
}

// reflections are the automatic reflections on an ended attempt: one on how it ended, and
// one more when it completed the task (reflection_triggers). The trigger task_completion
// has no value in triggered_by, so success is used.
func reflections(n int, o *Outcome, actions []Action, task string) []Reflection {
	r := Reflection{Timestamp: o.Ended, AttemptID: n, TriggeredBy: o.Status, ActionItems: o.Suggestions}
	failed := 0
	for _, a := range actions {
		if !a.Success {
			failed++
			if r.Analysis == "" && a.Error != "" {
				r.Analysis = fmt.Sprintf("The first action that failed was %s (%s): %s.", a.Tool, a.Type,
					reflexion.FirstLine(a.Error))
			}
		}
	}
	r.Observation = fmt.Sprintf("%s after %s", o.Status, countActions(len(actions), failed))
	if o.Reason != "" {
		r.Observation += ": " + o.Reason
	}
	if len(o.DidNotWork) > 0 {
		r.Analysis = strings.TrimSpace(r.Analysis + " What did not work: " + strings.Join(o.DidNotWork, "; ") + ".")
	}
	r.Learning = strings.Join(o.Suggestions, "; ")
	switch o.Status {
	case Success:
		r.Type = successPattern
		if len(o.Worked) > 0 {
			r.Analysis = strings.TrimSpace("What worked: " + strings.Join(o.Worked, "; ") + ". " + r.Analysis)
		}
	case Timeout:
		r.Type = improvement
	default:
		r.Type = errorAnalysis
	}
	out := []Reflection{r}
	if o.Status == Success {
		attempts := "1 attempt"
		if n > 1 {
			attempts = fmt.Sprintf("%d attempts", n)
		}
		whole := Reflection{Timestamp: o.Ended, AttemptID: n, TriggeredBy: Success, Type: improvement, ActionItems: []string{},
			Observation: fmt.Sprintf("the task %q took %s", reflexion.FirstLine(task), attempts),
			Analysis:    r.Analysis, Learning: r.Learning}
		out = append(out, whole)
	}
	return out
}

func countActions(n, failed int) string {
	switch {
	case n == 0:
		return "no logged action"
	case n == 1 && failed == 0:
		return "1 action, which did not fail"
	case n == 1:
		return "1 action, which failed"
	}
	return fmt.Sprintf("%d actions, %d of which failed", n, failed)
}
