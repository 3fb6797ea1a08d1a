package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"episodes/episode"
	"episodes/graph/engine"
)

// list returns the set of src, checked.
func list(src Source) ([]Entry, error) {
	set, err := src.List()
	if err != nil {
		return nil, fmt.Errorf("list the episodes: %w", err)
	}
	if !slices.IsSortedFunc(set, compareEntries) {
		set = slices.SortedFunc(slices.Values(set), compareEntries)
	}
	for i := 1; i < len(set); i++ {
		if set[i].ID == set[i-1].ID {
			return nil, fmt.Errorf("list the episodes: %q is listed twice", set[i].ID)
		}
	}
	return set, nil
}

// load makes an episode ready to be stored. Every error names the episode.
func load(src Source, e Entry) (*contribution, error) {
	if !episode.ValidID(e.ID) || len(e.ID) > maxID {
		return nil, fmt.Errorf("%q is not an episode id", e.ID)
	}
	ep, err := src.Load(e.ID)
	if err != nil {
		return nil, err
	}
	if ep.ID != e.ID {
		return nil, fmt.Errorf("episode %q: its file holds episode %q", e.ID, ep.ID)
	}
	c := contribute(ep, e.Hash)
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("episode %q: %w", e.ID, err)
	}
	return c, nil
}

// What a store can hold. Nothing that a person or an agent writes comes near.
const (
	maxID    = 1024    // bytes of the id of an episode or a record: they are parts of keys
	maxText  = 100_000 // bytes of a label or a key: a node holds several
	maxValue = 1 << 20 // bytes of what an episode says, and of its decisions
)

// Fits returns ErrTooLarge for an episode that no graph takes; an update skips it.
func Fits(ep *episode.Episode) error {
	if err := contribute(ep, "").check(); err != nil {
		return fmt.Errorf("episode %q: %w", ep.ID, err)
	}
	return nil
}

// check refuses what is too large for the store.
func (c *contribution) check() error {
	longest := func(what string, n, most int) error {
		if n > most {
			return fmt.Errorf("%w: %s of %d bytes, at most %d", ErrTooLarge, what, n, most)
		}
		return nil
	}
	if err := longest("it comes to a record", max(len(c.value), len(c.uses)), maxValue); err != nil {
		return err
	}
	for _, m := range c.rec.Mentions {
		if err := cmp.Or(longest("a record id", len(m.Record), maxID), longest("a label", len(m.Label), maxText),
			longest("a key", len(m.Key), maxText)); err != nil {
			return err
		}
	}
	return nil
}

// loaded is a part of a set of entries, as it was loaded.
type loaded struct {
	entries []Entry
	what    []*contribution
	errs    []error // of each entry
	err     error   // of all
}

// loadAll loads entries on all processors, a batch at a time, and yields them in
// their order, each with its error. While it yields one batch it loads the next. It stops at
// the first error of yield, and when the connection to the source was lost.
func loadAll(ctx context.Context, src Source, entries []Entry, yield func(Entry, *contribution, error) error) error {
	until, stop := context.WithCancel(ctx)
	parts := make(chan loaded)
	defer func() {
		stop()
		for range parts { // the source is not used once this returns
		}
	}()
	go func() {
		defer close(parts)
		for part := range slices.Chunk(entries, batchSize) {
			select {
			case parts <- loadPart(until, src, part):
			case <-until.Done():
				return
			}
		}
	}()
	for p := range parts {
		if err := cmp.Or(ctx.Err(), p.err); err != nil {
			return err
		}
		for i, e := range p.entries {
			if errors.Is(p.errs[i], engine.ErrLost) { // the source is a server: the episode is there
				return p.errs[i]
			}
			if err := yield(e, p.what[i], p.errs[i]); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

func loadPart(ctx context.Context, src Source, part []Entry) loaded {
	p := loaded{entries: part, what: make([]*contribution, len(part)), errs: make([]error, len(part))}
	if f, ok := src.(Fetcher); ok {
		if p.err = f.Fetch(part); p.err != nil {
			return p
		}
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(part)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(part) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				p.what[i], p.errs[i] = load(src, part[i])
			}
		})
	}
	workers.Wait()
	return p
}
