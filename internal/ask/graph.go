package ask

import (
	"context"
	"errors"
	"fmt"

	"episodes/graph"
	"episodes/graph/stores"
	"episodes/internal/fsstore"
	"episodes/internal/lock"
	"episodes/internal/memory"
	"episodes/internal/track"
)

// openGraph opens the graph, up to date with the episode files where that is possible:
// it is made or updated under the lock. When another process keeps the lock, the
// answer comes from the graph as it is, with a note; when the folder cannot be
// written, from a graph in memory.
func (l *local) openGraph(ctx context.Context) (*graph.Graph, error) {
	if l.graph != nil {
		return l.graph, nil
	}
	defer l.working("bringing the graph up to date")()
	l.settle(ctx)
	if digest, ok := track.InStep(l.folder, l.store.Store); ok {
		g, err := l.openStore(ctx, l.store.Store)
		if old, ok := errors.AsType[*graph.FormatError](err); err != nil && !errors.Is(err, graph.ErrMissing) && (!ok || old.Newer()) {
			return nil, err
		}
		if err == nil {
			if g.Info().Digest == digest {
				l.graph = g
				return g, nil
			}
			_ = g.Close() // somebody else has written to it
		}
	}
	store, err := l.update(ctx)
	if err != nil {
		return nil, err
	}
	l.graph, err = l.openStore(ctx, store)
	return l.graph, err
}

// settle finds out once which graph may be asked; see memory.Settle.
func (l *local) settle(ctx context.Context) {
	if l.settled {
		return
	}
	var err error
	l.store, err = l.folder.Settle(ctx, l.store)
	l.settled = true
	var why *memory.NotKeptError
	if errors.As(err, &why) {
		l.note("the graph is made for this run only: %v; to do: %s", why, why.Hint())
	}
}

func (l *local) openStore(ctx context.Context, store string) (*graph.Graph, error) {
	return openStore(ctx, memory.GraphOptions{Store: store, Options: l.store.Options})
}

func openStore(ctx context.Context, o memory.GraphOptions) (*graph.Graph, error) {
	g, err := graph.Open(ctx, o.Store, o.Options)
	if err != nil {
		return nil, fmt.Errorf("open the graph: %w", err)
	}
	return g, nil
}

// update brings the graph up to date and returns the store to ask.
func (l *local) update(ctx context.Context) (store string, err error) {
	o := l.store
	unlock, err := l.folder.LockFor(ctx, o)
	switch {
	case errors.Is(err, lock.ErrTimeout):
		if !l.graphExists(ctx) {
			return "", err
		}
		l.note("the graph may lack the newest episodes: %v", err)
		return o.Store, nil
	case unwritable(err):
		return l.updateInMemory(ctx)
	case err != nil:
		return "", err
	}
	defer unlock()
	rep, src, err := track.Load(l.folder).Update(ctx, o, l.Indexer()) // nothing to do if another process did it meanwhile
	switch {
	case unwritable(err) && !stores.Private(o.Store):
		return l.updateInMemory(ctx)
	case err != nil:
		return "", fmt.Errorf("bring the graph in step: %w", err)
	}
	if n := rep.Added + rep.Changed + rep.Removed; n > 0 && !stores.Private(o.Store) {
		l.note("updated the graph: %d added, %d changed, %d removed", rep.Added, rep.Changed, rep.Removed)
	}
	for _, text := range src.LeftOut(rep) {
		l.note("%s", text)
	}
	return o.Store, nil
}

func (l *local) graphExists(ctx context.Context) bool {
	g, err := graph.Open(ctx, l.store.Store, l.store.Options)
	if err != nil {
		return !errors.Is(err, graph.ErrMissing)
	}
	_ = g.Close()
	return true
}

// updateInMemory is update for a memory whose folder cannot be written.
func (l *local) updateInMemory(ctx context.Context) (store string, err error) {
	l.note("%q cannot be written, so the graph is built in memory for this answer", l.folder.DerivedDir())
	l.store.Store = l.folder.ThisRun()
	return l.update(ctx)
}

// unwritable reports whether an error says that the disk refuses to be written.
func unwritable(err error) bool {
	return fsstore.Unwritable(err) || errors.Is(err, graph.ErrFull)
}

// Again calls fn again while the connection to the store is lost, within the time to wait for
// other processes. What fn does must bear being done twice.
func Again(ctx context.Context, o Options, fn func() error) error {
	return graph.Again(ctx, graph.Options{LockTimeout: o.LockTimeout}, fn)
}
