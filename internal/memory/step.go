package memory

import (
	"context"
	"math"
	"slices"
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

// settle waits until the time of the folder of the episodes proves something: a
// name that comes or goes from now on changes it. It returns that time, and now.
func (m *Memory) settle(now func() time.Time) (folder int64, noted time.Time) {
	noted = pass(m.folderTime().ModTime, now)
	return m.folderTime().ModTime, noted
}

// pass waits until what changes from now on shows another time than what changed at
// a given one. It returns now.
func pass(changed int64, now func() time.Time) time.Time {
	if wait := changed + clockTick - now().UnixNano(); wait > 0 && wait <= clockTick { // else of another clock
		time.Sleep(time.Duration(wait + 1))
	}
	return now()
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
	if !Private(o.Store) { // else there is no lock
		m.Clean() // a Hold does not look for it
	}
	folder, noted := m.settle(now)
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
	if err := m.newRoll(o.Store, src, rep, noted); err != nil {
		return rep, src, err
	}
	if len(src.Unreadable) == 0 { // else no stat tells when they can be read again
		idx.Graph = GraphState{Store: o.Store, Stats: statsOf(src.Files, len(src.Files)), Files: len(src.Files), Roll: m.wholeRoll(rep), Folder: folder, Before: src.view.Before, Pins: src.pinsDigest}
	}
	return rep, src, m.SaveIndex(idx, noted)
}

// statsOf is GraphState.Stats for so many files, of which a question looks at each
// only while they are few.
func statsOf(files []File, n int) string {
	if n > manyFiles {
		return "many"
	}
	return StatDigest(files, math.MaxInt64)
}

// newRoll makes the roll of what the graph holds now.
func (m *Memory) newRoll(store string, src *Source, rep graph.Report, noted time.Time) error {
	if src.view.Before != "" || len(src.Unreadable) > 0 {
		return m.dropRoll()
	}
	skipped := map[string]bool{}
	for _, s := range rep.Skipped {
		skipped[s.ID] = true
	}
	files := slices.DeleteFunc(slices.Clone(src.Files), func(f File) bool { return skipped[f.ID] })
	return m.saveRoll(rollHead{Store: store, Digest: rep.Digest, Pins: src.pinsDigest}, files, noted.UnixNano())
}
