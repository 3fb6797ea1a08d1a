package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"episodes/graph"
	"episodes/graph/stores"
	"episodes/internal/lock"
	"episodes/internal/memory"
	"episodes/internal/track"
	"episodes/query"
)

// Reader returns the graph for rooms that have questions of their own. It is
// closed with the memory.
func (m *Memory) Reader(ctx context.Context) (query.Reader, error) { return m.openGraph(ctx) }

// openGraph opens the graph, up to date with the episode files where that is possible:
// it is made or updated under the lock. When another process keeps the lock, the
// answer comes from the graph as it is, with a note; when the folder cannot be
// written, from a graph in memory.
func (m *Memory) openGraph(ctx context.Context) (*graph.Graph, error) {
	if m.graph != nil {
		return m.graph, nil
	}
	if m.Team != "" {
		return m.openTeamGraph(ctx)
	}
	defer m.working("bringing the graph up to date")()
	m.settle(ctx)
	if digest, ok := track.InStep(m.folder, m.store.Store); ok {
		g, err := m.openStore(ctx, m.store.Store)
		if err != nil && !errors.Is(err, graph.ErrMissing) {
			return nil, err
		}
		if err == nil {
			if g.Info().Digest == digest {
				m.graph = g
				return g, nil
			}
			_ = g.Close() // somebody else has written to it
		}
	}
	store, err := m.update(ctx)
	if err != nil {
		return nil, err
	}
	m.graph, err = m.openStore(ctx, store)
	return m.graph, err
}

// settle finds out once which graph may be asked; see memory.Settle.
func (m *Memory) settle(ctx context.Context) {
	if m.settled {
		return
	}
	var err error
	m.store, err = m.folder.Settle(ctx, m.store)
	m.settled = true
	var why *memory.NotKeptError
	if errors.As(err, &why) {
		m.note("the graph is made for this run only: %v; to do: %s", why, why.Hint())
	}
}

func (m *Memory) openStore(ctx context.Context, store string) (*graph.Graph, error) {
	g, err := graph.Open(ctx, store, m.store.Options)
	if err != nil {
		return nil, fmt.Errorf("open the graph: %w", err)
	}
	return g, nil
}

// update brings the graph up to date and returns the store to ask.
func (m *Memory) update(ctx context.Context) (store string, err error) {
	o := m.store
	unlock, err := m.folder.LockFor(ctx, o)
	switch {
	case errors.Is(err, lock.ErrTimeout):
		if !m.graphExists(ctx) {
			return "", err
		}
		m.note("the graph may lack the newest episodes: %v", err)
		return o.Store, nil
	case unwritable(err):
		return m.updateInMemory(ctx)
	case err != nil:
		return "", err
	}
	defer unlock()
	rep, src, err := track.Load(m.folder).Update(ctx, o) // nothing to do if another process did it meanwhile
	switch {
	case unwritable(err) && !stores.Private(o.Store):
		return m.updateInMemory(ctx)
	case err != nil:
		return "", fmt.Errorf("bring the graph in step: %w", err)
	}
	if n := rep.Added + rep.Changed + rep.Removed; n > 0 && !stores.Private(o.Store) {
		m.note("brought the graph in step: %d added, %d changed, %d removed", rep.Added, rep.Changed, rep.Removed)
	}
	for _, text := range src.LeftOut(rep) {
		m.note("%s", text)
	}
	return o.Store, nil
}

func (m *Memory) graphExists(ctx context.Context) bool {
	g, err := graph.Open(ctx, m.store.Store, m.store.Options)
	if err != nil {
		return !errors.Is(err, graph.ErrMissing)
	}
	_ = g.Close()
	return true
}

// updateInMemory is update for a memory whose folder cannot be written.
func (m *Memory) updateInMemory(ctx context.Context) (store string, err error) {
	m.note("%q cannot be written, so the graph is built in memory for this answer", m.folder.DerivedDir())
	m.store.Store = m.folder.ThisRun()
	return m.update(ctx)
}

// unwritable reports whether an error says that the disk refuses to be written.
func unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, graph.ErrFull) || full(err)
}

func full(err error) bool { return errors.Is(err, syscall.ENOSPC) }

// write changes the graph under the lock. how brings it up to date and returns what it was
// made from. leftOut says, a line each, which episodes could not be taken in.
func (m *Memory) write(ctx context.Context, how func(memory.GraphOptions) (graph.Report, *track.Set, error)) (rep graph.Report, leftOut []string, err error) {
	defer m.working("writing the graph")()
	asked := m.store // also where nothing is kept of the graph, other files may be written
	m.settle(ctx)
	unlock, err := m.folder.LockFor(ctx, asked)
	if err != nil {
		return rep, nil, err
	}
	defer unlock()
	rep, src, err := how(m.store)
	if err != nil {
		return rep, nil, err
	}
	return rep, src.LeftOut(rep), nil
}

// catchUp brings the graph up to date after something beside the episode files changed.
func (m *Memory) catchUp(ctx context.Context, o memory.GraphOptions) (graph.Report, *track.Set, error) {
	rep, src, err := track.Load(m.folder).Update(ctx, o)
	if err != nil {
		return rep, src, fmt.Errorf("bring the graph in step: %w", err)
	}
	return rep, src, nil
}
