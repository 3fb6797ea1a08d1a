package learning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"episodes/internal/ask"
	"episodes/internal/fsstore"
	"episodes/internal/plain"
	"episodes/reflexion"
)

type Imported struct {
	Records int      `json:"records"`
	Tasks   int      `json:"tasks"`
	Known   int      `json:"known"`    // taken over before, or here already
	LeftOut []string `json:"left_out"` // files that are no records or tasks, and why
}

const maxImported = 8 << 20

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
		case "reflections":
			err = errors.Join(err, f.importRecords(from, out))
		case olderTasks:
			err = errors.Join(err, f.importTasks(ctx, from, out))
		default:
			out.leave(from.Path(name), errors.New("not looked into"))
		}
	}
	return out, err
}

func (f *Folder) importRecords(from *fsstore.Dir, out *Imported) error {
	loops, err := below(from, "reflections")
	if err != nil {
		return err
	}
	store, err := reflexion.CreateStore(f.top)
	if err != nil {
		return err
	}
	defer store.Close()
	for _, loop := range loops {
		in := "reflections/" + loop + "/"
		names, err := below(from, in)
		out.leave(from.Path(in), err)
		for _, name := range names {
			if strings.HasSuffix(name, ".json") {
				out.leave(from.Path(in+name), importRecord(store, from, in+name, out))
			}
		}
	}
	return nil
}

func importRecord(store *reflexion.Store, from *fsstore.Dir, name string, out *Imported) error {
	data, err := from.ReadLarge(name, maxImported)
	if err != nil {
		return err
	}
	r, err := reflexion.Parse(data)
	if err != nil {
		return err
	}
	r = reflexion.Imported(r)
	if err = store.Save(r); err == nil {
		out.Records++
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	old, err := fsstore.ReadInput(store.Path(r.LoopID, r.Iteration), maxImported)
	if err != nil {
		return fsstore.Cause(err)
	}
	if same, err := reflexion.Marshal(r); err != nil || string(same) != string(old) {
		return errors.New("there is another record of this iteration")
	}
	out.Known++
	return nil
}

func (f *Folder) importTasks(ctx context.Context, from *fsstore.Dir, out *Imported) error {
	ids, err := below(from, olderTasks)
	for _, id := range ids {
		d, err := from.Existing(olderTasks + "/" + id)
		if err == nil {
			err = f.importTask(ctx, d)
			d.Close()
		}
		switch {
		case errors.Is(err, errKnown):
			out.Known++
		case err == nil:
			out.Tasks++
		default:
			out.leave(from.Path(olderTasks+"/"+id), err)
		}
	}
	return err
}

func (out *Imported) leave(file string, err error) {
	if err != nil {
		out.LeftOut = append(out.LeftOut, fmt.Sprintf("%s: %v", file, err))
	}
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

// Earlier versions kept tasks, and what people said about loops, in files of their own. All else in
// the folder of the latter was derived from the records of loops.
const (
	olderTasks = "tasks"
	olderDir   = "memories"
	olderSaid  = olderDir + "/feedback"
)

func (f *Folder) Older() (int, error) {
	d, err := fsstore.Open(f.top)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer d.Close()
	tasks, err1 := below(d, olderTasks)
	said, err2 := below(d, olderSaid)
	return len(tasks) + len(said), errors.Join(err1, err2)
}

// TakeOver makes private episodes of the tasks that an earlier version kept, and lessons of what
// people said, of which those that were not private are shared. It removes what it took over, and
// what was derived.
func (f *Folder) TakeOver(ctx context.Context) error {
	d, err := fsstore.Open(f.top)
	if err != nil {
		return err
	}
	defer d.Close()
	got := &Imported{}
	if err := f.importTasks(ctx, d, got); err != nil {
		return err
	}
	if len(got.LeftOut) > 0 {
		return errors.New(strings.Join(got.LeftOut, "; "))
	}
	m, err := ask.Open(f.Options)
	if err != nil {
		return err
	}
	defer m.Close()
	said, err := below(d, olderSaid)
	for _, name := range said {
		if err := takeOver(ctx, m, d, olderSaid+"/"+name); err != nil {
			return fmt.Errorf("%s: %w", d.Path(olderSaid+"/"+name), err)
		}
	}
	if err != nil {
		return err
	}
	return errors.Join(d.RemoveAll(olderTasks), d.RemoveAll(olderDir))
}

// maxPiece is the number of bytes of a lesson, below the limit of a statement.
const maxPiece = 900

func takeOver(ctx context.Context, m *ask.Memory, d *fsstore.Dir, name string) error {
	data, err := d.Read(name)
	if err != nil {
		return err
	}
	var o struct {
		Content  struct{ Summary, Details string }
		Tags     []string
		Metadata struct{ Private bool }
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return err
	}
	text := strings.TrimSuffix(o.Content.Summary+": "+o.Content.Details, ": ")
	if len(o.Tags) > 0 {
		text += " (" + strings.Join(o.Tags, ", ") + ")"
	}
	of := ""
	for text = plain.Words(text); text != ""; {
		piece := plain.Clip(text, maxPiece)
		text = strings.TrimSpace(text[len(piece):])
		kept, err := m.State(ctx, ask.StateRequest{Kind: "lesson", Text: piece, Of: of})
		if err != nil {
			return err
		}
		of, _, _ = strings.Cut(kept.Ref, "#")
	}
	if of != "" && !o.Metadata.Private {
		if _, err := m.Share(ctx, ask.ShareRequest{Episodes: []string{of}}); err != nil {
			return err
		}
	}
	return d.Remove(name)
}
