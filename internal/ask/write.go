package ask

import (
	"context"
	"fmt"

	"episodes/graph"
	"episodes/internal/capture"
	"episodes/internal/memory"
	"episodes/internal/track"
)

// write changes the graph under the lock. how brings it up to date and returns what it was
// made from. leftOut says, a line each, which episodes could not be taken in; the user is warned of them.
func (m *Memory) write(ctx context.Context,
	how func(memory.GraphOptions) (graph.Report, *track.Set, error)) (rep graph.Report, leftOut []string, err error) {
	if err := m.here.absent; err != nil {
		return rep, nil, err
	}
	defer m.working("writing the graph")()
	asked := m.here.store // other files may be written
	m.here.settle(ctx)
	unlock, err := m.folder.LockFor(ctx, asked)
	if err != nil {
		return rep, nil, err
	}
	defer unlock()
	rep, src, err := how(m.here.store)
	if err != nil {
		return rep, nil, err
	}
	leftOut = src.LeftOut(rep)
	m.warn(leftOut)
	return rep, leftOut, nil
}

// change is write for a change of files, after which the graph is updated.
func (m *Memory) change(ctx context.Context, files func() error) (done *Change, leftOut []string, err error) {
	rep, leftOut, err := m.write(ctx, func(o memory.GraphOptions) (graph.Report, *track.Set, error) {
		if err := files(); err != nil {
			return graph.Report{}, nil, err
		}
		rep, src, err := track.Load(m.folder).Update(ctx, o, m.Indexer())
		if err != nil {
			err = fmt.Errorf("bring the graph in step: %w", err)
		}
		return rep, src, err
	})
	return capture.ChangeOf(rep), leftOut, err
}
