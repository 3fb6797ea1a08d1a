package graph

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"github.com/cayleygraph/cayley/graph"
	"github.com/cayleygraph/cayley/graph/iterator"
	"github.com/cayleygraph/cayley/graph/kv"
	"github.com/cayleygraph/cayley/graph/proto"
	"github.com/cayleygraph/cayley/graph/refs"
	"github.com/cayleygraph/quad"
	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/graph/engine"
)

// quadIndex is the only index that Cayley keeps here. It holds whole quads, so
// each of its entries lists one quad: Cayley's own choice, (subject, predicate),
// makes one list per node that grows with every mention and is rewritten each
// time. What leads to a node is in this package's own records.
var quadIndex = kv.QuadIndex{Dirs: []quad.Direction{quad.Subject, quad.Predicate, quad.Object, quad.Label}}

// cayleyVersion is the version of Cayley's own layout, as kv.Init writes it.
const cayleyVersion = 2

// cayleyHead is what kv.Init would write, with our index. kv.Init has no parameter
// for that, and fails when the environment holds CAYLEY_KV_INDEXES.
func cayleyHead() (map[string][]byte, error) {
	indexes, err := json.Marshal([]kv.QuadIndex{quadIndex})
	return map[string][]byte{
		"meta/version": binary.LittleEndian.AppendUint64(nil, cayleyVersion),
		"meta/indexes": indexes,
	}, err
}

// quadStore is Cayley over a transaction.
type quadStore struct {
	qs *kv.QuadStore
	t  *transaction
}

// openCayley opens Cayley over t, which must have a transaction open now and
// whenever the result is used. After a transaction that was not committed the
// result is void: it remembers values that are not there.
func openCayley(t *transaction) (_ quadStore, err error) {
	defer t.guard(&err)
	qs, err := kv.New(flat.Upgrade(sharedKV{t}), graph.Options{kv.OptNoBloom: true})
	if err != nil {
		return quadStore{}, t.cayleyError(err)
	}
	return quadStore{qs.(*kv.QuadStore), t}, nil
}

// apply adds and removes quads. Every added one must be missing and every
// removed one there: Cayley counts references wrongly otherwise.
//
// It never does both at once. Where one call removes more uses of a value than it
// adds, Cayley forgets that value in the quads that it adds.
func (q quadStore) apply(add, del []quad.Quad) error {
	if err := q.deltas(graph.Add, add); err != nil {
		return err
	}
	return q.deltas(graph.Delete, del)
}

func (q quadStore) deltas(action graph.Procedure, quads []quad.Quad) (err error) {
	defer q.t.guard(&err)
	if len(quads) == 0 {
		return nil
	}
	deltas := make([]graph.Delta, len(quads))
	for i, q := range quads {
		deltas[i] = graph.Delta{Quad: q, Action: action}
	}
	return q.t.cayleyError(q.qs.ApplyDeltas(deltas, graph.IgnoreOpts{}))
}

// cayleyError maps an error of Cayley to one of this package. Errors of the engine, the
// system or the caller's context are kept, even if Cayley reports only their text. All other
// errors mean damage: a value that cannot be decoded, or a missing key or quad.
func (t *transaction) cayleyError(err error) error {
	if err == nil {
		return nil
	}
	if failed := t.failed.Load(); failed != nil {
		return fmt.Errorf("cayley: %w", *failed)
	}
	for _, known := range []error{context.Canceled, context.DeadlineExceeded, fs.ErrClosed, fs.ErrPermission,
		engine.ErrFull, engine.ErrTooBig, engine.ErrVersion, ErrTooLarge} {
		if errors.Is(err, known) {
			return fmt.Errorf("cayley: %w", err)
		}
	}
	if _, ok := errors.AsType[syscall.Errno](err); ok {
		return fmt.Errorf("cayley: %w", err)
	}
	return fmt.Errorf("%w: cayley: %w", ErrDamaged, err)
}

// guard turns a panic of Cayley's, or of the decoders that it calls, into ErrDamaged.
// They take what they read for what Cayley wrote, and know no error for what cannot
// be; nothing of theirs outlives the transaction, which an error ends, so there is
// no state that a panic could leave behind half changed.
func (t *transaction) guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: cayley: what it read makes no sense", ErrDamaged)
	}
}

// with calls fn for every quad that begins with the given values, of which there
// are up to three: subject, predicate, object. Only the directions in want are
// resolved to names.
func (q quadStore) with(ctx context.Context, want []quad.Direction, fn func(vals []quad.Value) error,
	begin ...quad.Value) (err error) {
	defer q.t.guard(&err)
	ids := make([]uint64, 0, len(begin))
	for _, v := range begin {
		ref, err := q.qs.ValueOf(v)
		if err != nil {
			return q.t.cayleyError(err)
		}
		if ref == nil {
			return nil // not a value of any quad
		}
		ids = append(ids, uint64(ref.(kv.Int64Value)))
	}
	it := kv.IndexScan{Index: quadIndex, Values: ids}.BuildIterator(q.qs).Iterate()
	return q.resolve(ctx, it, want, fn)
}

// resolve calls fn with the names in the wanted directions of every quad of it.
// It fetches many names at once, and none that it still knows: Cayley's Quad() takes
// four reads for each quad, and predicates and episodes come again and again.
func (q quadStore) resolve(ctx context.Context, it iterator.Scanner, want []quad.Direction,
	fn func(vals []quad.Value) error) (err error) {
	defer q.t.guard(&err)
	defer it.Close()
	const most, keep = 256, 64 << 10 // names fetched at once, and kept
	names := map[kv.Int64Value]quad.Value{}
	var ids []kv.Int64Value // of quads that wait
	var missing []refs.Ref
	flush := func() error {
		found, err := q.qs.ValuesOf(ctx, missing)
		if err != nil {
			return q.t.cayleyError(err)
		}
		for i, ref := range missing {
			names[ref.(kv.Int64Value)] = found[i]
		}
		for row := range slices.Chunk(ids, len(want)) {
			vals := make([]quad.Value, len(row))
			for i, id := range row {
				vals[i] = names[id]
			}
			if err := fn(vals); err != nil {
				return err
			}
		}
		ids, missing = ids[:0], missing[:0]
		if len(names) > keep {
			clear(names)
		}
		return nil
	}
	for it.Next(ctx) {
		p, ok := it.Result().(*proto.Primitive)
		if !ok {
			return fmt.Errorf("%w: cayley: %T is no quad", ErrDamaged, it.Result())
		}
		for _, d := range want {
			id := kv.Int64Value(p.GetDirection(d))
			if _, known := names[id]; !known {
				names[id] = nil // until it is fetched
				missing = append(missing, id)
			}
			ids = append(ids, id)
		}
		if len(missing) >= most || len(ids) >= 16*most {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := it.Err(); err != nil {
		return q.t.cayleyError(err)
	}
	return flush()
}

// logged calls fn with every quad of Cayley's log.
func (q quadStore) logged(ctx context.Context, fn func(vals []quad.Value) error) error {
	return q.resolve(ctx, q.qs.QuadsAllIterator().Iterate(), quad.Directions, fn)
}

// text is the bare text of a value, or "" for one that this package never writes.
func text(v quad.Value) string {
	switch v := v.(type) {
	case quad.IRI:
		return string(v)
	case quad.String:
		return string(v)
	}
	return ""
}
