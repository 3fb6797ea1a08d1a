package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/plain"
	"episodes/keys"
	"episodes/reflexion"
)

// New is a task that begins at a time (agent_protocol, init_task).
func New(id string, m Metadata, now string) *Task {
	m.ID, m.Created, m.Updated, m.Status = id, now, now, Running
	m.Completed, m.CurrentAttempt, m.TotalAttempts = "", 0, 0
	tidy(&m, &m.Tags, &m.Related)
	return &Task{Metadata: m}
}

// tidy makes the texts of what was stated safe to print; no list of it is nil then.
func tidy(v any, lists ...*[]string) {
	plain.All(v)
	for _, l := range lists {
		*l = append([]string{}, *l...)
	}
}

func (t *Task) under() (*Attempt, error) {
	if t.CurrentAttempt == 0 {
		return nil, fmt.Errorf("%w: no attempt of %s is under way", ErrState, t.ID)
	}
	return &t.Attempts[t.CurrentAttempt-1], nil
}

func (t *Task) resting() error {
	switch {
	case t.CurrentAttempt > 0:
		return fmt.Errorf("%w: attempt %d of %s is under way", ErrState, t.CurrentAttempt, t.ID)
	case t.Status == Completed || t.Status == Failed:
		return fmt.Errorf("%w: %s is %s", ErrState, t.ID, t.Status)
	}
	return nil
}

// Start begins an attempt (start_attempt). Its plan contains the last reflections, that of a first
// attempt lessons of others (learning_application).
func (t *Task) Start(plan Plan, agent string, others []*Task, now string) (*Attempt, error) {
	if err := t.resting(); err != nil {
		return nil, err
	}
	a := Attempt{ID: len(t.Attempts) + 1, TaskID: t.ID, Started: now, Plan: plan, Execution: Execution{Agent: agent}}
	tidy(&a, &a.Plan.Steps)
	var like []lessons
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
	tidy(&x)
	for _, p := range []*string{&x.Tool, &x.Output, &x.Error, &x.Reasoning, &x.Expected} {
		*p = reflexion.Shorten(*p, maxOutput)
	}
	a.Actions = append(a.Actions, x)
	t.Updated = now
	return nil
}

// Mark adds a milestone to the attempt under way.
func (t *Task) Mark(x Milestone, now string) error {
	a, err := t.under()
	if err != nil {
		return err
	}
	x.Timestamp = now
	tidy(&x)
	a.Milestones = append(a.Milestones, x)
	t.Updated = now
	return nil
}

// Reflect adds a reflection on the attempt under way, or else the last one.
func (t *Task) Reflect(r Reflection, now string) (*Reflection, error) {
	if len(t.Attempts) == 0 {
		return nil, fmt.Errorf("%w: there is no attempt of %s to reflect on", ErrState, t.ID)
	}
	r.AttemptID, r.Timestamp, r.TriggeredBy, r.Type = len(t.Attempts), now, Manual, cmp.Or(r.Type, improvement)
	tidy(&r, &r.ActionItems)
	t.Reflections, t.Updated = append(t.Reflections, r), now
	return &t.Reflections[len(t.Reflections)-1], nil
}

// Pause marks a task as paused; its next attempt ends the pause.
func (t *Task) Pause(now string) error {
	if err := t.resting(); err != nil {
		return err
	}
	t.Status, t.Updated = Paused, now
	return nil
}

// Complete ends the attempt under way (complete_attempt). After a failed one the task runs on.
func (t *Task) Complete(o Outcome, now string) error {
	a, err := t.under()
	if err != nil {
		return err
	}
	o.Ended = now
	tidy(&o, &o.Worked, &o.DidNotWork, &o.Suggestions)
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

// Limits of what a plan contains.
const (
	learned     = 3    // the last reflections
	minLikeness = 0.25 // of another task, as keys.Similarity counts it
	likeTasks   = 3
	perTask     = 3
)

// lessons are what a similar task has to say, as items of a list.
type lessons struct {
	score float64
	items []string
}

// similar returns the lessons of tasks that are named as related, or have similar words in
// description and tags, the most similar first.
func (t *Task) similar(others []*Task) (out []lessons) {
	own := subjectOf(&t.Metadata)
	for _, o := range others {
		l := lessons{1, []string{fmt.Sprintf("- %s (%s): %s", o.ID, o.Status, reflexion.FirstLine(o.Description))}}
		if !slices.Contains(t.Related, o.ID) {
			l.score = keys.Similarity(own, subjectOf(&o.Metadata))
		}
		for _, r := range slices.Backward(o.Reflections) {
			text := strings.TrimSpace(r.Learning)
			item := "  - " + strings.ReplaceAll(text, "\n", "\n    ")
			if text != "" && len(l.items) <= perTask && !slices.Contains(l.items, item) {
				l.items = append(l.items, item)
			}
		}
		if o.ID != t.ID && l.score >= minLikeness && len(l.items) > 1 {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b lessons) int { return cmp.Compare(b.score, a.score) })
	return out[:min(len(out), likeTasks)]
}

func subjectOf(m *Metadata) string {
	return keys.Canonical(m.Description + "\n" + strings.Join(m.Tags, "\n"))
}

func planText(m *Metadata, a *Attempt, past []Reflection, like []lessons) string {
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
	var items []string
	for _, r := range past[max(0, len(past)-learned):] {
		items = append(items, Text(r))
	}
	if len(items) > 0 {
		b.WriteString("\nWhat was noted on earlier attempts:\n\n" + q.List("reflections", items))
	}
	items = nil
	for _, l := range like {
		items = append(items, l.items...)
	}
	if len(items) > 0 {
		b.WriteString("\nWhat was noted on like tasks:\n\n" + q.List("tasks", items))
	}
	return b.String()
}

// Text renders a reflection in the form of the schema's template.
func Text(r Reflection) string {
	text := fmt.Sprintf("## Reflection on Attempt %d\n\n**Observation**: %s\n\n**Analysis**: %s\n\n**Learning**: %s\n",
		r.AttemptID, r.Observation, r.Analysis, r.Learning)
	for i, s := range r.ActionItems {
		if i == 0 {
			text += "\n**Action Items**:\n"
		}
		text += fmt.Sprintf("%d. %s\n", i+1, s)
	}
	return text
}

// reflections are those on how an attempt ended, and one more when it completed the task
// (reflection_triggers), for which triggered_by has no value but success.
func reflections(n int, o *Outcome, actions []Action, task string) []Reflection {
	r := Reflection{Timestamp: o.Ended, AttemptID: n, TriggeredBy: o.Status, Type: errorAnalysis,
		Observation: o.Status + " after " + plain.Plural(len(actions), "action"),
		Learning:    strings.Join(o.Suggestions, "; "), ActionItems: o.Suggestions}
	var analysis []string
	if o.Status == Success && len(o.Worked) > 0 {
		analysis = append(analysis, "What worked: "+strings.Join(o.Worked, "; ")+".")
	}
	failed := slices.DeleteFunc(slices.Clone(actions), func(a Action) bool { return a.Success })
	if len(failed) > 0 {
		r.Observation += fmt.Sprintf(", %d of which failed", len(failed))
	}
	if i := slices.IndexFunc(failed, func(a Action) bool { return a.Error != "" }); i >= 0 {
		a := failed[i]
		analysis = append(analysis, fmt.Sprintf("The first action that failed was %s (%s): %s.", a.Tool, a.Type, reflexion.FirstLine(a.Error)))
	}
	if o.Reason != "" {
		r.Observation += ": " + o.Reason
	}
	if len(o.DidNotWork) > 0 {
		analysis = append(analysis, "What did not work: "+strings.Join(o.DidNotWork, "; ")+".")
	}
	r.Analysis = strings.Join(analysis, " ")
	switch o.Status {
	case Timeout:
		r.Type = improvement
	case Success:
		r.Type = successPattern
		full := r
		full.Type, full.ActionItems = improvement, []string{}
		full.Observation = fmt.Sprintf("the task %q took %s", reflexion.FirstLine(task), plain.Plural(n, "attempt"))
		return []Reflection{r, full}
	}
	return []Reflection{r}
}
