package track

import (
	"context"
	"time"

	"episodes/graph"
	"episodes/graph/stores"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
)

// Update brings the graph to exactly the episode files and saves the index; the
// caller holds the lock, unless the store is private, of which nothing is saved. Where
// nothing derived may be kept (memory.Bind), the graph ends with the process.
// Killed at any moment, it leaves an index that is not in step with the folder or
// with the digest in the store, so the next command goes on from there.
//
// index makes the index of retrieval, which is published with it, but not for a private store.
func (x *Index) Update(ctx context.Context, o memory.GraphOptions, index Indexer) (graph.Report, *Set, error) {
	return x.write(ctx, o, graph.Update, index)
}

// Rebuild drops what was seen of files and all else that is derived, and writes the graph from all
// episode files; otherwise it is as Update. Of the index only stays where the logs are, which
// nothing else says. The graph and the index before stay until the new ones are published.
func (x *Index) Rebuild(ctx context.Context, o memory.GraphOptions, index Indexer) (graph.Report, *Set, error) {
	if o = x.m.Bind(o); !stores.Private(o.Store) {
		if err := x.m.DropDerived(); err != nil {
			return graph.Report{}, nil, err
		}
		x.onlyPlaces()
	}
	return x.write(ctx, o, graph.Rebuild, index)
}

type writer func(context.Context, string, graph.Source, graph.Options) (graph.Report, error)

func (x *Index) write(ctx context.Context, o memory.GraphOptions, write writer, index Indexer) (rep graph.Report, set *Set, err error) {
	o = x.m.Bind(o)
	private := stores.Private(o.Store)
	if !private { // else there is no lock
		x.m.CleanDerived()
		x.waitForTick()
	}
	if set, err = x.Set(); err == nil && set.leftovers && !private { // to clean up changes the folder
		x.m.Clean()
		x.waitForTick()
		set, err = x.Set()
	}
	if err != nil {
		return rep, set, err
	}
	if index.Logs != nil {
		set.Logs = index.Logs(x)
	}
	if rep, err = write(ctx, o.Store, set, o.Options); err != nil || private {
		return rep, set, err
	}
	var made Passages
	if index.Make != nil {
		set.data = nil // it needs the room
		if made, err = index.Make(ctx, x, set, o); err != nil {
			return rep, set, err
		}
	}
	x.head = head{Passages: made}
	if len(set.Unreadable) == 0 && set.folders[0].Modified != fsstore.Unproven &&
		set.folders[1].Modified != fsstore.Unproven { // else no stat shows when they can be read again
		x.head = head{Store: o.Store, Digest: rep.Digest, Files: len(set.files), Stats: digestOf(set.files), Added: digestOf(set.addedTo),
			Folder: set.folders[0].Modified, Private: set.folders[1].Modified, Before: set.view.Before, Origins: x.authors.state(), Passages: made}
	}
	if err = x.Save(); err == nil {
		x.m.RemoveDerived(memory.RecallPrefix, made.names())
	}
	return rep, set, err
}

// waitForTick waits until the times of the folders prove something: a name that comes
// or goes from now on changes them.
func (x *Index) waitForTick() {
	folders, err := x.m.FoldersChanged()
	if err != nil {
		return
	}
	added, _ := x.m.More()
	changed := folders[:]
	for _, f := range added {
		changed = append(changed, f.Stat)
	}
	for _, folder := range changed {
		wait := time.Until(time.Unix(0, folder.Modified).Add(fsstore.Tick))
		if wait > 0 && wait <= fsstore.Tick { // else of another clock
			time.Sleep(wait + 1)
		}
	}
}
