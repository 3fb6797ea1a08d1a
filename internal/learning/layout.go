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

func attemptDir(n int) string { return "attempts/" + reflexion.Ordinal(n) }

// reader reads the files of a task, as another tool and earlier versions keep them
// (episodic-memory schema). It keeps the first error.
type reader struct {
	*fsstore.Dir
	err error
}

// json reads a file and reports whether it exists; it is an error where one that must exist does not.
func (d *reader) json(name string, into any, must bool) bool {
	if d.err != nil {
		return false
	}
	data, err := d.Read(name)
	if errors.Is(err, fs.ErrNotExist) && !must {
		return false
	}
	if d.err = err; err == nil {
		if err = json.Unmarshal(data, into); err != nil {
			d.err = fmt.Errorf("%q: %w", d.Path(name), err)
		}
	}
	return d.err == nil
}

func linesOf[T any](d *reader, name string) (out []T) {
	lines, err := d.Lines(name)
	d.err = errors.Join(d.err, err)
	for i, line := range lines {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			d.err = errors.Join(d.err, fmt.Errorf("%s:%d: %w", d.Path(name), i+1, err))
		}
		out = append(out, v)
	}
	return out
}

// readTask reads the files of a task and checks them. No attempt but the last is under way.
func readTask(dir *fsstore.Dir) (*history.Task, error) {
	t, d := &history.Task{}, &reader{Dir: dir}
	d.json("metadata.json", &t.Metadata, true)
	t.Reflections = linesOf[history.Reflection](d, "reflections.jsonl")
	for n := 1; ; n++ {
		a, o, in := history.Attempt{}, history.Outcome{}, attemptDir(n)
		if !d.json(in+"/attempt.json", &a, n <= t.TotalAttempts) {
			break
		}
		if d.json(in+"/outcome.json", &o, false) {
			a.Outcome, a.Ended = &o, o.Ended
		}
		if plan, err := d.Read(in + "/plan.md"); err == nil {
			a.PlanText = string(plan)
		}
		a.Actions = linesOf[history.Action](d, in+"/actions.jsonl")
		a.Milestones = linesOf[history.Milestone](d, in+"/milestones.jsonl")
		a.ID, a.TaskID = n, t.ID
		t.Attempts = append(t.Attempts, a)
	}
	if d.err != nil {
		return nil, d.err
	}
	t.TotalAttempts, t.CurrentAttempt = len(t.Attempts), 0
	if n := len(t.Attempts); n > 0 && t.Attempts[n-1].Outcome == nil {
		t.CurrentAttempt = n
	}
	plain.All(t)
	return t, t.Validate()
}

var errKnown = errors.New("it was taken over before")

// importTask takes over a task, which gets a number of its own unless its own is free. References
// to tasks that are not here are left out.
func (f *Folder) importTask(ctx context.Context, d *fsstore.Dir) error {
	theirs, err := readTask(d)
	if err != nil {
		return err
	}
	others, err := f.Tasks()
	if err != nil {
		return err
	}
	_, err = f.changeTask(ctx, "", func(t *history.Task, _ string) error {
		id, known := t.ID, map[string]bool{}
		for _, o := range others {
			if o.Created == theirs.Created && o.Description == reflexion.Clean(theirs.Description) {
				return errKnown
			}
			known[o.ID] = true
		}
		if !known[theirs.ID] {
			id = theirs.ID
		}
		*t = *theirs
		t.ID, t.Tags = id, append([]string{}, t.Tags...)
		t.Related = slices.DeleteFunc(append([]string{}, t.Related...), func(related string) bool { return !known[related] })
		for i := range t.Attempts {
			t.Attempts[i].TaskID = id
		}
		return nil
	})
	return err
}
