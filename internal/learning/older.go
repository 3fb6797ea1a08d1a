package learning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"episodes/internal/ask"
	"episodes/internal/fsstore"
	"episodes/internal/plain"
)

// Versions before the records of episodes kept tasks, and what people said about loops, in files
// of their own. All else in the folder of the latter was derived from the records of loops.
const (
	olderDir   = "memories"
	olderSaid  = olderDir + "/feedback"
	olderTasks = "tasks"
)

// older opens the folder of older versions, and lists the tasks and the files with what people
// said; d is nil if there are none.
func (f *Folder) older() (d *fsstore.Dir, tasks, said []string, err error) {
	d, err = fsstore.Open(f.top)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil, nil
	}
	if err != nil {
		return nil, nil, nil, err
	}
	tasks, err = below(d, olderTasks)
	if err == nil {
		said, err = below(d, olderSaid)
	}
	return d, tasks, said, err
}

// Older counts the tasks and the statements of people that an older version kept, and TakeOver
// has not yet taken over.
func (f *Folder) Older() (int, error) {
	d, tasks, said, err := f.older()
	d.Close()
	return len(tasks) + len(said), err
}

// TakeOver makes private episodes of the tasks that an older version kept, and lessons of what it
// kept of what people said, of which those that were not private are shared. It removes what it
// took over, and what was derived.
func (f *Folder) TakeOver(ctx context.Context) error {
	d, _, said, err := f.older()
	if err != nil || d == nil {
		d.Close()
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
	for _, name := range said {
		if err := f.takeOver(ctx, d, olderSaid+"/"+name); err != nil {
			return fmt.Errorf("%s: %w", d.Path(olderSaid+"/"+name), err)
		}
	}
	return errors.Join(d.RemoveAll(olderTasks), d.RemoveAll(olderDir))
}

// maxPiece is the number of bytes of a lesson, below the limit of a statement.
const maxPiece = 900

// takeOver makes lessons of one file, and removes it.
func (f *Folder) takeOver(ctx context.Context, d *fsstore.Dir, name string) error {
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
	text := o.Content.Summary
	if o.Content.Details != "" {
		text += ": " + o.Content.Details
	}
	if len(o.Tags) > 0 {
		text += " (" + strings.Join(o.Tags, ", ") + ")"
	}
	m, err := ask.Open(f.Options)
	if err != nil {
		return err
	}
	defer m.Close()
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
