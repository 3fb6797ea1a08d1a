package ask

import (
	"context"
	"fmt"

	"episodes/graph"
	"episodes/internal/memory"
	"episodes/internal/track"
)

// write changes the graph under the lock. how brings it up to date and returns what it was
// made from. leftOut says, a line each, which episodes could not be taken in.
func (m *Memory) write(ctx context.Context,
	how func(memory.GraphOptions) (graph.Report, *track.Set, error)) (rep graph.Report, leftOut []string, err error) {
	if err := m.here.absent; err != nil {
		return rep, nil, err
	}
	defer m.working("writing the graph")()
	asked := m.here.store // also where nothing is kept of the graph, other files may be written
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
	return rep, src.LeftOut(rep), nil
}

// catchUp updates the graph after a change that is not in the episode files.
func (m *Memory) catchUp(ctx context.Context, o memory.GraphOptions) (graph.Report, *track.Set, error) {
	rep, src, err := track.Load(m.folder).Update(ctx, o)
	if err != nil {
		return rep, src, fmt.Errorf("bring the graph in step: %w", err)
	}
	return rep, src, nil
}
