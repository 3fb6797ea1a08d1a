package task

import (
	"slices"

	"episodes/internal/fsstore"
)

// catchUp completes what a killed writer left undone: an attempt that started or ended
// according to its own files also does so in the task's files.
func catchUp(d *fsstore.Dir, m *Metadata, t *Trajectory) error {
	if n := len(t.Attempts) + 1; d.Exists(attemptDir(n) + "/attempt.json") {
		a := &Attempt{}
		if err := load(d, attemptDir(n)+"/attempt.json", a); err != nil {
			return err
		}
		t.Attempts = append(t.Attempts, Step{AttemptID: n, Started: a.Started, Plan: a.Plan.Approach})
		if err := write(d, "trajectory.json", t); err != nil {
			return err
		}
	}
	n := len(t.Attempts)
	if n == 0 {
		return nil
	}
	changed := m.TotalAttempts != n
	m.TotalAttempts = n
	if last := &t.Attempts[n-1]; d.Exists(attemptDir(n) + "/outcome.json") {
		o := &Outcome{}
		if err := load(d, attemptDir(n)+"/outcome.json", o); err != nil {
			return err
		}
		changed = changed || last.Outcome == "" || m.CurrentAttempt != 0
		if err := closeAttempt(d, m, t, o); err != nil {
			return err
		}
	} else if m.CurrentAttempt != n {
		m.CurrentAttempt, changed = n, true
	}
	if changed {
		return write(d, "metadata.json", m)
	}
	return nil
}

// closeAttempt copies the outcome of the last attempt to the task's files, except what
// they have already.
func closeAttempt(d *fsstore.Dir, m *Metadata, t *Trajectory, o *Outcome) error {
	n := len(t.Attempts)
	actions, err := lines[Action](d, attemptDir(n)+"/"+actionsFile)
	if err != nil {
		return err
	}
	if err := addReflections(d, n, reflections(n, o, actions, m.Description)); err != nil {
		return err
	}
	if last := &t.Attempts[n-1]; last.Outcome == "" {
		if err := finalize(d, n, o, actions); err != nil {
			return err
		}
		if err := tally(d, last, actions); err != nil {
			return err
		}
		last.Ended, last.Outcome, last.Percent = o.Ended, o.Status, o.Percent
		if o.Quality != nil {
			last.Quality = o.Quality
		}
		if err := write(d, "trajectory.json", t); err != nil {
			return err
		}
	}
	m.CurrentAttempt, m.Updated = 0, o.Ended
	switch {
	case o.Status == Success:
		m.Status, m.Completed = Completed, o.Ended
	case o.GivenUp:
		m.Status = Failed
	}
	return nil
}

// addReflections appends the automatic reflections on attempt n that are missing.
func addReflections(d *fsstore.Dir, n int, list []Reflection) error {
	stored, err := lines[Reflection](d, "reflections.jsonl")
	if err != nil {
		return err
	}
	for _, r := range list {
		same := func(old Reflection) bool {
			return old.AttemptID == n && old.Type == r.Type && old.TriggeredBy != manual
		}
		if slices.ContainsFunc(stored, same) {
			continue
		}
		if err := appendLine(d, "reflections.jsonl", &r); err != nil {
			return err
		}
	}
	return nil
}

// tally counts the actions of an attempt so far.
func tally(d *fsstore.Dir, step *Step, actions []Action) (err error) {
	x := execution(actions)
	step.Actions, step.Iterations, step.Quality = x.Actions, x.Iterations, nil
	if n := len(x.Quality); n > 0 {
		step.Quality = &x.Quality[n-1].Quality
	}
	step.Milestones, err = lines[Milestone](d, attemptDir(step.AttemptID)+"/"+milestonesFile)
	return err
}

const milestonesFile = "milestones.jsonl"

// execution counts actions. The quality of an iteration is the last one stated.
func execution(actions []Action) Execution {
	x := Execution{Actions: len(actions)}
	at := map[int]int{}
	for _, a := range actions {
		x.Iterations = max(x.Iterations, a.Iteration)
		if a.Quality == nil {
			continue
		}
		i, ok := at[a.Iteration]
		if !ok {
			i = len(x.Quality)
			at[a.Iteration] = i
			x.Quality = append(x.Quality, Quality{Iteration: a.Iteration})
		}
		x.Quality[i].Quality = *a.Quality
	}
	for i := 1; i < len(x.Quality); i++ {
		x.Quality[i].Delta = x.Quality[i].Quality - x.Quality[i-1].Quality
	}
	return x
}

// finalize records the end and the execution of an attempt in its own file.
func finalize(d *fsstore.Dir, n int, o *Outcome, actions []Action) error {
	a := &Attempt{}
	if err := load(d, attemptDir(n)+"/attempt.json", a); err != nil {
		return err
	}
	agent := a.Execution.Agent
	a.Ended, a.Execution = o.Ended, execution(actions)
	a.Execution.Agent = agent
	return write(d, attemptDir(n)+"/attempt.json", a)
}
