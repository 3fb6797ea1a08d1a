package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// Update brings the store at url to exactly the set of src, and makes the store
// when there is none. It writes only what differs: with nothing to do it opens
// the store for reading and leaves every byte of it. Whatever stops it, also the
// death of the process, leaves the graph of a set between the old and the new,
// and another Update goes on from there.
//
// With Options.Only it looks at those ids alone, and opens the store for writing
// without looking first, unless there are none.
//
// A store of an older format or of other key rules is built anew. An episode that
// cannot be loaded is reported in Report.Skipped and is not in the graph.
//
// Errors: ErrDamaged, ErrVersion (the store is newer than this program),
// ErrFull, *lock.TimeoutError, ErrURL, with Options.Only ErrNeedsAll, and those of
// src.List.
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
	if u.opt.Only != nil {
		err = u.updateOnly(ctx, set)
	} else {
		err = u.updateAll(ctx, set)
	}
	if err == nil && u.meta.Dead > u.meta.Quads && u.meta.Dead > minDead {
		err = u.compact(ctx)
	}
	return err
}

func (u *updater) updateAll(ctx context.Context, set []Entry) error {
	d, err := u.compare(ctx, set)
	switch {
	case errors.Is(err, ErrMissing), errors.Is(err, errOtherKeys), errors.Is(err, ErrVersion) && u.older():
		return u.rebuildFrom(ctx, set)
	case err != nil:
		return err
	}
	u.report.Unchanged = d.same
	todo := d.news()
	u.total = len(todo)
	for part := range slices.Chunk(todo, portion) {
		ready, err := u.ready(ctx, part)
		if err != nil {
			return err
		}
		ready = slices.DeleteFunc(ready, func(n news) bool { return n.said == nil && !n.old })
		u.progress(len(part) - len(ready))
		if len(ready) == 0 {
			continue
		}
		err = u.write(ctx, len(ready), func(*writer) ([]news, error) { return ready, nil })
		if errors.Is(err, errNotInOne) {
			return u.rebuildFrom(ctx, set) // a new generation may be written in pieces of any size
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// updateOnly opens the store for writing at once: its caller knows of a change,
// and opening it twice is a good part of the time that one change takes.
func (u *updater) updateOnly(ctx context.Context, set []Entry) error {
	only := slices.Compact(slices.Sorted(slices.Values(u.opt.Only)))
	u.total = len(only)
	if len(only) == 0 {
		return u.upToDate(ctx)
	}
	for part := range slices.Chunk(only, portion) {
		in := func(id string) bool { _, ok := slices.BinarySearch(part, id); return ok }
		want := slices.DeleteFunc(slices.Clone(set), func(e Entry) bool { return !in(e.ID) })
		var todo []news
		for _, e := range want {
			todo = append(todo, news{id: e.ID, want: e})
		}
		loaded, err := u.ready(ctx, todo)
		if err != nil {
			return err
		}
		said := make(map[string]*saying, len(loaded))
		for _, n := range loaded {
			said[n.id] = n.said
		}
		err = u.write(ctx, len(part), func(w *writer) ([]news, error) {
			if err := u.fromBase(w.meta); err != nil {
				return nil, err
			}
			if err := w.t.begin(ctx, false); err != nil {
				return nil, err
			}
			defer w.t.cancel()
			d, err := differAt(ctx, w.t, want, part)
			if err != nil {
				return nil, err
			}
			ready := d.news()
			for i := range ready {
				ready[i].said = said[ready[i].id]
			}
			ready = slices.DeleteFunc(ready, func(n news) bool { return n.said == nil && !n.old })
			u.report.Unchanged += d.same
			u.progress(len(part) - len(ready))
			return ready, nil
		})
		if errors.Is(err, errNotInOne) {
			return fmt.Errorf("%w: %w", ErrNeedsAll, err)
		}
		if err != nil {
			return err
		}
	}
	if u.opt.Base != "" { // all others are as they were
		u.report.Unchanged = u.meta.Totals.Episodes - u.report.Added - u.report.Changed
	}
	return nil
}

// fromBase returns ErrNeedsAll when the store, before the first change, does not
// hold the set that Options.Base says.
func (u *updater) fromBase(m metaRecord) error {
	r := u.report
	if r.Added+r.Changed+r.Removed == 0 && u.opt.Base != "" && m.Digest.String() != u.opt.Base {
		return fmt.Errorf("%w: the store holds the set %s, not %s", ErrNeedsAll, m.Digest, u.opt.Base)
	}
	return nil
}

// upToDate only looks whether the store is that of Options.Base.
func (u *updater) upToDate(ctx context.Context) error {
	g, t, err := u.reader(ctx)
	if err != nil {
		return err
	}
	defer g.close()
	defer t.cancel()
	if u.meta, err = readMeta(ctx, t, u.rules); err != nil {
		return err
	}
	u.report.Generation = g.name
	u.report.Unchanged = u.meta.Totals.Episodes
	return u.fromBase(u.meta)
}

// news is what the difference comes to, by id.
func (d *difference) news() []news {
	var out []news
	for _, e := range d.add {
		out = append(out, news{id: e.ID, want: e})
	}
	for _, e := range d.change {
		out = append(out, news{id: e.ID, want: e, old: true})
	}
	for _, e := range d.remove {
		out = append(out, news{id: e.ID, old: true})
	}
	slices.SortFunc(out, func(a, b news) int { return cmp.Compare(a.id, b.id) })
	return out
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
	return differ(ctx, t, set)
}

// reader opens the current generation and a transaction on it.
func (u *updater) reader(ctx context.Context) (*generation, *transaction, error) {
	return reading(ctx, u.place, u.opt)
}

// ready loads what is wanted. What cannot be loaded says nothing.
func (u *updater) ready(ctx context.Context, part []news) ([]news, error) {
	var load []Entry
	for _, n := range part {
		if n.want.ID != "" {
			load = append(load, n.want)
		}
	}
	said := make(map[string]*saying, len(load))
	err := loadAll(ctx, u.src, load, func(e Entry, s *saying, err error) error {
		if err != nil {
			u.report.Skipped = append(u.report.Skipped, Skipped{e.ID, err})
		} else {
			said[e.ID] = s
			u.report.OfOlderTools += count(s.older)
		}
		return nil
	})
	ready := slices.Clone(part)
	for i, n := range ready {
		ready[i].said = said[n.id]
	}
	return ready, err
}

// write opens the store for writing, asks what to bring in, at most n episodes, and
// does.
func (u *updater) write(ctx context.Context, n int, ask func(*writer) ([]news, error)) error {
	little := n == 1
	err := u.writeOnce(ctx, little, ask)
	if little && errors.Is(err, errNotInOne) { // so nothing was written
		err = u.writeOnce(ctx, false, ask)
	}
	return err
}

func (u *updater) writeOnce(ctx context.Context, little bool, ask func(*writer) ([]news, error)) error {
	g, err := u.place.write(ctx, u.opt, little)
	if err != nil {
		return err
	}
	u.report.Generation = g.name
	err = u.bringIn(ctx, g, ask)
	if cerr := g.close(); err == nil { // from here on it outlives a loss of power
		err = cerr
	}
	return err
}

func (u *updater) bringIn(ctx context.Context, g *generation, ask func(*writer) ([]news, error)) error {
	w, err := openWriter(ctx, g, u.rules, u.opt)
	if err != nil {
		return err
	}
	ready, err := ask(w)
	if err != nil {
		return err
	}
	err = w.apply(ctx, ready, func(n int) {
		for _, x := range ready[:n] {
			switch {
			case x.said == nil:
				u.report.Removed++
			case x.old:
				u.report.Changed++
			default:
				u.report.Added++
			}
		}
		ready = ready[n:]
		u.progress(n)
	})
	u.meta = w.meta
	u.net.add(w.net)
	return err
}
