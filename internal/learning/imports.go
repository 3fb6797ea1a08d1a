package learning

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"episodes/internal/fsstore"
	"episodes/reflexion"
)

// ImportedTools is where another tool keeps its loops and tasks, below the root of the
// repository.
const ImportedTools = ".aiwg/ralph"

// Imported counts what was taken over.
type Imported struct {
	Records int      `json:"records"`
	Tasks   int      `json:"tasks"`
	Known   int      `json:"known"`    // taken over before, or here already
	LeftOut []string `json:"left_out"` // files that are no records or tasks, and why
}

// maxImported is the size of the largest file that is taken over, in bytes.
const maxImported = 8 << 20

// Import takes over the records and the tasks of another tool: DIR/reflections/LOOP/*.json
// and DIR/tasks/task-*/. What is there is kept as it is; what is taken over is validated,
// cleaned and redacted, and nothing that it claims is believed to have been measured here.
// The error is that the folder cannot be read.
func (f *Folder) Import(ctx context.Context, dir string) (*Imported, error) {
	from, err := fsstore.Open(dir)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	out := &Imported{LeftOut: []string{}}
	if err := f.importRecords(from, out); err != nil {
		return nil, err
	}
	if err := f.importTasks(ctx, from, out); err != nil {
		return nil, err
	}
	names, err := from.Names()
	for _, n := range names {
		if n != "reflections" && n != "tasks" {
			out.LeftOut = append(out.LeftOut, fmt.Sprintf("%s: not looked into", from.Path(n)))
		}
	}
	return out, err
}

func (f *Folder) importRecords(from *fsstore.Dir, out *Imported) error {
	loops, err := below(from, "reflections")
	if err != nil || len(loops) == 0 {
		return err
	}
	store, err := reflexion.CreateStore(f.top)
	if err != nil {
		return err
	}
	defer store.Close()
	for _, loop := range loops {
		in := "reflections/" + loop
		d, err := from.Existing(in)
		if err != nil {
			out.leave(from.Path(in), err)
			continue
		}
		names, err := d.Names()
		if err != nil {
			out.leave(d.Path(""), err)
		}
		for _, name := range names {
			if !strings.HasSuffix(name, ".json") {
				continue
			}
			data, err := d.ReadLarge(name, maxImported)
			if err == nil {
				err = importRecord(store, data, out)
			}
			if err != nil {
				out.leave(d.Path(name), err)
			}
		}
		d.Close()
	}
	return nil
}

// errOther means that there is another record of the same iteration.
var errOther = errors.New("there is another record of this iteration")

func importRecord(store *reflexion.Store, data []byte, out *Imported) error {
	r, err := reflexion.Parse(data)
	if err != nil {
		return err
	}
	r = reflexion.Imported(r)
	err = store.Save(r)
	if !errors.Is(err, fs.ErrExist) {
		if err == nil {
			out.Records++
		}
		return err
	}
	old, err := fsstore.ReadInput(store.Path(r.LoopID, r.Iteration), maxImported)
	if err != nil {
		return fsstore.Cause(err)
	}
	if same, err := reflexion.Marshal(r); err != nil || string(same) != string(old) {
		return errOther
	}
	out.Known++
	return nil
}

func (f *Folder) importTasks(ctx context.Context, from *fsstore.Dir, out *Imported) error {
	ids, err := below(from, "tasks")
	if err != nil || len(ids) == 0 {
		return err
	}
	for _, id := range ids {
		d, err := from.Existing("tasks/" + id)
		if err == nil {
			err = f.importTask(ctx, d)
			d.Close()
		}
		switch {
		case errors.Is(err, errKnown):
			out.Known++
		case err != nil:
			out.leave(from.Path("tasks/"+id), err)
		default:
			out.Tasks++
		}
	}
	return nil
}

func (out *Imported) leave(file string, err error) {
	out.LeftOut = append(out.LeftOut, fmt.Sprintf("%s: %v", file, err))
}

// below lists a folder; nothing if it does not exist.
func below(from *fsstore.Dir, name string) ([]string, error) {
	d, err := from.Existing(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Names()
}

// ImportFrom is the folder of another tool in the repository.
func (f *Folder) ImportFrom() string {
	return filepath.Join(f.Location.Root, filepath.FromSlash(ImportedTools))
}
