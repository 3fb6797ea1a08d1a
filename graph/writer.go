package graph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/causal"
	"episodes/graph/engine"
)

// writer brings changes into an open generation, in transactions.
type writer struct {
	t       *transaction
	cayley  *quadStore // nil until needed, and after a transaction that failed
	meta    metaRecord
	changed changeSet // by all that was applied
	size    int       // changes that fit into one transaction

	// fresh: nobody else sees the generation before it is whole, so an episode that
	// does not fit into one transaction may take several.
	fresh   bool
	marks   map[causal.Mark]bool // of a fresh generation: all that it has
	noQuads bool                 // write records only
}

// batchSize is how many episodes are written together unless the caller says
// otherwise or they do not fit: enough to write a node that many of them share
// once, few enough to hold in memory.
const batchSize = 256

func (o Options) batchSize() int {
	if o.BatchSize > 0 {
		return o.BatchSize
	}
	return batchSize
}

// openWriter opens a generation that is in use.
func openWriter(ctx context.Context, kv flat.KV, r rules, opt Options) (*writer, error) {
	w := &writer{t: &transaction{kv: kv}, changed: newChangeSet(), size: opt.batchSize()}
	if err := w.t.begin(ctx, false); err != nil {
		return nil, err
	}
	defer w.t.cancel()
	var err error
	w.meta, err = readMeta(ctx, w.t, r)
	return w, err
}

// newWriter begins an empty graph in a database that nobody else sees yet.
func newWriter(ctx context.Context, kv flat.KV, r rules, opt Options) (*writer, error) {
	w := &writer{t: &transaction{kv: kv}, changed: newChangeSet(), size: opt.batchSize(), fresh: true, marks: map[causal.Mark]bool{}}
	w.meta.Format, w.meta.Keys = r.format, r.keys
	if err := w.t.begin(ctx, true); err != nil {
		return nil, err
	}
	defer w.t.cancel()
	head, err := cayleyHead()
	if err != nil {
		return nil, err
	}
	head[keyMeta] = encode(&w.meta)
	for k, v := range head {
		if err := w.t.put(ctx, []byte(k), v); err != nil {
			return nil, err
		}
	}
	return w, w.t.commit(ctx)
}

// errNotInOne is an episode that does not fit into one transaction.
var errNotInOne = errors.New("too large for one transaction")

// apply brings in changes, each of them whole or not at all. done is called after
// each transaction with how many of them are in for good.
func (w *writer) apply(ctx context.Context, changes []change, done func(n int)) error {
	for len(changes) > 0 {
		n := min(w.size, len(changes))
		err := w.applyOnce(ctx, changes[:n])
		switch {
		case errors.Is(err, engine.ErrTooBig) && n > 1:
			w.size = n / 2
			continue
		case errors.Is(err, engine.ErrTooBig):
			return fmt.Errorf("episode %q: %w", changes[0].entry.ID, errNotInOne)
		case err != nil:
			return err
		}
		done(n)
		changes = changes[n:]
	}
	return nil
}

// applyOnce is apply in one transaction.
func (w *writer) applyOnce(ctx context.Context, changes []change) (err error) {
	if err := w.begin(ctx); err != nil {
		return err
	}
	defer func() {
		w.t.cancel()
		if err != nil {
			w.cayley = nil
		}
	}()
	for i := range changes {
		if c := &changes[i]; c.stored {
			if c.old, err = readStored(ctx, w.t, c.entry.ID); err != nil {
				return err
			}
		}
	}
	b := newBatch(ctx, w.t, w.meta, changes)
	b.marks = w.marks
	if err := b.plan(); err != nil {
		return err
	}
	if err = b.write(w.cayley); err == nil {
		err = w.t.commit(ctx)
	}
	if w.fresh && len(changes) == 1 && errors.Is(err, engine.ErrTooBig) {
		w.t.cancel()
		w.cayley = nil
		err = w.writeInParts(b)
	}
	if err != nil {
		return err
	}
	w.meta = b.meta
	w.changed.add(b.changed)
	if w.fresh {
		for _, c := range changes {
			for _, m := range c.new.rec.Print.Marks() {
				w.marks[m] = true
			}
		}
	}
	return nil
}

// begin opens a write transaction, with Cayley over it.
func (w *writer) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.t.begin(ctx, true); err != nil {
		return err
	}
	if w.noQuads || w.cayley != nil {
		return nil
	}
	f, err := openCayley(w.t)
	if err != nil {
		w.t.cancel()
		return err
	}
	w.cayley = &f
	return nil
}

// How much one transaction takes of an episode that needs several: a small part of
// what any engine takes.
const (
	partQuads = 500
	partKeys  = 5000
	partBytes = 512 << 10
)

// writeInParts writes a batch in as many transactions as it takes.
func (w *writer) writeInParts(b *batch) error {
	in := func(write func() error) error {
		if err := w.begin(b.ctx); err != nil {
			return err
		}
		defer w.t.cancel()
		if err := write(); err != nil {
			return err
		}
		return w.t.commit(b.ctx)
	}
	if !w.noQuads {
		for part := range slices.Chunk(b.d.add, partQuads) {
			if err := in(func() error { return w.cayley.apply(part, nil) }); err != nil {
				return err
			}
		}
		for part := range slices.Chunk(b.d.del, partQuads) {
			if err := in(func() error { return w.cayley.apply(nil, part) }); err != nil {
				return err
			}
		}
	}
	keys := sortedKeys(b.writes, strings.Compare)
	for len(keys) > 0 {
		n, size := 0, 0
		for n < min(len(keys), partKeys) && (n == 0 || size < partBytes) {
			size += len(keys[n]) + len(b.writes[keys[n]])
			n++
		}
		if err := in(func() error { return b.writeKeys(keys[:n]) }); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

// differKeys calls fn for every key with a prefix that only now (+1) or only old
// (-1) has. Both transactions are open.
func differKeys(ctx context.Context, old, now *transaction, prefix string, fn func(k []byte, n int)) error {
	is := scanner(now.tx.Scan(ctx), []byte(prefix))
	defer is.Close()
	more := is.Next(ctx)
	err := old.scan(ctx, []byte(prefix), func(k, _ []byte) error {
		for ; more && bytes.Compare(is.Key(), k) < 0; more = is.Next(ctx) {
			fn(is.Key(), +1)
		}
		if more && bytes.Equal(is.Key(), k) {
			more = is.Next(ctx)
		} else {
			fn(k, -1)
		}
		return is.Err()
	})
	for ; more; more = is.Next(ctx) {
		fn(is.Key(), +1)
	}
	return errors.Join(err, is.Err())
}
