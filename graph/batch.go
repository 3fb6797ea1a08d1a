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
	net     *net       // nil: nobody asks

	nodes   map[nodeID]*nodeRecord    // as they are, then as they will be; nil: not there
	edges   map[edgeID]causal.Support // that change, as they will be
	carried map[nodeID]int            // see carry.go
	recarry []nodeID                  // nodes whose edges must carry another number
	writes  map[string][]byte         // by key; nil: delete
	posted  map[string][]byte         // word with its kind → ids to add
	fallen  map[string][]byte         // word with its kind → ids to take away
}

func (b *batch) put(key, value []byte) { b.writes[string(key)] = value }
func (b *batch) del(key []byte)        { b.writes[string(key)] = nil }

// net is what became of nodes and edges over several batches: +1 new, -1 gone.
type net struct {
	nodes map[nodeID]int
	edges map[edgeID]int
}

func newNet() *net { return &net{map[nodeID]int{}, map[edgeID]int{}} }

func tallyNet[K comparable](m map[K]int) (added, removed int) {
	for _, n := range m {
		switch {
		case n > 0:
			added++
		case n < 0:
			removed++
		}
	}
	return added, removed
}

// plan reads and computes; nothing is written yet.
func (b *batch) plan() error {
	b.writes, b.posted, b.fallen = map[string][]byte{}, map[string][]byte{}, map[string][]byte{}
	b.edges, b.carried = map[edgeID]causal.Support{}, map[nodeID]int{}
	b.meta.Batch++
	for _, step := range []func() error{b.loadNodes, b.planEdges, b.planNodes, b.planIn, b.planPoints, b.planShards, b.planPostings} {
		if err := step(); err != nil {
			return err
		}
	}
	maps.Copy(b.writes, b.d.uses)
	for _, c := range b.changes {
		if c.new == nil {
			b.del(entryKey(c.old.id))
			b.del(episodeKey(c.old.id))
			continue
		}
		b.put(entryKey(c.new.id), encodeHash(c.new.hash))
		b.put(episodeKey(c.new.id), c.new.value)
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

// write writes what plan found.
func (b *batch) write(f facts) error {
	if err := f.apply(b.d.add, b.d.del); err != nil {
		return err
	}
	for _, k := range sortedKeys(b.writes, strings.Compare) {
		var err error
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

// values reads many keys, in the order of the keys; nil where there is none.
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

func compareNodes(a, b nodeID) int   { return bytes.Compare(a[:], b[:]) }
func comparePoints(a, b pointID) int { return bytes.Compare(a[:], b[:]) }

func compareEdges(a, b edgeID) int {
	return cmp.Or(compareNodes(a.source, b.source), compareNodes(a.target, b.target), cmp.Compare(a.typ, b.typ))
}
