package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// loader makes a whole generation from nothing. What an episode says is written as
// it comes; of all else only what adds up is kept, and written at the end, kind by
// kind in the order of the keys. So nothing is read back, and nothing is written
// twice.
//
// It writes what a writer would that takes the same episodes in one after another:
// Verify compares the two, and so do the laws of stores.
type loader struct {
	out  sink
	meta metaRecord
	puts int

	episodes []string // in the order in which they came, which is that of their ids
	entries  sorter   // part and id → hash of the file
	parts    [256]shardRecord
	shares   sorter // node → what one episode says of it
	edges    []looseEdge
	points   sorter // point → its text, and the words of one use
	uses     sorter // key of a use, without its kind → the use
	quads    looseQuads
	nodes    []nodeSum // by id; only finish knows them
	sums     []edgeSum // by source, target and type; likewise
	words    wordLists // of labels; likewise
}

// maxInMemory is how many bytes of what comes in are kept in memory, apart from
// what has few bytes for each node, edge and quad. A variable for the tests.
var maxInMemory = 96 << 20

// newLoader returns a loader into a sink, which puts files aside in dir, unless
// that is empty. It must be closed.
func newLoader(out sink, dir string, r rules) *loader {
	l := &loader{out: out, words: wordLists{}}
	for _, s := range l.sorters() {
		s.dir, s.budget = dir, maxInMemory/len(l.sorters())
	}
	l.meta.Format, l.meta.Keys = r.format, r.keys
	l.quads.records = map[string]uint32{}
	return l
}

func (l *loader) sorters() []*sorter { return []*sorter{&l.shares, &l.uses, &l.points, &l.entries} }

func (l *loader) close() {
	for _, s := range l.sorters() {
		s.close()
	}
}

// add takes an episode in. Its id must be greater than those before.
func (l *loader) add(ctx context.Context, s *saying) error {
	if n := len(l.episodes); n > 0 && s.id <= l.episodes[n-1] {
		return fmt.Errorf("episode %q comes after %q", s.id, l.episodes[n-1])
	}
	if err := l.put(ctx, episodeKey(s.id), s.value); err != nil {
		return err
	}
	if err := l.entries.add(entryKey(s.id)[len(keyEntry):], encodeHash(s.hash)); err != nil {
		return err
	}
	sum := digestOf(Entry{s.id, s.hash})
	part := &l.parts[shardOf(s.id)]
	part.Count++
	part.Sum = part.Sum.plus(sum)
	l.meta.Digest = l.meta.Digest.plus(sum)
	if err := l.addShares(s); err != nil {
		return err
	}
	for _, st := range s.rec.Statements {
		l.edges = append(l.edges, looseEdge{s.rec.edge(st), st.Explicit})
	}
	for _, u := range s.uses {
		if err := l.uses.add(u.key[len(keyUse):], u.value); err != nil {
			return err
		}
		if err := l.addPoint(u); err != nil {
			return err
		}
	}
	l.quads.add(&s.rec, uint32(len(l.episodes)))
	l.episodes = append(l.episodes, s.id)

	tt := &l.meta.Totals
	tt.Episodes++
	tt.Decisions += len(s.uses)
	tt.Evidence += len(s.rec.Statements)
	tt.Outcomes.Add(outcomes[s.rec.Outcome], 1)
	return nil
}

// finish writes all that is not yet written.
func (l *loader) finish(ctx context.Context) error {
	if err := l.sort(); err != nil {
		return err
	}
	l.sumEdges()
	if err := l.sumNodes(); err != nil {
		return err
	}
	l.meta.Quads = len(l.quads.list)
	if err := l.numberLists(); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{ // in the order of their keys
		l.putParts, l.putEntries, l.putEdgesIn, l.putMeta, l.putNodes, l.putEdgesOut,
		l.putPoints, l.putUses, l.putWords, l.putPointCounts, l.putQuads,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sort sorts everything, on all processors.
func (l *loader) sort() error {
	sorters := l.sorters()
	errs := make([]error, len(sorters))
	var all sync.WaitGroup
	all.Go(l.quads.sort)
	for i, s := range sorters {
		all.Go(func() { errs[i] = s.sort() })
	}
	all.Wait()
	return errors.Join(errs...)
}

// put writes one record, and now and then looks whether it should go on.
func (l *loader) put(ctx context.Context, k, v []byte) error {
	if l.puts++; l.puts%1024 == 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return l.out.Put(k, v)
}

func (l *loader) putParts(ctx context.Context) error {
	for i := range l.parts {
		if l.parts[i].Count == 0 {
			continue
		}
		if err := l.put(ctx, shardKey(byte(i)), encode(&l.parts[i])); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) putEntries(ctx context.Context) error { return l.putSorted(ctx, keyEntry, &l.entries) }
func (l *loader) putUses(ctx context.Context) error    { return l.putSorted(ctx, keyUse, &l.uses) }

func (l *loader) putMeta(ctx context.Context) error {
	return l.put(ctx, []byte(keyMeta), encode(&l.meta))
}

// putSorted writes what a sorter holds under keys of a kind, and empties it. Every
// key comes once, as every episode does.
func (l *loader) putSorted(ctx context.Context, kind string, s *sorter) error {
	err := s.each(func(key []byte, values [][]byte) error {
		return l.put(ctx, append([]byte(kind), key...), values[len(values)-1])
	})
	s.close()
	return err
}

// maxList is how many bytes the list of one word may have before it goes on in
// another: an update that takes an id away writes a list anew.
const maxList = 128 << 10

// wordLists are the ids of what has a word, by word.
type wordLists map[string]*[]byte

func (w wordLists) add(word string, id []byte) {
	list := w[word]
	if list == nil {
		list = new([]byte)
		w[word] = list
	}
	*list = append(*list, id...)
}

// putLists writes lists of ids of a size, in parts numbered as if batches had
// written them.
func (l *loader) putLists(ctx context.Context, kind string, w wordLists, size int) error {
	for _, word := range sortedKeys(w, strings.Compare) {
		batch := uint32(0)
		for part := range slices.Chunk(*w[word], maxList/size*size) {
			batch++
			if err := l.put(ctx, postingKey(kind, word, batch), part); err != nil {
				return err
			}
		}
	}
	return nil
}

// numberLists sets the number of the last batch to what no list reaches beyond.
func (l *loader) numberLists() error {
	points := 0
	err := l.points.each(func([]byte, [][]byte) error { points++; return nil })
	l.meta.Batch = uint32(1 + max(len(l.nodes)*len(nodeID{}), points*len(pointID{}))/maxList)
	return err
}
