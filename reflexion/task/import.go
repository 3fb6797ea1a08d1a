package task

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"episodes/internal/fsstore"
	"episodes/internal/plain"
	"episodes/redact"
)

// Import takes over a task of another tool, which keeps it in the same files, and returns
// its id here: it gets a number of its own. Texts are cleaned, records that are not valid
// refused. A task that was taken over before is returned as it is; then made is false.
func (s *Store) Import(ctx context.Context, from *fsstore.Dir) (id string, made bool, err error) {
	m, t := &Metadata{}, &Trajectory{}
	if err := load(from, "metadata.json", m); err != nil {
		return "", false, err
	}
	if known, err := s.same(m); known != "" || err != nil {
		return known, false, err
	}
	if err := load(from, "trajectory.json", t); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", false, err
	}
	reflections, err := lines[Reflection](from, "reflections.jsonl")
	if err != nil {
		return "", false, err
	}
	attempts, err := importedAttempts(from, max(len(t.Attempts), m.TotalAttempts))
	if err != nil {
		return "", false, err
	}
	status, completed := m.Status, m.Completed
	created, updated := m.Created, m.Updated
	whole := *m
	whole.Related = []string{} // ids of the other tool
	here, err := s.Init(whole)
	if err != nil {
		return "", false, err
	}
	return here.ID, true, s.change(ctx, here.ID, func(d *fsstore.Dir, m *Metadata, t *Trajectory) error {
		for _, x := range attempts {
			if err := x.write(d, m.ID); err != nil {
				return err
			}
			if err := catchUp(d, m, t); err != nil { // as it would have gone
				return err
			}
		}
		for _, r := range reflections {
			if err := addImported(d, &r); err != nil {
				return err
			}
		}
		if m.Created, m.Updated = created, updated; status == Completed || status == Failed {
			m.Status, m.Completed = status, completed
		}
		return write(d, "metadata.json", m)
	})
}

// same returns the task that was imported from the same one before, or "".
func (s *Store) same(m *Metadata) (string, error) {
	ids, err := s.IDs()
	if err != nil {
		return "", err
	}
	for _, id := range ids {
		if here, err := s.metadata(id); err == nil && here.Created == m.Created && here.Description == m.Description {
			return id, nil
		}
	}
	return "", nil
}

// imported is an attempt of another tool.
type imported struct {
	attempt    Attempt
	outcome    *Outcome
	plan       string
	actions    []Action
	milestones []Milestone
}

// importedAttempts reads the attempts, as many as there are, up to the first that is
// missing.
func importedAttempts(from *fsstore.Dir, most int) (out []imported, err error) {
	for n := 1; ; n++ {
		in := attemptDir(n)
		x := imported{}
		err := load(from, in+"/attempt.json", &x.attempt)
		if errors.Is(err, fs.ErrNotExist) {
			if n <= most {
				return nil, fmt.Errorf("%q: attempt %d is missing: %w", from.Path(in), n, err)
			}
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if x.outcome = x.attempt.Outcome; x.outcome == nil {
			o := &Outcome{}
			switch err := load(from, in+"/outcome.json", o); {
			case err == nil:
				x.outcome = o
			case !errors.Is(err, fs.ErrNotExist):
				return nil, err
			}
		}
		if plan, err := from.Read(in + "/plan.md"); err == nil {
			x.plan = redact.Default.String(plain.Text(string(plan)))
		}
		x.actions, err = lines[Action](from, in+"/"+actionsFile)
		if err == nil {
			x.milestones, err = lines[Milestone](from, in+"/"+milestonesFile)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
}

// write writes an attempt into a task here.
func (x *imported) write(d *fsstore.Dir, id string) error {
	sub, err := d.Sub(attemptDir(x.attempt.ID))
	if err != nil {
		return err
	}
	defer sub.Close()
	a := x.attempt
	a.TaskID, a.Outcome = id, nil
	if a.Plan.Steps == nil {
		a.Plan.Steps = []string{}
	}
	err = sub.Write("plan.md", []byte(x.plan))
	if len(x.actions) > 0 {
		f, e := sub.OpenPrivate(actionsFile, os.O_WRONLY)
		if err = errors.Join(err, e); e == nil {
			err = errors.Join(err, f.Close())
		}
	}
	for i := range x.actions {
		err = errors.Join(err, appendLine(sub, actionsFile, &x.actions[i]))
	}
	for i := range x.milestones {
		err = errors.Join(err, appendLine(sub, milestonesFile, &x.milestones[i]))
	}
	if err = errors.Join(err, write(sub, "attempt.json", &a)); err == nil && x.outcome != nil {
		o := *x.outcome
		o.Worked, o.DidNotWork, o.Suggestions = cleaned(o.Worked), cleaned(o.DidNotWork), cleaned(o.Suggestions)
		err = write(sub, "outcome.json", &o)
	}
	return err
}

// addImported adds a reflection of another tool, unless it is there.
func addImported(d *fsstore.Dir, r *Reflection) error {
	stored, err := lines[Reflection](d, "reflections.jsonl")
	if err != nil {
		return err
	}
	for _, old := range stored {
		if old.AttemptID == r.AttemptID && old.Observation == r.Observation && old.Learning == r.Learning {
			return nil
		}
	}
	return appendLine(d, "reflections.jsonl", r)
}
