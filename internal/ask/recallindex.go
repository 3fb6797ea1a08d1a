package ask

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync"

	"episodes/graph/stores"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/internal/track"
	"episodes/recall"
)

// recall answers a question from the index of retrieval. A damaged one is made again.
func (l *local) recall(ctx context.Context, _ *recall.Question, ask func(*recall.Index) error) error {
	try := func() error {
		kept, open, err := l.passages(ctx)
		if err != nil {
			return err
		}
		return l.ask(kept, open, ask)
	}
	err := try()
	if errors.Is(err, recall.ErrDamaged) {
		l.folder.RemoveDerived(memory.RecallPrefix, nil)
		l.made = nil
		err = try()
	}
	return err
}

// passages opens the index of retrieval, up to date with the graph, which is not opened for it. Where it cannot be kept,
// it is made for this run.
func (l *local) passages(ctx context.Context) (kept track.Passages, open *segments, err error) {
	l.settle(ctx)
	kept, open = l.openPassages()
	if l.made == nil && l.graph == nil && !stores.Private(l.store.Store) {
		if _, ok := track.InStep(l.folder, l.store.Store); !ok || open == nil {
			open.close()
			if _, err := l.update(ctx); err != nil {
				return kept, nil, err
			}
			kept, open = l.openPassages()
		}
	}
	if l.made == nil && (open == nil || stores.Private(l.store.Store)) {
		open.close()
		if err := l.index(ctx); err != nil {
			return kept, nil, err
		}
		if kept, open = l.openPassages(); open == nil {
			err = recall.ErrDamaged // somebody else removed it
		}
	}
	return kept, open, err
}

// index makes the index of the graph for this run.
func (l *local) index(ctx context.Context) error {
	if _, err := l.openGraph(ctx); err != nil {
		return err
	}
	x := track.Load(l.folder)
	set, err := x.Set()
	if err != nil {
		return err
	}
	set.Logs = l.openLog
	made, err := l.Indexer().Make(ctx, x, set, l.store)
	l.made = &made
	return err
}

// openPassages opens the index as it is; open is nil where there is none.
func (l *local) openPassages() (kept track.Passages, open *segments) {
	if kept = track.KeptPassages(l.folder); l.made != nil {
		kept = *l.made
	}
	return kept, openSegments(l.folder, kept.Segments)
}

// ask asks an open index, and closes it.
func (l *local) ask(kept track.Passages, open *segments, ask func(*recall.Index) error) error {
	defer open.close()
	x, done := l.indexOf(kept, open)
	defer done()
	if len(kept.New) > 0 && l.Unreviewed {
		fresh := openSegments(l.folder, kept.New)
		if fresh == nil {
			return recall.ErrDamaged
		}
		defer fresh.close()
		fresh.list[0].Kept = l.keptSaid()
		x.New = x.With(fresh.list[0]).OnlyLast()
	}
	return ask(x)
}

// indexOf is what questions are asked of; done closes it.
func (l *local) indexOf(kept track.Passages, open *segments) (x *recall.Index, done func()) {
	x = recall.NewIndex(open.list, open.dead)
	said := l.keptSaid()
	for _, s := range open.list {
		s.Kept = said
	}
	x.CountsAs = func(id string) string { return cmp.Or(kept.Copies[id], id) }
	if l.origins().Others() {
		x.By = l.author
	}
	done = func() {}
	if rel, err := filepath.Rel(l.Location.Root, l.Location.Dir); l.Location.Bare || err != nil || !filepath.IsLocal(rel) {
		return x, done // the memory is of another work tree
	}
	tree, err := fsstore.Open(l.Location.WorkTree())
	if err != nil {
		return x, done
	}
	x.State = l.fixStates(tree)
	return x, tree.Close
}

// keptSaid reads the text of transcripts, each once.
func (l *local) keptSaid() func(id string) string {
	var mu sync.Mutex
	read := map[string]string{}
	return func(id string) string {
		mu.Lock()
		defer mu.Unlock()
		text, ok := read[id]
		if !ok {
			text = l.folder.Said(id)
			read[id] = text
		}
		return text
	}
}

// segments are open segments of an index.
type segments struct {
	list []*recall.Segment
	dead []map[int]bool
	done []func()
}

func (s *segments) close() {
	if s != nil {
		for _, f := range s.done {
			f()
		}
	}
}

// openSegments returns nil when there is none, or one of them is not there.
func openSegments(m *memory.Memory, list []track.Segment) *segments {
	out := &segments{}
	for _, s := range list {
		data, size, done := io.ReaderAt(bytes.NewReader(s.Data)), int64(len(s.Data)), func() {}
		if s.Data == nil {
			if data, size, done = m.OpenDerived(s.Name, recallKey()); done == nil {
				out.close()
				return nil
			}
		}
		out.done = append(out.done, done)
		seg, err := recall.OpenSegment(data, size)
		if err != nil {
			out.close()
			return nil
		}
		dead := make(map[int]bool, len(s.Dead))
		for _, n := range s.Dead {
			dead[n] = true
		}
		out.list, out.dead = append(out.list, seg), append(out.dead, dead)
	}
	if len(list) == 0 {
		return nil
	}
	return out
}
