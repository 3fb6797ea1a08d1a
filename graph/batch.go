package graph

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/causal"
)

// batch brings one delta into a store, in one transaction. It first reads all
// that it needs and then writes: a read among writes would have to sort them.
type batch struct {
	ctx      context.Context
	t        *transaction
	changes  []change
	d        *delta
	meta     metaRecord // as it will be
	net      *net       // nil: nobody asks
	wordless bool       // words of nodes are posted by another, later

	nodes  map[nodeID]*nodeRecord // as they are, then as they will be; nil: not there
	writes map[string][]byte      // by key; nil: delete
	posted map[string][]byte      // word with its kind → ids to add
	fallen map[string][]byte      // word with its kind → ids to take away
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
	b.meta.Batch++
	for _, step := range []func() error{b.loadNodes, b.planEdges, b.planNodes, b.planPoints, b.planShards, b.planPostings} {
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
	if tx, ok := b.t.tx.(*behindTx); ok {
		tx.take(b.writes)
		return nil
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

// loadNodes reads every node that may change: those spoken of and the ends of edges.
func (b *batch) loadNodes() error {
	for e := range b.d.edges {
		b.d.node(e.source)
		b.d.node(e.target)
	}
	ids := sortedKeys(b.d.nodes, compareNodes)
	keys := make([][]byte, len(ids))
	for i, id := range ids {
		keys[i] = id.key()
	}
	vals, err := b.values(keys)
	if err != nil {
		return err
	}
	b.nodes = make(map[nodeID]*nodeRecord, len(ids))
	for i, v := range vals {
		if v == nil {
			continue
		}
		rec := &nodeRecord{}
		if err := decode(keys[i], v, rec); err != nil {
			return err
		}
		b.nodes[ids[i]] = rec
	}
	return nil
}

// planEdges adds up the support of edges and finds which are new or gone.
func (b *batch) planEdges() error {
	var keys [][]byte
	var old []edgeID // edges between nodes that are there already, so they may be there too
	edges := sortedKeys(b.d.edges, compareEdges)
	for _, e := range edges {
		if b.nodes[e.source] != nil && b.nodes[e.target] != nil {
			old = append(old, e)
			keys = append(keys, e.out())
		}
	}
	vals, err := b.values(keys)
	if err != nil {
		return err
	}
	had := make(map[edgeID]causal.Support, len(old))
	for i, v := range vals {
		if v == nil {
			continue
		}
		if had[old[i]], err = decodeSupport(keys[i], v); err != nil {
			return err
		}
	}
	for _, e := range edges {
		was, d := had[e], b.d.edges[e]
		is := causal.Support{Explicit: was.Explicit + d.Explicit, Implied: was.Implied + d.Implied}
		if is == was {
			continue
		}
		if is.Explicit < 0 || is.Implied < 0 {
			return badKey(e.out(), "fewer episodes support it than said so")
		}
		change := 0
		switch {
		case was.Count() == 0:
			change = +1
		case is.Count() == 0:
			change = -1
		}
		b.meta.Totals.Edges[e.typ] += change
		b.d.nodes[e.source].degree += change
		b.d.nodes[e.target].degree += change
		if b.net != nil {
			b.net.edges[e] += change
		}
		if is.Count() == 0 {
			b.del(e.out())
			b.del(e.in())
			continue
		}
		v := encodeSupport(is)
		b.put(e.out(), v)
		b.put(e.in(), v)
	}
	return nil
}

// encodeSupport packs the two counts of an edge, of which there are many.
func encodeSupport(s causal.Support) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(s.Explicit)), uint64(s.Implied))
}

func decodeSupport(key, v []byte) (causal.Support, error) {
	explicit, n := binary.Uvarint(v)
	if n > 0 {
		if implied, m := binary.Uvarint(v[n:]); m > 0 && n+m == len(v) {
			return causal.Support{Explicit: int(explicit), Implied: int(implied)}, nil
		}
	}
	return causal.Support{}, badKey(key, "no counts")
}

// planNodes adds up the nodes.
func (b *batch) planNodes() error {
	tt := &b.meta.Totals
	for _, id := range sortedKeys(b.d.nodes, compareNodes) {
		d, rec := b.d.nodes[id], b.nodes[id]
		if d.idle() {
			continue
		}
		isNew := rec == nil
		if isNew {
			if !d.known {
				return badKey(id.key(), "missing")
			}
			rec = &nodeRecord{Type: d.kind.typ, Key: d.kind.key}
		}
		wasShared, wasIsolated, was := rec.Frequency >= 2, !isNew && rec.Degree == 0, rec.label()
		if isNew {
			was = ""
		}
		rec.Frequency += d.frequency
		rec.Degree += d.degree
		for i, n := range d.tally {
			rec.Tally[i] += n
		}
		if err := b.reword(id, rec, d.wordings); err != nil {
			return err
		}
		if rec.Frequency < 0 || rec.Degree < 0 || rec.Frequency == 0 && rec.Degree > 0 {
			return badKey(id.key(), "its counts contradict each other")
		}
		gone := rec.Frequency == 0
		is := ""
		if !gone {
			is = rec.label()
		}
		tt.Shared += count(rec.Frequency >= 2) - count(wasShared)
		tt.Isolated += count(!gone && rec.Degree == 0) - count(wasIsolated)
		tt.Nodes[rec.Type] += count(!gone) - count(!isNew)
		if b.net != nil {
			b.net.nodes[id] += count(!gone) - count(!isNew)
		}
		if !b.wordless {
			b.relabel(id, b.words(was), b.words(is))
		}
		if gone {
			b.del(id.key())
		} else {
			b.put(id.key(), encode(rec))
		}
	}
	return nil
}

// idle reports whether nothing comes to a node.
func (d *nodeDelta) idle() bool {
	if d.frequency != 0 || d.degree != 0 || d.tally != [len(outcomes)]int{} {
		return false
	}
	for _, n := range d.wordings {
		if n != 0 {
			return false
		}
	}
	return true
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// words are the words of a label; nothing has no label.
func (b *batch) words(label string) []string {
	if label == "" {
		return nil
	}
	return wordsOf(label)
}

// relabel posts a node under the words that it has now and had not before, and
// takes it from those that it has no more.
func (b *batch) relabel(id nodeID, was, is []string) {
	for _, w := range missing(is, was) {
		b.posted[keyWord+w] = append(b.posted[keyWord+w], id[:]...)
	}
	for _, w := range missing(was, is) {
		b.fallen[keyWord+w] = append(b.fallen[keyWord+w], id[:]...)
	}
}

// missing returns what is in a and not in b.
func missing(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	has := make(map[string]bool, len(b))
	for _, s := range b {
		has[s] = true
	}
	var out []string
	for _, s := range a {
		if !has[s] {
			out = append(out, s)
		}
	}
	return out
}

// planPoints adds up the decision points.
func (b *batch) planPoints() error {
	ids := sortedKeys(b.d.points, comparePoints)
	keys := make([][]byte, len(ids))
	for i, id := range ids {
		keys[i] = id.key()
	}
	vals, err := b.values(keys)
	if err != nil {
		return err
	}
	for i, id := range ids {
		d := b.d.points[id]
		rec := &pointRecord{Point: d.point}
		if vals[i] != nil {
			if err := decode(keys[i], vals[i], rec); err != nil {
				return err
			}
		}
		rec.Uses += d.uses
		_, err := b.addWordings(append([]byte(keyPointCount), id[:]...), fewWords, &rec.Words, d.words, func(w string, was, is int) {
			switch {
			case was == 0:
				b.posted[keyPointWord+w] = append(b.posted[keyPointWord+w], id[:]...)
			case is == 0:
				b.fallen[keyPointWord+w] = append(b.fallen[keyPointWord+w], id[:]...)
			}
		})
		if err != nil {
			return err
		}
		switch {
		case rec.Uses < 0:
			return badKey(keys[i], "fewer uses than said so")
		case rec.Uses == 0:
			b.del(keys[i])
		default:
			b.put(keys[i], encode(rec))
		}
	}
	return nil
}

// planPostings writes one list for each word that gained ids, and rewrites the
// lists of words that lost some.
func (b *batch) planPostings() error {
	for word, ids := range b.posted {
		b.put(postingKey(word[:len(keyWord)], word[len(keyWord):], b.meta.Batch), ids)
	}
	for word, gone := range b.fallen {
		size := len(nodeID{})
		if strings.HasPrefix(word, keyPointWord) {
			size = len(pointID{})
		}
		left := map[string]bool{}
		for id := range slices.Chunk(gone, size) {
			left[string(id)] = true
		}
		err := b.t.scan(b.ctx, postings(word[:len(keyWord)], word[len(keyWord):]), func(k, v []byte) error {
			kept := make([]byte, 0, len(v))
			for id := range slices.Chunk(v, size) {
				if left[string(id)] {
					delete(left, string(id))
				} else {
					kept = append(kept, id...)
				}
			}
			switch {
			case len(kept) == 0:
				b.del(bytes.Clone(k))
			case len(kept) < len(v):
				b.put(bytes.Clone(k), kept)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(left) > 0 {
			return badKey([]byte(word), fmt.Sprintf("%d missing", len(left)))
		}
	}
	return nil
}

// planShards adds up the digests of the parts of the set.
func (b *batch) planShards() error {
	for shard, d := range b.d.shards {
		key := shardKey(shard)
		v, err := b.t.get(b.ctx, key)
		if err != nil {
			return err
		}
		var rec shardRecord
		if v != nil {
			if err := decode(key, v, &rec); err != nil {
				return err
			}
		}
		rec.Count += d.Count
		rec.Sum = rec.Sum.plus(d.Sum)
		if rec.Count == 0 {
			b.del(key)
		} else {
			b.put(key, encode(&rec))
		}
	}
	return nil
}
