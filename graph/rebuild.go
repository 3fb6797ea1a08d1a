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
	return u.replace(ctx, func(l *loader) error {
		return loadAll(ctx, u.src, set, func(e Entry, s *saying, err error) error {
			if err != nil {
				u.report.Skipped = append(u.report.Skipped, Skipped{e.ID, err})
				skipped[e.ID] = true
			} else if err := l.add(ctx, s); err != nil {
				return err
			} else {
				u.report.OfOlderTools += count(s.older)
			}
			u.progress(1)
			return nil
		})
	}, func(l *loader) error {
		return u.besideOld(ctx, func(old *transaction) error {
			return u.differences(ctx, old, l, set, skipped)
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
	return u.replace(ctx, func(l *loader) error {
		for _, e := range set {
			c, time, err := readContribution(ctx, t, e.ID)
			if err != nil {
				return err
			}
			if err := l.add(ctx, prepare(c, time, e.Hash)); err != nil {
				return err
			}
		}
		return nil
	}, func(*loader) error {
		end()
		return nil
	})
}

// replace makes a new generation, fills it, and puts it in the place of the
// current one. before is called when it is full and not yet in its place.
func (u *updater) replace(ctx context.Context, fill, before func(*loader) error) (err error) {
	g, err := u.create()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			g.Cancel()
			_ = u.discard(g)
		}
	}()
	l := newLoader(g, g.dir, u.rules)
	defer l.close()
	if err := fill(l); err != nil {
		return err
	}
	if err := l.finish(ctx); err != nil {
		return err
	}
	if err := before(l); err != nil {
		return err
	}
	if err := g.Close(); err != nil {
		return err
	}
	if err := u.publish(g); err != nil {
		return err
	}
	u.meta = l.meta
	u.report.Generation = g.name
	u.report.Rebuilt = true
	return nil
}

// besideOld calls compare with the old generation, or with nil when there is none
// that can be read.
func (u *updater) besideOld(ctx context.Context, compare func(old *transaction) error) error {
	g, old, err := u.reader(ctx)
	if errors.Is(err, lock.ErrTimeout) || ctx.Err() != nil {
		return err
	}
	if err != nil {
		return compare(nil) // missing, damaged or of another version
	}
	defer g.close()
	defer old.cancel()
	if _, err := readMeta(ctx, old, u.rules); err != nil {
		return compare(nil)
	}
	return compare(old)
}

// differences adds to the report what is new and what is gone.
func (u *updater) differences(ctx context.Context, old *transaction, now *loader, set []Entry, skipped map[string]bool) error {
	var in []Entry
	for _, e := range set {
		if !skipped[e.ID] {
			in = append(in, e)
		}
	}
	r := &u.report
	if old == nil {
		r.Added += len(in)
		r.NodesAdded += len(now.nodes)
		r.EdgesAdded += len(now.sums)
		return nil
	}
	d, err := differ(ctx, old, in)
	if err != nil {
		return err
	}
	r.Unchanged = d.same - r.Added - r.Changed // an Update may have come some way before
	r.Added += len(d.add)
	r.Changed += len(d.change)
	r.Removed += len(d.remove)
	err = differKeys(ctx, old, keyNode, len(now.nodes), func(i int) []byte { return now.nodes[i].id.key() }, func(k []byte, n int) {
		var id nodeID
		copy(id[:], k[len(keyNode):])
		u.net.nodes[id] += n
	})
	if err != nil {
		return err
	}
	return differKeys(ctx, old, keyOut, len(now.sums), func(i int) []byte { return now.sums[i].out() }, func(k []byte, n int) {
		if e, ok := outEdge(k); ok {
			u.net.edges[e] += n
		}
	})
}

// differKeys calls fn for every key with a prefix that only the n of now (+1) or
// only old (-1) has.
func differKeys(ctx context.Context, old *transaction, prefix string, n int, now func(i int) []byte, fn func(k []byte, n int)) error {
	i := 0
	err := old.scan(ctx, []byte(prefix), func(k, _ []byte) error {
		for ; i < n && bytes.Compare(now(i), k) < 0; i++ {
			fn(now(i), +1)
		}
		if i < n && bytes.Equal(now(i), k) {
			i++
		} else {
			fn(k, -1)
		}
		return nil
	})
	for ; i < n; i++ {
		fn(now(i), +1)
	}
	return err
}
