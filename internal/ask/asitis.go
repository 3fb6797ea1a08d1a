package ask

import (
	"context"
	"errors"

	"episodes/internal/memory"
	"episodes/internal/track"
	"episodes/recall"
)

// ErrNotKept says that nothing is kept from which a question could be answered as it is.
var ErrNotKept = errors.New("there is no index yet")

// asItIs is the memory of this machine as the last command left it: nothing is written, brought
// up to date or removed, no lock is taken, and the graph is not opened.
type asItIs struct{ *local }

// rereads is how often an index is looked for again whose files another process replaced
// between our calls.
const rereads = 3

// recall answers from the index that is kept, which may lack the newest episodes. The error is
// ErrNotKept if no index exists. Where git tracks a derived file, so that none is believed, the
// index is made of the episodes in this run, and not kept.
func (a asItIs) recall(ctx context.Context, q *recall.Question, ask func(*recall.Index) error) error {
	if why := (*memory.NotKeptError)(nil); errors.As(a.folder.Local(), &why) {
		if why.Tracked == "" {
			return why
		}
		a.store.Store, a.settled = a.folder.ThisRun(), true
		return a.local.recall(ctx, q, ask)
	}
	err := ErrNotKept
	for range rereads {
		if kept, open := a.openPassages(); open != nil {
			if err = a.ask(kept, open, ask); !errors.Is(err, recall.ErrDamaged) {
				return err
			}
		}
	}
	return err
}

// withNotes adds none: to look for notes takes too long for a hook.
func (a asItIs) withNotes(x *recall.Index) (*recall.Index, error) { return x, nil }

// there looks for the file: the index that is kept may know of episodes that were removed, or were
// not known to be new.
func (a asItIs) there(id string) bool {
	_, ok := a.folder.StatOf(id)
	return ok && !a.origins().Of(id).New
}

// Current reports whether the index of retrieval holds exactly the episodes that are there,
// as far as that can be known without opening the graph.
func (m *Memory) Current() bool {
	_, ok := track.InStep(m.folder, m.folder.Bind(m.here.store).Store)
	return ok
}

// Prepare brings the graph and the index of retrieval up to date, so that a question that
// takes them as they are knows all episodes, and who brought them.
func (m *Memory) Prepare(ctx context.Context) error {
	return m.recall(ctx, nil, func(*recall.Index) error { return nil })
}
