package learning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"episodes/internal/fsstore"
	"episodes/internal/plain"
	"episodes/reflexion"
	"episodes/reflexion/history"
)

// The files of a task, as another tool and older versions keep them (episodic-memory schema):
// metadata.json, trajectory.json, reflections.jsonl, and for each attempt attempt.json, plan.md,
// actions.jsonl, milestones.jsonl and outcome.json.

func attemptDir(n int) string { return "attempts/" + reflexion.Ordinal(n) }

// load reads a JSON file of a task, if there is one.
func load(d *fsstore.Dir, name string, v any) (found bool, err error) {
	data, err := d.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		err = fmt.Errorf("read %q: %w", d.Path(name), err)
	}
	return true, err
}

// loadLines reads a file with a JSON value on each line, if there is one.
func loadLines[T any](d *fsstore.Dir, name string) ([]T, error) {
	raw, err := d.Lines(name)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(raw))
	for i, line := range raw {
		if err := json.Unmarshal(line, &out[i]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", d.Path(name), i+1, err)
		}
	}
	return out, nil
}

// readTask reads the files of a task, and checks what they say. It has no attempt under way that
// is not the last.
func readTask(d *fsstore.Dir) (*history.Task, error) {
	t := &history.Task{}
	if found, err := load(d, "metadata.json", &t.Metadata); err != nil || !found {
		return nil, errors.Join(err, missing(d, "metadata.json", found))
	}
	var err error
	if t.Reflections, err = loadLines[history.Reflection](d, "reflections.jsonl"); err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		a, err := readAttempt(d, n)
		if err != nil {
			return nil, err
		}
		if a == nil {
			if n <= t.TotalAttempts {
				return nil, missing(d, attemptDir(n), false)
			}
			break
		}
		a.ID, a.TaskID = n, t.ID
		t.Attempts = append(t.Attempts, *a)
	}
	t.TotalAttempts, t.CurrentAttempt = len(t.Attempts), 0
	if n := len(t.Attempts); n > 0 && t.Attempts[n-1].Outcome == nil {
		t.CurrentAttempt = n
	}
	plain.All(t)
	return t, t.Validate()
}

func missing(d *fsstore.Dir, name string, found bool) error {
	if found {
		return nil
	}
	return fmt.Errorf("%q: %w", d.Path(name), fs.ErrNotExist)
}

// readAttempt reads the files of an attempt, or returns nil where it has none.
func readAttempt(d *fsstore.Dir, n int) (*history.Attempt, error) {
	a, in := &history.Attempt{}, attemptDir(n)
	if found, err := load(d, in+"/attempt.json", a); err != nil || !found {
		return nil, err
	}
	o := &history.Outcome{}
	found, err := load(d, in+"/outcome.json", o)
	if err != nil {
		return nil, err
	}
	if found {
		a.Outcome, a.Ended = o, o.Ended
	}
	if plan, err := d.Read(in + "/plan.md"); err == nil {
		a.PlanText = string(plan)
	}
	if a.Actions, err = loadLines[history.Action](d, in+"/actions.jsonl"); err != nil {
		return nil, err
	}
	a.Milestones, err = loadLines[history.Milestone](d, in+"/milestones.jsonl")
	return a, err
}

// errKnown means that a task was taken over before.
var errKnown = errors.New("it was taken over before")

// importTask takes over a task, which gets a number of its own unless it is free. References to
// tasks that are not here are left out.
func (f *Folder) importTask(ctx context.Context, d *fsstore.Dir) error {
	theirs, err := readTask(d)
	if err != nil {
		return err
	}
	others, err := f.Histories()
	if err != nil {
		return err
	}
	_, err = f.ChangeTask(ctx, "", func(t *history.Task, _ string) error {
		id, known := t.ID, map[string]bool{}
		for _, h := range others {
			if h.Task.Created == theirs.Created && h.Task.Description == reflexion.Clean(theirs.Description) {
				return errKnown
			}
			known[h.Task.ID] = true
		}
		if !known[theirs.ID] {
			id = theirs.ID
		}
		*t = *theirs
		t.Related = slices.DeleteFunc(append([]string{}, t.Related...),
			func(related string) bool { return !known[related] })
		if t.ID = id; t.Tags == nil {
			t.Tags = []string{}
		}
		for i := range t.Attempts {
			t.Attempts[i].TaskID = id
		}
		return nil
	})
	return err
}
