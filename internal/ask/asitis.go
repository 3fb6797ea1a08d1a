package ask

import (
	"context"
	"errors"

	"episodes/internal/track"
	"episodes/recall"
)

// ErrNotKept says that nothing is kept from which a question could be answered as it is.
var ErrNotKept = errors.New("no index of retrieval is kept; any question to the memory makes it")

// rereads is how often an index is looked for again whose files another process replaced
// between our calls.
const rereads = 3

// recallAsItIs answers a question from the index that is kept, which may lack the newest
// episodes.
func (m *Memory) recallAsItIs(ask func(*recall.Index) error) (err error) {
	for range rereads {
		err = ErrNotKept
		if why := m.folder.Local(); why != nil {
			return why
		}
		list, open := m.keptRecall()
		if open == nil {
			continue
		}
		if len(list.Segments) == 0 {
			open.close()
			return err
		}
		x, done := m.indexOf(list, open)
		err = ask(x)
		done()
		if !errors.Is(err, recall.ErrDamaged) {
			return err
		}
	}
	return err
}

// there leaves the statements of an answer whose episodes are still there; nil where that
// of the first one is gone. An index as it is may know of more.
func (m *Memory) there(a *recall.Answer) *recall.Answer {
	if a == nil {
		return nil
	}
	var out []recall.Statement
	for i, s := range a.Statements {
		if _, ok := m.folder.StatOf(s.Episode); ok {
			out = append(out, s)
		} else if i == 0 {
			return nil
		}
	}
	a.Statements = out
	return a
}

// Current reports whether the index of retrieval holds exactly the episodes that are there,
// as far as that can be known without opening the graph.
func (m *Memory) Current(context.Context) bool {
	list, open := m.keptRecall()
	if open == nil {
		return false
	}
	open.close()
	digest, ok := track.InStep(m.folder, m.folder.Bind(m.store).Store)
	return ok && len(list.Segments) > 0 && stateOf(digest) == list.State
}

// Prepare brings the graph and the index of retrieval up to date, so that a question that
// takes them as they are knows all episodes.
func (m *Memory) Prepare(ctx context.Context) error {
	return m.recall(ctx, nil, func(*recall.Index) error { return nil })
}
