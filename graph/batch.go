package graph

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/causal"
)

// batch brings one delta into a store, in one transaction. It first reads all
// that it needs and then writes: a read among writes would have to sort them.
type batch struct {
	ctx     context.Context
	t       *transaction
	changes []change
	d       *delta
	meta    metaRecord // as it will be
	changed changeSet

	nodes   map[nodeID]*nodeRecord    // as they are; nil: not there
	edges   map[edgeID]causal.Support // that change, as they will be
	carried map[nodeID]int            // see edges.go
	recarry []nodeID                  // nodes whose edges must carry another number
	writes  map[string][]byte         // by key; nil: delete
	marks   map[causal.Mark]bool      // all that are stored; nil: not known
}

func newBatch(ctx context.Context, t *transaction, meta metaRecord, changes []change) *batch {
	return &batch{
		ctx: ctx, t: t, meta: meta, changes: changes, changed: newChangeSet(),
		edges: map[edgeID]causal.Support{}, carried: map[nodeID]int{}, writes: map[string][]byte{},
	}
}

func (b *batch) put(key, value []byte) { b.writes[string(key)] = value }
func (b *batch) del(key []byte)        { b.writes[string(key)] = nil }

// plan reads and computes; nothing is written yet.
func (b *batch) plan() error {
	votes, err := b.votes()
	if err != nil {
		return err
	}
	b.d = newDelta(b.changes, votes)
	for _, step := range []func() error{b.loadNodes, b.planEdges, b.planNodes, b.planIn} {
		if err := step(); err != nil {
			return err
		}
	}
	for _, c := range b.changes {
		if c.new == nil {
			b.del(entryKey(c.entry.ID))
			b.del(episodeKey(c.entry.ID))
			b.del(usesKey(c.entry.ID))
			continue
		}
		b.put(entryKey(c.entry.ID), []byte(c.new.hash))
		b.put(episodeKey(c.entry.ID), c.new.value)
		b.put(usesKey(c.entry.ID), c.new.uses)
	}
	tt := &b.meta.Totals
	tt.Episodes += b.d.episodes
	tt.Decisions += b.d.decisions
	tt.Evidence += b.d.evidence
	for i, n := range b.d.outcomes {
		tt.Outcomes.Add(outcomes[i], n)
	}
	b.meta.Digest = b.meta.Digest.plus(b.d.digest)
	b.meta.Quads += len(b.d.add) - len(b.d.del)
	b.meta.Dead += len(b.d.del)
	b.put([]byte(keyMeta), encode(&b.meta))
	return nil
}

// write writes what plan found, quads into Cayley unless that is nil.
func (b *batch) write(f *quadStore) error {
	if f != nil {
		if err := f.apply(b.d.add, b.d.del); err != nil {
			return err
		}
	}
	return b.writeKeys(sortedKeys(b.writes, strings.Compare))
}

// writeKeys writes the records under some keys.
func (b *batch) writeKeys(keys []string) (err error) {
	for _, k := range keys {
		if v := b.writes[k]; v == nil {
			err = b.t.del(b.ctx, []byte(k))
		} else {
			err = b.t.put(b.ctx, []byte(k), v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// values reads many keys, in the order of the keys. The value of a missing key is nil.
func (b *batch) values(keys [][]byte) ([]flat.Value, error) {
	fk := make([]flat.Key, len(keys))
	for i, k := range keys {
		fk[i] = k
	}
	return b.t.tx.GetBatch(b.ctx, fk)
}

func sortedKeys[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	return slices.SortedFunc(maps.Keys(m), compare)
}

func compareNodes(a, b nodeID) int { return bytes.Compare(a[:], b[:]) }

func compareEdges(a, b edgeID) int {
	return cmp.Or(compareNodes(a.source, b.source), compareNodes(a.target, b.target), cmp.Compare(a.typ, b.typ))
}
