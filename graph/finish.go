package graph

import (
	"bytes"
	"context"
	"errors"

	"github.com/hidal-go/hidalgo/kv/flat"
)

// What finish gathers is written when it is so many entries, or when the list of
// one word has so many bytes.
const (
	maxGathered = 1 << 18
	maxList     = 128 << 10
)

// finish ends a new generation with what can be told only now, and would have had
// to be corrected all the time while the episodes came in: the words of the labels
// of nodes, since labels change, and the edges that enter a node, since they carry
// the frequency of their source.
func (w *writer) finish(ctx context.Context) error {
	for from := []byte(keyNode); from != nil; {
		g, err := w.gather(ctx, from)
		if err == nil {
			err = w.put(ctx, g)
		}
		if err != nil {
			return err
		}
		from = g.next
	}
	return w.wait()
}

// gathered is what comes of some nodes.
type gathered struct {
	posted map[string][]byte // by word
	edges  map[string][]byte // by key
	next   []byte            // the key of the node to go on with; nil when there is none
}

// gather reads nodes, beginning with a key, and beside them the edges that leave
// them, which are in the same order.
func (w *writer) gather(ctx context.Context, from []byte) (*gathered, error) {
	if err := w.t.begin(ctx, false); err != nil {
		return nil, err
	}
	defer w.t.cancel()
	out := scanner(w.t.tx.Scan(ctx), []byte(keyOut))
	defer out.Close()
	more := out.(flat.Seeker).Seek(ctx, append([]byte(keyOut), from[len(keyNode):]...))

	g := &gathered{posted: map[string][]byte{}, edges: map[string][]byte{}}
	n, longest := 0, 0
	err := w.t.scanFrom(ctx, []byte(keyNode), from, func(k, v []byte) error {
		if n >= maxGathered || longest >= maxList {
			g.next = bytes.Clone(k)
			return errEnough
		}
		var rec nodeRecord
		if err := decode(k, v, &rec); err != nil {
			return err
		}
		id := k[len(keyNode):]
		for _, word := range wordsOf(rec.label()) {
			g.posted[word] = append(g.posted[word], id...)
			longest = max(longest, len(g.posted[word]))
			n++
		}
		for ; more && bytes.HasPrefix(out.Key()[len(keyOut):], id); more = out.Next(ctx) {
			e, ok := outEdge(out.Key())
			s, err := decodeSupport(out.Key(), out.Val())
			if !ok || err != nil {
				return badKey(out.Key(), "not an edge")
			}
			g.edges[string(e.in())] = encodeCounts(s.Explicit, s.Implied, rec.carried())
			n++
		}
		return out.Err()
	})
	if err == errEnough {
		err = nil
	}
	return g, err
}

// errEnough ends a scan early.
var errEnough = errors.New("enough")

// put writes what was gathered.
func (w *writer) put(ctx context.Context, g *gathered) error {
	if err := w.t.begin(ctx, true); err != nil {
		return err
	}
	defer w.t.cancel()
	w.meta.Batch++
	for word, ids := range g.posted {
		if err := w.t.put(ctx, postingKey(keyWord, word, w.meta.Batch), ids); err != nil {
			return err
		}
	}
	for k, v := range g.edges {
		if err := w.t.put(ctx, []byte(k), v); err != nil {
			return err
		}
	}
	if err := w.t.put(ctx, []byte(keyMeta), encode(&w.meta)); err != nil {
		return err
	}
	return w.t.commit(ctx)
}
