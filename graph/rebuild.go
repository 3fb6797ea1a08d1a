package graph

import (
	"context"
	"errors"

	"episodes/internal/lock"
)

func (u *updater) rebuild(ctx context.Context) error {
	set, err := list(u.src)
	if err != nil {
		return err
	}
	return u.rebuildFrom(ctx, set)
}

// rebuildFrom makes a new generation from the whole set and publishes it.
func (u *updater) rebuildFrom(ctx context.Context, set []Entry) (err error) {
	g, err := u.store.Create()
	if err != nil {
		return err
	}
	closed := false
	defer func() {
		if !closed {
			_ = g.Close()
		}
		if err != nil {
			_ = u.store.Discard(g.Name())
		}
	}()
	w, err := newWriter(ctx, g, u.rules, u.opt)
	if err != nil {
		return err
	}
	in, err := u.fill(ctx, w, set)
	if err != nil {
		return err
	}
	err = u.besideOld(ctx, func(old *transaction, meta metaRecord) error {
		return u.reportDifferences(ctx, old, meta, w, in)
	})
	if err != nil {
		return err
	}
	closed = true
	if err := g.Close(); err != nil { // from here on it outlives a loss of power
		return err
	}
	if err := u.store.Publish(g.Name()); err != nil {
		return err
	}
	u.meta = w.meta
	u.report.Generation = g.Name()
	u.report.Rebuilt = true
	return nil
}

// fill brings a set into an empty graph, and returns what of it could be loaded.
func (u *updater) fill(ctx context.Context, w *writer, set []Entry) (in []Entry, err error) {
	u.report.Skipped, u.report.OfOlderTools = nil, 0
	u.done, u.total = 0, len(set)
	var batch []change
	apply := func() error {
		err := w.apply(ctx, batch, u.progress)
		batch = batch[:0]
		return err
	}
	err = loadAll(ctx, u.src, set, func(e Entry, c *contribution, err error) error {
		if err != nil {
			u.report.Skipped = append(u.report.Skipped, Skipped{e.ID, err})
			u.progress(1)
			return nil
		}
		u.report.OfOlderTools += count(c.older)
		in = append(in, e)
		if batch = append(batch, change{entry: e, wanted: true, new: c}); len(batch) == w.size {
			return apply()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return in, apply()
}

// besideOld calls compare with the old generation, or with nil if it cannot be read or does
// not exist.
func (u *updater) besideOld(ctx context.Context, compare func(old *transaction, meta metaRecord) error) error {
	g, old, err := u.reader(ctx)
	if errors.Is(err, lock.ErrTimeout) || ctx.Err() != nil {
		return err
	}
	if err != nil {
		return compare(nil, metaRecord{}) // missing, damaged or of another version
	}
	defer g.Close()
	defer old.cancel()
	meta, err := readMeta(ctx, old, u.rules)
	if err != nil {
		return compare(nil, metaRecord{})
	}
	return compare(old, meta)
}

// reportDifferences adds to the report what is new and what is gone. An Update may
// have reported some of it before it turned into a rebuild.
func (u *updater) reportDifferences(ctx context.Context, old *transaction, meta metaRecord, now *writer, in []Entry) error {
	r := &u.report
	if old == nil {
		r.Added += len(in)
		for _, n := range now.meta.Totals.Nodes {
			r.NodesAdded += n
		}
		for _, n := range now.meta.Totals.Edges {
			r.EdgesAdded += n
		}
		return nil
	}
	d, err := differ(ctx, old, meta.Digest, in)
	if err != nil {
		return err
	}
	r.Unchanged = d.same - r.Added - r.Changed
	r.Added += len(d.add)
	r.Changed += len(d.change)
	r.Removed += len(d.remove)
	if err := now.t.begin(ctx, false); err != nil {
		return err
	}
	defer now.t.cancel()
	err = differKeys(ctx, old, now.t, keyNode, func(k []byte, n int) {
		var id nodeID
		copy(id[:], k[len(keyNode):])
		u.changed.nodes[id] += n
	})
	if err != nil {
		return err
	}
	return differKeys(ctx, old, now.t, keyOut, func(k []byte, n int) {
		if e, ok := outEdge(k); ok {
			u.changed.edges[e] += n
		}
	})
}
