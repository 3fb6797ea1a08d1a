package graph

import (
	"context"
	"maps"
	"slices"
	"strings"

	"episodes/causal"
)

// The episodes of one session are one vote (causal.Votes). All of them are in the set and
// are stored, but only the one that counts is in the sums and in Cayley. Which one that
// is depends on the set alone: when it goes, another one takes its place.

// vote is what one episode adds to the sums, before and after a batch; nil: nothing.
type vote struct{ old, new *contribution }

func markKey(m causal.Mark, id string) []byte { return append(marksOf(m), id...) }

// marksOf is the prefix of the episodes with one mark.
func marksOf(m causal.Mark) []byte { return append([]byte(keyMark), m[:]...) }

func copyKey(id string) []byte { return append([]byte(keyCopy), id...) }

// votes finds which episodes count differently after the changes: those that change, and
// those that begin or cease to count for their session.
func (b *batch) votes() ([]vote, error) {
	was, is, err := b.sessions()
	if err != nil {
		return nil, err
	}
	changed := map[string]change{}
	for _, c := range b.changes {
		changed[c.entry.ID] = c
		if c.old != nil {
			for _, m := range c.old.rec.Print.Marks() {
				b.del(markKey(m, c.entry.ID))
			}
		}
		if c.new != nil {
			for _, m := range c.new.rec.Print.Marks() {
				b.put(markKey(m, c.entry.ID), []byte{})
			}
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

// sessions returns the prints of all episodes of the sessions that the changes touch, as
// they are and as they will be.
func (b *batch) sessions() (was, is map[string]causal.Print, err error) {
	was, is = map[string]causal.Print{}, map[string]causal.Print{}
	changing := map[string]bool{}
	marked := map[causal.Mark][]string{} // as stored
	var next []causal.Print              // whose sessions are to be looked at
	for _, c := range b.changes {
		changing[c.entry.ID] = true
		if c.old != nil {
			was[c.entry.ID] = c.old.rec.Print
			next = append(next, c.old.rec.Print)
		}
		if c.new != nil {
			is[c.entry.ID] = c.new.rec.Print
			next = append(next, c.new.rec.Print)
		}
	}
	seen := map[string]causal.Print{} // what is stored and does not change
	for len(next) > 0 {
		p := next[len(next)-1]
		next = next[:len(next)-1]
		for _, m := range p.Marks() {
			ids, looked := marked[m]
			if !looked && (b.marks == nil || b.marks[m]) {
				if ids, err = readMarked(b.ctx, b.t, m); err != nil {
					return nil, nil, err
				}
				marked[m] = ids
			}
			for _, id := range ids {
				if _, found := was[id]; found || changing[id] {
					continue
				}
				q, known := seen[id]
				if !known {
					rec, err := readEpisode(b.ctx, b.t, id)
					if err == nil && rec == nil {
						err = badKey(markKey(m, id), "of an episode that is not stored")
					}
					if err != nil {
						return nil, nil, err
					}
					q = rec.Print
					seen[id] = q
				}
				if p.SameSession(q) {
					was[id], is[id] = q, q
					next = append(next, q)
				}
			}
		}
	}
	return was, is, nil
}

// noteCopy writes which other episode counts for one, where that changes.
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

// readMarked returns the episodes with a mark.
func readMarked(ctx context.Context, t *transaction, m causal.Mark) (ids []string, err error) {
	prefix := marksOf(m)
	err = t.scan(ctx, prefix, func(k, _ []byte) error {
		ids = append(ids, string(k[len(prefix):]))
		return nil
	})
	return ids, err
}

// readCopies reads which episodes do not count, and which ones count for them.
func readCopies(ctx context.Context, t *transaction) (map[string]string, error) {
	out := map[string]string{}
	err := t.scan(ctx, []byte(keyCopy), func(k, v []byte) error {
		out[strings.TrimPrefix(string(k), keyCopy)] = string(v)
		return nil
	})
	return out, err
}

// copies maps each episode that does not count to the one that counts for its session.
// Copies returns the episodes that do not count, each with the one that counts for its session instead.
func (g *Graph) Copies() (map[string]string, error) {
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

// CountsAs returns the episode that counts for the session of one, mostly that one itself.
func (g *Graph) CountsAs(id string) (string, error) {
	copies, err := g.Copies()
	if of := copies[id]; of != "" {
		return of, err
	}
	return id, err
}

// Counted returns the episodes that count, as Episodes does: one of each session.
func (g *Graph) Counted() ([]Entry, error) {
	copies, err := g.Copies()
	if err != nil {
		return nil, err
	}
	set, err := g.Episodes()
	return slices.DeleteFunc(set, func(e Entry) bool { return copies[e.ID] != "" }), err
}

// prints yields the print of every episode.
func (g *Graph) prints(yield func(id string, p causal.Print)) error {
	return g.t.scan(g.ctx, []byte(keyEpisode), func(k, v []byte) error {
		rec, err := decodeEpisode(k, v)
		if err == nil {
			yield(string(k[len(keyEpisode):]), rec.Print)
		}
		return err
	})
}
