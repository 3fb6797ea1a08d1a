package graph

import (
	"context"
	"maps"
	"slices"
	"strings"

	"episodes/causal"
)

// Exact copies of an episode are one vote (causal.Votes). All of them are in the set and
// are stored, but only the one that counts is in the sums and in Cayley. Which one that
// is depends on the set alone: when it goes, another one takes its place.

// vote is what one episode adds to the sums, before and after a batch; nil: nothing.
type vote struct{ old, new *contribution }

// content is the part of a print that copies share.
type content [16]byte

func printKey(p causal.Print, id string) []byte { return append(printsOf(p.Content), id...) }

// printsOf is the prefix of the prints of one content.
func printsOf(c content) []byte { return append([]byte(keyPrint), c[:]...) }

func copyKey(id string) []byte { return append([]byte(keyCopy), id...) }

// votes finds which episodes count differently after the changes: those that change, and
// those that begin or cease to stand for their copies.
func (b *batch) votes() ([]vote, error) {
	was, is := map[string]causal.Print{}, map[string]causal.Print{} // of all copies of what changes
	touched := map[content]bool{}
	for _, c := range b.changes {
		for _, x := range []*contribution{c.old, c.new} {
			if x == nil || touched[x.rec.Print.Content] {
				continue
			}
			touched[x.rec.Print.Content] = true
			err := eachPrint(b.ctx, b.t, printsOf(x.rec.Print.Content), func(id string, p causal.Print) { was[id] = p })
			if err != nil {
				return nil, err
			}
		}
	}
	maps.Copy(is, was)
	changed := map[string]change{}
	for _, c := range b.changes {
		changed[c.entry.ID] = c
		if c.old != nil {
			delete(is, c.entry.ID)
			b.del(printKey(c.old.rec.Print, c.entry.ID))
		}
		if c.new != nil {
			is[c.entry.ID] = c.new.rec.Print
			b.put(printKey(c.new.rec.Print, c.entry.ID), encode(c.new.rec.Print))
		}
	}
	before, after := causal.Votes(was), causal.Votes(is)
	all := maps.Clone(before)
	maps.Copy(all, after)
	var out []vote
	for _, id := range slices.Sorted(maps.Keys(all)) {
		b.noteCopy(id, before[id], after[id])
		counted, counts := before[id] == id, after[id] == id
		c, changes := changed[id]
		if !changes && counted != counts {
			rec, err := readStored(b.ctx, b.t, id)
			if err != nil {
				return nil, err
			}
			c.old, c.new = rec, rec
		}
		v := vote{}
		if counted {
			v.old = c.old
		}
		if counts {
			v.new = c.new
		}
		if v != (vote{}) {
			out = append(out, v)
		}
	}
	return out, nil
}

// noteCopy writes for which episode one is a copy, where that changes.
func (b *batch) noteCopy(id, was, is string) {
	wasCopy, isCopy := was != "" && was != id, is != "" && is != id
	b.meta.Totals.Copies += count(isCopy) - count(wasCopy)
	switch {
	case isCopy && is != was:
		b.put(copyKey(id), []byte(is))
	case wasCopy && !isCopy:
		b.del(copyKey(id))
	}
}

// eachPrint calls fn for the prints under a prefix.
func eachPrint(ctx context.Context, t *transaction, prefix []byte, fn func(id string, p causal.Print)) error {
	return t.scan(ctx, prefix, func(k, v []byte) error {
		head := len(keyPrint) + len(content{})
		if len(k) <= head {
			return badKey(k, "not a print")
		}
		var p causal.Print
		if err := decode(k, v, &p); err != nil {
			return err
		}
		fn(string(k[head:]), p)
		return nil
	})
}

// readCopies reads which episodes are copies, and of which.
func readCopies(ctx context.Context, t *transaction) (map[string]string, error) {
	out := map[string]string{}
	err := t.scan(ctx, []byte(keyCopy), func(k, v []byte) error {
		out[strings.TrimPrefix(string(k), keyCopy)] = string(v)
		return nil
	})
	return out, err
}

// copies maps each exact copy to the episode that counts for it.
func (g *Graph) copies() (map[string]string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.countsAs == nil && g.meta.Totals.Copies > 0 {
		found, err := readCopies(g.ctx, g.t)
		if err != nil {
			return nil, err
		}
		g.countsAs = found
	}
	return g.countsAs, nil
}

// CountsAs returns the episode that counts for one: another one for an exact copy, else
// the episode itself.
func (g *Graph) CountsAs(id string) (string, error) {
	copies, err := g.copies()
	if of := copies[id]; of != "" {
		return of, err
	}
	return id, err
}

// Counted returns the episodes that count, as Episodes does: one of each set of copies.
func (g *Graph) Counted() ([]Entry, error) {
	copies, err := g.copies()
	if err != nil {
		return nil, err
	}
	set, err := g.Episodes()
	return slices.DeleteFunc(set, func(e Entry) bool { return copies[e.ID] != "" }), err
}

// prints yields the print of every episode.
func (g *Graph) prints(yield func(id string, p causal.Print)) error {
	return eachPrint(g.ctx, g.t, []byte(keyPrint), yield)
}
