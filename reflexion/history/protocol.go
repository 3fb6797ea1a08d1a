package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/keys"
	"episodes/reflexion"
)

// New is a task that begins at a time (agent_protocol, init_task). Texts are cleaned.
func New(id string, m Metadata, now string) *Task {
	m.ID, m.Created, m.Updated, m.Status = id, now, now, Running
	m.Completed, m.CurrentAttempt, m.TotalAttempts = "", 0, 0
	m.Description, m.Criteria = clean(m.Description), clean(m.Criteria)
	m.Tags, m.Related = cleaned(m.Tags), cleaned(m.Related)
	return &Task{Metadata: m}
}

// under returns the attempt under way.
func (t *Task) under() (*Attempt, error) {
	if t.CurrentAttempt == 0 {
		return nil, fmt.Errorf("%w: no attempt of %s is under way", ErrState, t.ID)
	}
	return t.Attempt(t.CurrentAttempt)
}

// resting returns an error when an attempt is under way or the task has ended.
func (t *Task) resting() error {
	switch {
	case t.CurrentAttempt > 0:
		return fmt.Errorf("%w: attempt %d of %s is under way", ErrState, t.CurrentAttempt, t.ID)
	case t.Status == Completed || t.Status == Failed:
		return fmt.Errorf("%w: %s is %s", ErrState, t.ID, t.Status)
	}
	return nil
}

// Start begins an attempt (start_attempt). The text of its plan contains the last reflections
// on earlier attempts, that of a first attempt lessons of others (learning_application).
func (t *Task) Start(plan Plan, agent string, others []*History, now string) (*Attempt, error) {
	if err := t.resting(); err != nil {
		return nil, err
	}
	plan.Approach, plan.Steps = clean(plan.Approach), cleaned(plan.Steps)
	a := Attempt{ID: len(t.Attempts) + 1, TaskID: t.ID, Started: now, Plan: plan,
		Execution: Execution{Agent: clean(agent)}}
	var like []lesson
	if a.ID == 1 { // later attempts have their own reflections
		like = t.similar(others)
	}
	a.PlanText = planText(&t.Metadata, &a, t.Reflections, like)
	t.Attempts = append(t.Attempts, a)
	t.CurrentAttempt, t.TotalAttempts, t.Status, t.Updated = a.ID, a.ID, Running, now
	return &t.Attempts[a.ID-1], nil
}

// maxOutput is how much of an output of an action is kept, in bytes.
const maxOutput = 4 << 10

// Log adds an action to the attempt under way (log_action).
func (t *Task) Log(x Action, now string) error {
	a, err := t.under()
	if err != nil {
		return err
	}
	x.Timestamp = now
	for _, p := range []*string{&x.Tool, &x.Output, &x.Error, &x.Reasoning, &x.Expected} {
		*p = reflexion.Shorten(clean(*p), maxOutput)
	}
	a.Actions = append(a.Actions, x)
	t.Updated = now
	return x.Validate()
}

// Mark adds a milestone to the attempt under way.
func (t *Task) Mark(x Milestone, now string) error {
	a, err := t.under()
	if err != nil {
		return err
	}
	x.Timestamp, x.Event, x.Details = now, clean(x.Event), clean(x.Details)
	a.Milestones = append(a.Milestones, x)
	t.Updated = now
	return x.Validate()
}

// Reflect adds a reflection on the attempt under way, or else the last one (triggered_by
// manual).
func (t *Task) Reflect(r Reflection, now string) (*Reflection, error) {
	if len(t.Attempts) == 0 {
		return nil, fmt.Errorf("%w: there is no attempt of %s to reflect on", ErrState, t.ID)
	}
	r.AttemptID, r.Timestamp, r.TriggeredBy, r.ActionItems = len(t.Attempts), now, Manual, cleaned(r.ActionItems)
	r.Type = cmp.Or(r.Type, improvement)
	for _, p := range []*string{&r.Observation, &r.Analysis, &r.Learning} {
		*p = clean(*p)
	}
	t.Reflections, t.Updated = append(t.Reflections, r), now
	return &r, r.Validate()
}

// Pause marks a task as paused; its next attempt ends the pause.
func (t *Task) Pause(now string) error {
	if err := t.resting(); err != nil {
		return err
	}
	t.Status, t.Updated = Paused, now
	return nil
}

// Complete ends the attempt under way (complete_attempt). A failed attempt leaves the task
// running, unless it is given up.
func (t *Task) Complete(o Outcome, now string) error {
	a, err := t.under()
	if err != nil {
		return err
	}
	o.Ended, o.Reason = now, clean(o.Reason)
	o.Worked, o.DidNotWork, o.Suggestions = cleaned(o.Worked), cleaned(o.DidNotWork), cleaned(o.Suggestions)
	if err := o.Validate(); err != nil {
		return err
	}
	a.Outcome, a.Ended, a.Execution = &o, now, a.execution()
	t.Reflections = append(t.Reflections, reflections(a.ID, &o, a.Actions, t.Description)...)
	t.CurrentAttempt, t.Updated = 0, now
	switch {
	case o.Status == Success:
		t.Status, t.Completed = Completed, now
	case o.GivenUp:
		t.Status = Failed
	}
	return nil
}

func clean(s string) string { return reflexion.Clean(strings.TrimSpace(s)) }

// cleaned cleans a list of texts; it is never nil.
func cleaned(list []string) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, clean(s))
	}
	return out
}

// lesson is what was learned in another task.
type lesson struct {
	of       *History
	learning []string
	score    float64
}

// Limits of the lessons of other tasks in a plan.
const (
	minLikeness = 0.25 // share of common words, as keys.Similarity counts them
	likeTasks   = 3
	perTask     = 3
)

// similar returns the lessons of similar tasks, the most similar first: those that the
// task names as related, and those with similar words in description and tags. Tasks
// without lessons are skipped.
func (t *Task) similar(others []*History) (out []lesson) {
	own := subjectOf(&t.Metadata)
	for _, h := range others {
		l := lesson{of: h, score: 1}
		if !slices.Contains(t.Related, h.Task.ID) {
			l.score = keys.Similarity(own, subjectOf(&h.Task))
		}
		for i := len(h.Reflections) - 1; i >= 0 && len(l.learning) < perTask; i-- {
			if text := strings.TrimSpace(h.Reflections[i].Learning); text != "" && !slices.Contains(l.learning, text) {
				l.learning = append(l.learning, text)
			}
		}
		if h.Task.ID != t.ID && l.score >= minLikeness && l.learning != nil {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b lesson) int { return cmp.Compare(b.score, a.score) })
	return out[:min(len(out), likeTasks)]
}

func subjectOf(m *Metadata) string {
	return keys.Canonical(m.Description + "\n" + strings.Join(m.Tags, "\n"))
}

// learned is how many of the last reflections a plan contains.
const learned = 3

func planText(m *Metadata, a *Attempt, past []Reflection, like []lesson) string {
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
			items = append(items, fmt.Sprintf("- %s (%s): %s", l.of.Task.ID, l.of.Task.Status,
				reflexion.FirstLine(l.of.Task.Description)))
			for _, x := range l.learning {
				items = append(items, "  - "+strings.ReplaceAll(x, "\n", "\n    "))
			}
		}
		b.WriteString("\nWhat was noted on like tasks:\n\n" + q.List("tasks", items))
	}
	return b.String()
}

// itemsOf returns a reflection in the form of Text, as items for a prompt.
func itemsOf(r Reflection) []string {
	out := []string{fmt.Sprintf("## Reflection on Attempt %d", r.AttemptID),
		"**Observation**: " + r.Observation,
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
	items := itemsOf(r)
	text := strings.Join(items[:4], "\n\n") + "\n"
	if actions := strings.Join(items[4:], "\n"); actions != "" {
		text += "\n" + actions + "\n"
	}
	return text
}

// reflections are the automatic reflections on an ended attempt: one on how it ended, and
// one more when it completed the task (reflection_triggers). The trigger task_completion
// has no value in triggered_by, so success is used.
func reflections(n int, o *Outcome, actions []Action, task string) []Reflection {
	r := Reflection{Timestamp: o.Ended, AttemptID: n, TriggeredBy: o.Status,
		ActionItems: o.Suggestions}
	failed := 0
	for _, a := range actions {
		if !a.Success {
			failed++
			if r.Analysis == "" && a.Error != "" {
				r.Analysis = fmt.Sprintf("The first action that failed was %s (%s): %s.", a.Tool,
					a.Type,
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
			r.Analysis = strings.TrimSpace("What worked: " + strings.Join(o.Worked,
				"; ") + ". " + r.Analysis)
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
		whole := Reflection{Timestamp: o.Ended, AttemptID: n, TriggeredBy: Success,
			Type: improvement, ActionItems: []string{},
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
