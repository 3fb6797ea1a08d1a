package graph

import (
	"context"
	"errors"
	"slices"

	"episodes/graph/engine"
	"episodes/graph/stores"
)

// Update makes the store at url hold exactly the set of src, and creates the store if
// necessary. It writes only differences: with nothing to do it opens the store for reading
// and changes no byte. If it fails or the process is killed, the store has the graph of a
// set between the old and the new one, and another Update continues from there.
//
// A store of an older format or of other key rules is rebuilt. An episode that
// cannot be loaded is reported in Report.Skipped and is not in the graph.
//
// Errors: ErrDamaged, ErrVersion (the store is newer than this program),
// ErrFull, *lock.TimeoutError, ErrURL, and those of src.List.
func Update(ctx context.Context, url string, src Source, opt Options) (Report, error) {
	return write(ctx, url, src, opt, (*updater).update)
}

// Rebuild makes a new graph of src at url, even over one that is damaged or newer. Readers see
// the old graph until the new one is complete. Report has the differences from the old graph
// if that could be read.
//
// Errors: ErrFull, *lock.TimeoutError, ErrURL, and those of src.List. After an
// error the old graph is still there.
func Rebuild(ctx context.Context, url string, src Source, opt Options) (Report, error) {
	return write(ctx, url, src, opt, (*updater).rebuild)
}

// write changes a store while other writers are kept out.
func write(ctx context.Context, url string, src Source, opt Options,
	how func(*updater, context.Context) error) (r Report, err error) {
	store, err := stores.Open(url, Format, opt.Token)
	if err != nil {
		return Report{}, err
	}
	err = Again(ctx, opt, func() error {
		release, err := store.Lock(ctx, opt.wait())
		if err != nil {
			return err
		}
		defer release()
		_ = store.Sweep() // what is left there costs room and nothing else
		u := newUpdater(store, ours, src, opt)
		err = how(u, ctx)
		r = u.finish()
		return err
	})
	return r, err
}

// Again calls fn again while it fails because the connection to a store was lost, within the
// time to wait for other processes.
func Again(ctx context.Context, opt Options, fn func() error) error {
	return engine.Again(ctx, opt.wait(), fn)
}

// updater is one Update or Rebuild.
type updater struct {
	store engine.Store
	rules rules
	src   Source
	opt   Options

	report  Report
	changed changeSet
	meta    metaRecord // of the store as it is now
	done    int
	total   int
}

func newUpdater(store engine.Store, r rules, src Source, opt Options) *updater {
	return &updater{store: store, rules: r, src: src, opt: opt, changed: newChangeSet()}
}

// finish completes the report.
func (u *updater) finish() Report {
	r := &u.report
	added, removed := tally(u.changed.nodes)
	r.NodesAdded, r.NodesRemoved = r.NodesAdded+added, removed
	added, removed = tally(u.changed.edges)
	r.EdgesAdded, r.EdgesRemoved = r.EdgesAdded+added, removed
	r.Digest = u.meta.Digest.String()
	return *r
}

func (u *updater) progress(n int) {
	u.done += n
	if u.opt.Progress != nil {
		u.opt.Progress(u.done, u.total)
	}
}

// preparedAtOnce is how many changes are prepared before the store is opened for
// writing: readers may wait while it is open, and only that many are in memory.
const preparedAtOnce = 1024

func (u *updater) update(ctx context.Context) error {
	set, err := list(u.src)
	if err != nil {
		return err
	}
	if err := u.updateTo(ctx, set); err != nil {
		return err
	}
	if u.meta.Dead > u.meta.Quads && u.meta.Dead > minDead {
		older := u.report.OfOlderTools
		err = u.rebuildFrom(ctx, set)
		u.report.OfOlderTools = older
		return err
	}
	return nil
}

// updateTo brings the store to a set.
func (u *updater) updateTo(ctx context.Context, set []Entry) error {
	d, err := u.compare(ctx, set)
	var other *FormatError
	switch {
	case errors.Is(err, ErrMissing), errors.As(err, &other) && !other.Newer():
		return u.rebuildFrom(ctx, set)
	case err != nil:
		return err
	}
	u.report.Unchanged = d.same
	changes := d.changes()
	u.total = len(changes)
	for part := range slices.Chunk(changes, preparedAtOnce) {
		if err := u.load(ctx, part); err != nil {
			return err
		}
		// An episode that cannot be loaded and is not stored changes nothing.
		changes := slices.DeleteFunc(slices.Clone(part), func(c change) bool { return c.new == nil && !c.stored })
		u.progress(len(part) - len(changes))
		if len(changes) == 0 {
			continue
		}
		err := u.write(ctx, changes)
		if errors.Is(err, errNotInOne) {
			return u.rebuildFrom(ctx, set) // a new generation may be written in parts of any size
		}
		if err != nil {
			return err
		}
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
	defer g.Close()
	defer t.cancel()
	if u.meta, err = readMeta(ctx, t, u.rules); err != nil {
		return difference{}, err
	}
	u.report.Generation = g.Name()
	return differ(ctx, t, u.meta.Digest, set)
}

// reader opens the current generation and a transaction on it.
func (u *updater) reader(ctx context.Context) (engine.Generation, *transaction, error) {
	return openToRead(ctx, u.store, u.opt)
}

// load loads the wanted episodes among changes. One that cannot be loaded says
// nothing.
func (u *updater) load(ctx context.Context, changes []change) error {
	var wanted []Entry
	for _, c := range changes {
		if c.wanted {
			wanted = append(wanted, c.entry)
		}
	}
	loaded := make(map[string]*contribution, len(wanted))
	err := loadAll(ctx, u.src, wanted, func(e Entry, c *contribution, err error) error {
		if err != nil {
			u.report.Skipped = append(u.report.Skipped, Skipped{e.ID, err})
		} else {
			loaded[e.ID] = c
			u.report.OfOlderTools += count(c.older)
		}
		return nil
	})
	for i := range changes {
		changes[i].new = loaded[changes[i].entry.ID]
	}
	return err
}

// write opens the store for writing and brings in changes.
func (u *updater) write(ctx context.Context, changes []change) error {
	g, err := u.store.Write(ctx, u.opt.wait())
	if err != nil {
		return err
	}
	u.report.Generation = g.Name()
	err = u.bringIn(ctx, g, changes)
	if cerr := g.Close(); err == nil { // from here on it outlives a loss of power
		err = cerr
	}
	return err
}

func (u *updater) bringIn(ctx context.Context, g engine.Generation, changes []change) error {
	w, err := openWriter(ctx, g, u.rules, u.opt)
	if err != nil {
		return err
	}
	err = w.apply(ctx, changes, func(n int) {
		for _, c := range changes[:n] {
			switch {
			case c.new == nil:
				u.report.Removed++
			case c.stored:
				u.report.Changed++
			default:
				u.report.Added++
			}
		}
		changes = changes[n:]
		u.progress(n)
	})
	u.meta = w.meta
	u.changed.add(w.changed)
	return err
}
