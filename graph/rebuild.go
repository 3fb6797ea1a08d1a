package graph

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"episodes/internal/lock"
)

func (u *updater) rebuild(ctx context.Context) error {
	set, err := list(u.src)
	if err != nil {
		return err
	}
	return u.rebuildFrom(ctx, set)
}

// rebuildFrom makes a new generation from the whole set.
func (u *updater) rebuildFrom(ctx context.Context, set []Entry) error {
	u.report.Skipped, u.report.OfOlderTools = nil, 0
	u.done, u.total = 0, len(set)
	skipped := map[string]bool{}
	return u.replace(ctx, len(set), func(w *writer) error {
		var ready []news
		flush := func() error {
			err := w.apply(ctx, ready, u.progress)
			ready = ready[:0]
			return err
		}
		err := loadAll(ctx, u.src, set, func(e Entry, s *saying, err error) error {
			if err != nil {
				u.report.Skipped = append(u.report.Skipped, Skipped{e.ID, err})
				skipped[e.ID] = true
				u.progress(1)
				return nil
			}
			u.report.OfOlderTools += count(s.older)
			if ready = append(ready, news{id: e.ID, said: s}); len(ready) < w.size {
				return nil
			}
			return flush()
		})
		if err != nil {
			return err
		}
		return flush()
	}, func(w *writer) error {
		return u.besideOld(ctx, w, func(old, now *transaction) error {
			return u.differences(ctx, old, now, set, skipped)
		})
	})
}

// compact makes a new generation of what the store holds, without what is dead.
func (u *updater) compact(ctx context.Context) error {
	g, t, err := u.reader(ctx)
	if err != nil {
		return err
	}
	end := sync.OnceFunc(func() { t.cancel(); _ = g.close() })
	defer end()
	set, err := entries(ctx, t)
	if err != nil {
		return err
	}
	return u.replace(ctx, len(set), func(w *writer) error {
		var ready []news
		for i, e := range set {
			c, time, err := readContribution(ctx, t, e.ID)
			if err != nil {
				return err
			}
			ready = append(ready, news{id: e.ID, said: prepare(c, time, e.Hash)})
			if len(ready) == w.size || i == len(set)-1 {
				if err := w.apply(ctx, ready, func(int) {}); err != nil {
					return err
				}
				ready = ready[:0]
			}
		}
		return nil
	}, func(*writer) error {
		end()
		return nil
	})
}

// replace makes a new generation, fills it, and puts it in the place of the
// current one. before is called when it is full and not yet in its place.
func (u *updater) replace(ctx context.Context, episodes int, fill, before func(*writer) error) (err error) {
	g, err := u.create(episodes)
	if err != nil {
		return err
	}
	closed := false
	defer func() {
		if err == nil {
			return
		}
		if !closed {
			_ = g.close()
		}
		_ = u.discard(g)
	}()
	w, err := newWriter(ctx, g, u.rules, u.opt)
	if err != nil {
		return err
	}
	defer func() { _ = w.wait() }() // before the deferred close
	if err := fill(w); err != nil {
		return err
	}
	if err := w.finish(ctx); err != nil {
		return err
	}
	if err := before(w); err != nil {
		return err
	}
	if err := g.kv.Sync(); err != nil {
		return err
	}
	closed = true
	if err := g.close(); err != nil {
		return err
	}
	if err := u.publish(g); err != nil {
		return err
	}
	u.meta = w.meta
	u.report.Generation = g.name
	u.report.Rebuilt = true
	return nil
}

// besideOld calls compare with the old and the new generation; old is nil when
// there is none that can be read.
func (u *updater) besideOld(ctx context.Context, w *writer, compare func(old, now *transaction) error) error {
	if err := w.t.begin(ctx, false); err != nil {
		return err
	}
	defer w.t.cancel()
	g, old, err := u.reader(ctx)
	if errors.Is(err, lock.ErrTimeout) || ctx.Err() != nil {
		return err
	}
	if err != nil {
		return compare(nil, w.t) // missing, damaged or of another version
	}
	defer g.close()
	defer old.cancel()
	if _, err := readMeta(ctx, old, u.rules); err != nil {
		return compare(nil, w.t)
	}
	return compare(old, w.t)
}

// differences adds to the report what is new and what is gone.
func (u *updater) differences(ctx context.Context, old, now *transaction, set []Entry, skipped map[string]bool) error {
	var in []Entry
	for _, e := range set {
		if !skipped[e.ID] {
			in = append(in, e)
		}
	}
	r := &u.report
	if old == nil {
		r.Added += len(in)
		m, err := readMeta(ctx, now, u.rules)
		for _, n := range m.Totals.Nodes {
			r.NodesAdded += n
		}
		for _, n := range m.Totals.Edges {
			r.EdgesAdded += n
		}
		return err
	}
	d, err := differ(ctx, old, in)
	if err != nil {
		return err
	}
	r.Unchanged = d.same - r.Added - r.Changed // an Update may have come some way before
	r.Added += len(d.add)
	r.Changed += len(d.change)
	r.Removed += len(d.remove)
	err = differKeys(ctx, old, now, keyNode, func(k []byte, n int) {
		var id nodeID
		copy(id[:], k[len(keyNode):])
		u.net.nodes[id] += n
	})
	if err != nil {
		return err
	}
	return differKeys(ctx, old, now, keyOut, func(k []byte, n int) {
		if e, ok := outEdge(k); ok {
			u.net.edges[e] += n
		}
	})
}

// differKeys calls fn for every key with a prefix that only now (+1) or only old
// (-1) has.
func differKeys(ctx context.Context, old, now *transaction, prefix string, fn func(k []byte, n int)) error {
	walk := func(t *transaction) (next func() []byte, end func() error) {
		it := scanner(t.tx.Scan(ctx), []byte(prefix))
		return func() []byte {
			if !it.Next(ctx) {
				return nil
			}
			return bytes.Clone(it.Key())
		}, func() error { return errors.Join(it.Err(), it.Close()) }
	}
	nextOld, endOld := walk(old)
	nextNow, endNow := walk(now)
	a, b := nextOld(), nextNow()
	for a != nil || b != nil {
		switch c := bytes.Compare(a, b); {
		case b == nil || a != nil && c < 0:
			fn(a, -1)
			a = nextOld()
		case a == nil || c > 0:
			fn(b, +1)
			b = nextNow()
		default:
			a, b = nextOld(), nextNow()
		}
	}
	return errors.Join(endOld(), endNow())
}
