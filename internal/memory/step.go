package memory

import (
	"context"
	"math"
	"strings"
	"time"

	"episodes/graph"
)

// GraphOptions say which graph belongs to the memory and how to work on it.
type GraphOptions struct {
	Store string // URL
	graph.Options
}

// Schemes of stores: in a folder, and in the memory of this process.
const (
	badgerScheme  = "badger:"
	processScheme = "mem:"
)

// KnownStore reports whether a URL is of a kind of store that there is.
func KnownStore(store string) bool {
	for _, scheme := range []string{badgerScheme, processScheme} {
		if rest, ok := strings.CutPrefix(store, scheme); ok && rest != "" {
			return true
		}
	}
	return false
}

// Private reports whether a store ends with this process, so that there is
// nothing to lock and nothing to remember.
func Private(store string) bool { return strings.HasPrefix(store, processScheme) }

// DefaultStore is the URL of the memory's own graph.
func (l Location) DefaultStore() string {
	return badgerScheme + (&Memory{Location: l}).GraphDir()
}

// unsettledFor is how long to wait until the times of files that were just
// written prove something; else the next question would have to read them all.
func unsettledFor(files []File, folder int64, now time.Time) time.Duration {
	newest := folder
	for _, f := range files {
		newest = max(newest, f.ModTime)
	}
	if wait := newest + clockTick - now.UnixNano(); wait > 0 && wait <= clockTick {
		return time.Duration(wait + 1)
	}
	return 0 // long settled, or of another clock
}

// Step brings the graph to exactly the episode files; the caller holds the lock,
// unless the store is private.
// While the graph is written, the saved index says that it is not in step, so
// that a kill at any moment is noticed.
func (m *Memory) Step(ctx context.Context, idx *Index, o GraphOptions, now func() time.Time) (rep graph.Report, src *Source, err error) {
	return m.step(ctx, idx, o, now, graph.Update)
}

// Rebuild writes the graph anew; the caller holds the lock likewise.
func (m *Memory) Rebuild(ctx context.Context, idx *Index, o GraphOptions, now func() time.Time) (rep graph.Report, src *Source, err error) {
	return m.step(ctx, idx, o, now, graph.Rebuild)
}

type writer func(context.Context, string, graph.Source, graph.Options) (graph.Report, error)

func (m *Memory) step(ctx context.Context, idx *Index, o GraphOptions, now func() time.Time, write writer) (rep graph.Report, src *Source, err error) {
	src, err = m.Source(idx)
	if err != nil {
		return rep, src, err
	}
	if Private(o.Store) {
		rep, err = write(ctx, o.Store, src, o.Options)
		return rep, src, err
	}
	idx.Graph = GraphState{}
	if err := m.EnsureDerived(); err != nil {
		return rep, src, err
	}
	if err := m.saveState(idx.Graph, now()); err != nil {
		return rep, src, err
	}
	if rep, err = write(ctx, o.Store, src, o.Options); err != nil {
		return rep, src, err
	}
	if len(src.Unreadable) > 0 { // no stat tells when they can be read again
		return rep, src, m.SaveIndex(idx, now())
	}
	idx.Graph = GraphState{Store: o.Store, Stats: StatDigest(src.Files, math.MaxInt64), Files: len(src.Files), Folder: src.folder, Before: src.view.Before, Pins: src.pinsDigest}
	time.Sleep(unsettledFor(src.Files, src.folder, now()))
	return rep, src, m.SaveIndex(idx, now())
}
