package ask

import (
	"context"
	"errors"

	"episodes/internal/memory"
	"episodes/internal/track"
	"episodes/recall"
)

// ErrNotKept says that nothing is kept from which a question could be answered as it is.
var ErrNotKept = errors.New("there is no search index yet; search and advise build it")

// asItIs is the memory of this machine as the last command left it: nothing is written, brought
// up to date or removed, no lock is taken, and the graph is not opened.
type asItIs struct{ *local }

// rereads is how often an index is looked for again whose files another process replaced
// between our calls.
const rereads = 3

// recall answers from the index that is kept, which may lack the newest episodes. The error is
// ErrNotKept if no index exists. Where git tracks a derived file, so that none is believed, the
// index is made of the episodes in this run, and not kept.
func (a asItIs) recall(ctx context.Context, _ *recall.Question, ask func(*recall.Index) error) (err error) {
	for range rereads {
		err = ErrNotKept
		switch why, is := errors.AsType[*memory.NotKeptError](a.folder.Local()); {
		case is && why.Tracked != "":
			return a.inThisRun(ctx, ask)
		case is:
			return why
		}
		kept, open := a.openPassages()
		if open == nil {
			continue
		}
		if err = a.ask(kept, open, ask); !errors.Is(err, recall.ErrDamaged) {
			return err
		}
	}
	return err
}

func (a asItIs) inThisRun(ctx context.Context, ask func(*recall.Index) error) error {
	l := *a.local
	l.store.Store, l.settled, l.changed = l.folder.ThisRun(), true, true
	defer l.close()
	return l.recall(ctx, nil, ask)
}

// withNotes adds none: to look for notes takes too long for a hook.
func (a asItIs) withNotes(x *recall.Index) (*recall.Index, error) { return x, nil }

// there looks for the file: the index that is kept may know of episodes that were removed, or were
// not known to be new.
func (a asItIs) there(id string) bool {
	_, ok := a.folder.StatOf(id)
	return ok && !a.origins().Of(id).New
}

// current is false also where the graph would have to be opened to know.
func (l *local) current() bool {
	_, ok := track.InStep(l.folder, l.folder.Bind(l.store).Store)
	return ok
}

// Current reports whether the index of retrieval holds exactly the episodes that are there,
// as far as that can be known without opening the graph.
func (m *Memory) Current(context.Context) bool { return m.current() }

// Prepare brings the graph and the index of retrieval up to date, so that a question that
// takes them as they are knows all episodes, and who brought them.
func (m *Memory) Prepare(ctx context.Context) error {
	return m.recall(ctx, nil, func(*recall.Index) error { return nil })
}
