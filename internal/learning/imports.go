package learning

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/fsstore"
	"episodes/internal/plain"
	"episodes/reflexion"
	"episodes/reflexion/history"
)

type Imported struct {
	Records int      `json:"records"`
	Tasks   int      `json:"tasks"`
	Known   int      `json:"known"`    // taken over before, or here already
	LeftOut []string `json:"left_out"` // files that are no records or tasks, and why
}

const (
	maxImported = 8 << 20
	tasksDir    = "tasks"
)

var errKnown = errors.New("it was taken over before")

// took counts what was taken over by its error.
func (out *Imported) took(n *int, path string, err error) {
	switch {
	case err == nil:
		*n++
	case errors.Is(err, errKnown):
		out.Known++
	default:
		out.LeftOut = append(out.LeftOut, fmt.Sprintf("%s: %v", path, err))
	}
}

// ImportFrom is where another tool keeps its loops and tasks in the repository.
func (f *Folder) ImportFrom() string {
	return filepath.Join(f.Location.Root, filepath.FromSlash(".aiwg/ralph"))
}

// Import takes over the records and the tasks of another tool: DIR/reflections/LOOP/*.json
// and DIR/tasks/task-*/. What is here stays as it is; what is taken over is validated,
// cleaned and redacted, and nothing that it claims is believed to have been measured here.
// The error is that the folder cannot be read.
func (f *Folder) Import(ctx context.Context, dir string) (*Imported, error) {
	from, err := fsstore.Open(dir)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	out := &Imported{LeftOut: []string{}}
	names, err := from.Names()
	for _, name := range names {
		switch name {
		case reflexion.ReflectionsDir:
			err = errors.Join(err, f.importRecords(from, out))
		case tasksDir:
			err = errors.Join(err, f.importTasks(ctx, from, out))
		default:
			out.took(nil, from.Path(name), errors.New("not looked into"))
		}
	}
	return out, err
}

func (f *Folder) importRecords(from *fsstore.Dir, out *Imported) error {
	loops, err := below(from, reflexion.ReflectionsDir)
	if err != nil {
		return err
	}
	store, err := reflexion.CreateStore(f.top)
	if err != nil {
		return err
	}
	defer store.Close()
	for _, loop := range loops {
		in := reflexion.ReflectionsDir + "/" + loop + "/"
		names, err := below(from, in)
		if err != nil {
			out.took(nil, from.Path(in), err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, ".json") {
				out.took(&out.Records, from.Path(in+name), importRecord(store, from, in+name))
			}
		}
	}
	return nil
}

func importRecord(store *reflexion.Store, from *fsstore.Dir, name string) error {
	data, err := from.ReadLarge(name, maxImported)
	if err != nil {
		return err
	}
	r, err := reflexion.Parse(data)
	if err != nil {
		return err
	}
	r = reflexion.Imported(r)
	if err = store.Save(r); !errors.Is(err, fs.ErrExist) {
		return err
	}
	same, err1 := reflexion.Marshal(r)
	old, err2 := fsstore.ReadInput(store.Path(r.LoopID, r.Iteration), maxImported)
	if err1 != nil || err2 != nil || !bytes.Equal(same, old) {
		return errors.New("there is another record of this iteration")
	}
	return errKnown
}

func (f *Folder) importTasks(ctx context.Context, from *fsstore.Dir, out *Imported) error {
	ids, err := below(from, tasksDir)
	for _, id := range ids {
		d, err := from.Existing(tasksDir + "/" + id)
		if err == nil {
			err = f.importTask(ctx, d)
			d.Close()
		}
		out.took(&out.Tasks, from.Path(tasksDir+"/"+id), err)
	}
	return err
}

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

func attemptDir(n int) string { return "attempts/" + reflexion.Ordinal(n) }

// reader reads the files of a task, as another tool keeps them (episodic-memory schema). It keeps the first error.
type reader struct {
	*fsstore.Dir
	err error
}

// values are the JSON values that a file has one after another; none where it does not exist. Half of
// one, at the end of what a killed process wrote, does not count.
func values[T any](d *reader, name string) (out []T) {
	data, err := d.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for from := json.NewDecoder(bytes.NewReader(data)); err == nil; {
		var v T
		if err = from.Decode(&v); err == nil {
			out = append(out, v)
		}
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && d.err == nil {
		d.err = fmt.Errorf("%q: %w", d.Path(name), err)
	}
	return out
}

// readTask reads the files of a task and checks them. No attempt but the last is under way.
func readTask(dir *fsstore.Dir) (*history.Task, error) {
	t, d := &history.Task{}, &reader{Dir: dir}
	if found := values[history.Metadata](d, "metadata.json"); len(found) == 1 {
		t.Metadata = found[0]
	} else if d.err == nil {
		d.err = fmt.Errorf("%q has no task", d.Path("metadata.json"))
	}
	t.Reflections = values[history.Reflection](d, "reflections.jsonl")
	for n := 1; ; n++ {
		in := attemptDir(n)
		found := values[history.Attempt](d, in+"/attempt.json")
		if len(found) == 0 {
			break
		}
		a := found[0]
		for _, o := range values[history.Outcome](d, in+"/outcome.json") {
			a.Outcome, a.Ended = &o, o.Ended
		}
		if plan, err := d.Read(in + "/plan.md"); err == nil {
			a.PlanText = string(plan)
		}
		a.Actions, a.Milestones = values[history.Action](d, in+"/actions.jsonl"), values[history.Milestone](d, in+"/milestones.jsonl")
		a.ID, a.TaskID = n, t.ID
		t.Attempts = append(t.Attempts, a)
	}
	n := len(t.Attempts)
	if d.err == nil && n < t.TotalAttempts {
		d.err = fmt.Errorf("attempt %d of %d is missing", n+1, t.TotalAttempts)
	}
	if t.TotalAttempts, t.CurrentAttempt = n, 0; n > 0 && t.Attempts[n-1].Outcome == nil {
		t.CurrentAttempt = n
	}
	plain.All(t)
	return t, errors.Join(d.err, t.Validate())
}

// below lists a folder; nothing if it does not exist.
func below(from *fsstore.Dir, name string) ([]string, error) {
	d, err := from.Existing(filepath.Clean(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Names()
}
