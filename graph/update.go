package graph

import (
	"context"
	"errors"
	"slices"
)

// Update brings the store at url to exactly the set of src, and makes the store
// when there is none. It writes only what differs: with nothing to do it opens
// the store for reading and leaves every byte of it. Whatever stops it, also the
// death of the process, leaves the graph of a set between the old and the new,
// and another Update goes on from there.
//
// A store of an older format or of other key rules is built anew. An episode that
// cannot be loaded is reported in Report.Skipped and is not in the graph.
//
// Errors: ErrDamaged, ErrVersion (the store is newer than this program),
// ErrFull, *lock.TimeoutError, ErrURL, and those of src.List.
func Update(ctx context.Context, url string, src Source, opt Options) (Report, error) {
	p, err := at(url)
	if err != nil {
		return Report{}, err
	}
	free, err := p.writer(ctx, opt)
	if err != nil {
		return Report{}, err
	}
	defer free()
	_ = p.sweep() // what is left here costs room and nothing else
	u := &updater{place: p, src: src, opt: opt, rules: ours, net: newNet()}
	err = u.update(ctx)
	return u.finish(), err
}

// Rebuild makes the store at url anew from src, whatever is there: also over one
// that is damaged or newer. Readers go on reading the old graph until the new one
// is whole, and then see the new one. Report tells the differences from the old
// graph, where it could be read.
//
// Errors: ErrFull, *lock.TimeoutError, ErrURL, and those of src.List. After an
// error the old graph is still there.
func Rebuild(ctx context.Context, url string, src Source, opt Options) (Report, error) {
	p, err := at(url)
	if err != nil {
		return Report{}, err
	}
	free, err := p.writer(ctx, opt)
	if err != nil {
		return Report{}, err
	}
	defer free()
	_ = p.sweep()
	u := &updater{place: p, src: src, opt: opt, rules: ours, net: newNet()}
	err = u.rebuild(ctx)
	return u.finish(), err
}

// updater is one Update or Rebuild.
type updater struct {
	place
	src   Source
	opt   Options
	rules rules

	report Report
	net    *net
	meta   metaRecord // of the store as it is now
	done   int
	total  int
}

func (u *updater) finish() Report {
	r := &u.report
	n, gone := tallyNet(u.net.nodes)
	r.NodesAdded, r.NodesRemoved = r.NodesAdded+n, gone
	n, gone = tallyNet(u.net.edges)
	r.EdgesAdded, r.EdgesRemoved = r.EdgesAdded+n, gone
	r.Digest = u.meta.Digest.String()
	return *r
}

func (u *updater) progress(n int) {
	u.done += n
	if u.opt.Progress != nil {
		u.opt.Progress(u.done, u.total)
	}
}

// portion is how many changes are made ready before the store is opened for
// writing: readers wait only while it is open, and only that many are in memory.
const portion = 1024

func (u *updater) update(ctx context.Context) error {
	set, err := list(u.src)
	if err != nil {
		return err
	}
	d, err := u.compare(ctx, set)
	switch {
	case errors.Is(err, ErrMissing), errors.Is(err, errOtherKeys), errors.Is(err, ErrVersion) && u.older():
		if u.opt.Only != nil {
			return err // the rest of the set is not known
		}
		return u.rebuildFrom(ctx, set)
	case err != nil:
		return err
	}
	u.report.Unchanged = d.same
	var todo []news
	wanted := map[string]Entry{}
	for _, e := range slices.Concat(d.add, d.change) {
		wanted[e.ID] = e
	}
	for _, e := range d.add {
		todo = append(todo, news{id: e.ID})
	}
	for _, e := range slices.Concat(d.change, d.remove) {
		todo = append(todo, news{id: e.ID, old: true})
	}
	slices.SortFunc(todo, func(a, b news) int { return compareEntries(Entry{ID: a.id}, Entry{ID: b.id}) })
	u.total = len(todo)
	for part := range slices.Chunk(todo, portion) {
		ready, err := u.ready(ctx, part, wanted)
		if err != nil {
			return err
		}
		if len(ready) == 0 {
			continue
		}
		if err := u.write(ctx, ready); errors.Is(err, errNotInOne) && u.opt.Only == nil {
			// A new generation may be written in pieces of any size.
			return u.rebuildFrom(ctx, set)
		} else if err != nil {
			return err
		}
	}
	if u.meta.Dead > u.meta.Quads && u.meta.Dead > minDead {
		return u.compact(ctx)
	}
	return nil
}

// minDead is how many dead quads are never worth a new generation.
const minDead = 10_000

// compare opens the store for reading and finds what to do.
func (u *updater) compare(ctx context.Context, set []Entry) (difference, error) {
	g, t, err := u.reader(ctx)
	if err != nil {
		return difference{}, err
	}
	defer g.close()
	defer t.cancel()
	if u.meta, err = readMeta(ctx, t, u.rules); err != nil {
		return difference{}, err
	}
	u.report.Generation = g.name
	return differ(ctx, t, set, u.opt.Only)
}

// reader opens the current generation and a transaction on it.
func (u *updater) reader(ctx context.Context) (*generation, *transaction, error) {
	return reading(ctx, u.place, u.opt)
}

// ready loads what is wanted of some ids. What cannot be loaded is gone.
func (u *updater) ready(ctx context.Context, part []news, wanted map[string]Entry) ([]news, error) {
	var load []Entry
	for _, n := range part {
		if e, ok := wanted[n.id]; ok {
			load = append(load, e)
		}
	}
	said := make(map[string]*saying, len(load))
	err := loadAll(ctx, u.src, load, func(e Entry, s *saying, err error) error {
		if err != nil {
			u.report.Skipped = append(u.report.Skipped, Skipped{e.ID, err})
		} else {
			said[e.ID] = s
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []news
	for _, n := range part {
		n.said = said[n.id]
		if n.said != nil || n.old {
			out = append(out, n)
		} else {
			u.progress(1)
		}
	}
	return out, nil
}

// write opens the store for writing and brings the news in.
func (u *updater) write(ctx context.Context, ready []news) error {
	g, err := u.place.write(ctx, u.opt)
	if err != nil {
		return err
	}
	w, err := openWriter(ctx, g, u.rules, u.opt)
	if err == nil {
		at := 0
		err = w.apply(ctx, ready, func(n int) {
			for _, x := range ready[at : at+n] {
				switch {
				case x.said == nil:
					u.report.Removed++
				case x.old:
					u.report.Changed++
				default:
					u.report.Added++
				}
			}
			at += n
			u.progress(n)
		})
		u.meta = w.meta
		u.net.add(w.net)
	}
	if serr := g.kv.Sync(); err == nil {
		err = serr
	}
	if cerr := g.close(); err == nil {
		err = cerr
	}
	return err
}
