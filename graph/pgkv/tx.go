package pgkv

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/hidal-go/hidalgo/kv/flat"
	"github.com/jackc/pgx/v5"

	"episodes/graph/engine"
)

// tx is a transaction. What it reads does not change while it lasts, so it is read once;
// what it writes is sent when it commits.
type tx struct {
	g       *generation
	rows    pgx.Tx                // where it reads
	own     pgx.Tx                // its own transaction; nil in a snapshot
	seen    map[string]flat.Value // what was read; nil: there is no such key
	changes map[string]flat.Value // nil value: deleted. nil map: read-only
	bytes   int                   // of changes
	done    bool
}

const (
	mostSeen    = 1 << 16   // keys
	mostChanged = 256 << 20 // bytes
	mostSent    = 16 << 20  // bytes of one statement
)

func (t *tx) usable(ctx context.Context) error {
	if t.done {
		return fmt.Errorf("transaction: %w", fs.ErrClosed)
	}
	return ctx.Err()
}

func (t *tx) Get(ctx context.Context, k flat.Key) (flat.Value, error) {
	values, err := t.GetBatch(ctx, []flat.Key{k})
	if err != nil {
		return nil, err
	}
	if values[0] == nil {
		return nil, flat.ErrNotFound
	}
	return values[0], nil
}

// GetBatch reads what is not known in one round trip.
func (t *tx) GetBatch(ctx context.Context, keys []flat.Key) ([]flat.Value, error) {
	if err := t.usable(ctx); err != nil {
		return nil, err
	}
	if len(t.seen)+len(keys) > mostSeen {
		clear(t.seen) // before it is known what of these was seen
	}
	var missing [][]byte
	for _, k := range keys {
		if _, known := t.known(k); !known {
			missing = append(missing, k)
		}
	}
	if len(missing) > 0 {
		if err := t.fetch(ctx, missing); err != nil {
			return nil, err
		}
	}
	out := make([]flat.Value, len(keys))
	for i, k := range keys {
		if v, _ := t.known(k); v != nil {
			out[i] = append(flat.Value{}, v...)
		}
	}
	return out, nil
}

// Prefetch reads keys that will be asked for.
func (t *tx) Prefetch(ctx context.Context, keys []flat.Key) error {
	_, err := t.GetBatch(ctx, keys)
	return err
}

func (t *tx) known(k []byte) (flat.Value, bool) {
	if v, ok := t.changes[string(k)]; ok {
		return v, true
	}
	v, ok := t.seen[string(k)]
	return v, ok
}

func (t *tx) fetch(ctx context.Context, keys [][]byte) error {
	for _, k := range keys {
		t.seen[string(k)] = nil
	}
	return t.query(ctx, func(k, v []byte) { t.seen[string(k)] = v }, "key = any($3)", keys)
}

// query calls fn with the rows that a condition picks.
func (t *tx) query(ctx context.Context, fn func(k, v []byte), where string, args ...any) error {
	t.g.mu.Lock()
	defer t.g.mu.Unlock()
	const from = "select key, value from episodes.graph_kv where project = $1 and generation = $2 and "
	rows, err := t.rows.Query(ctx, from+where, append([]any{t.g.project, t.g.number}, args...)...)
	if err != nil {
		return t.g.db.Failed("read", err)
	}
	var k, v []byte
	_, err = pgx.ForEachRow(rows, []any{&k, &v}, func() error {
		fn(k, v)
		return nil
	})
	return t.g.db.Failed("read", err)
}

func (t *tx) Put(ctx context.Context, k flat.Key, v flat.Value) error {
	return t.change(ctx, k, append(flat.Value{}, v...))
}

func (t *tx) Del(ctx context.Context, k flat.Key) error { return t.change(ctx, k, nil) }

func (t *tx) change(ctx context.Context, k flat.Key, v flat.Value) error {
	if err := t.usable(ctx); err != nil {
		return err
	}
	if t.changes == nil {
		return flat.ErrReadOnly
	}
	if t.bytes += len(k) + len(v); t.bytes > mostChanged {
		t.bytes -= len(k) + len(v)
		return engine.ErrTooBig
	}
	t.changes[string(k)] = v
	return nil
}

// Commit sends the changes and ends the transaction, in one round trip.
func (t *tx) Commit(ctx context.Context) error {
	if err := t.usable(ctx); err != nil {
		return err
	}
	defer t.Close()
	if len(t.changes) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	t.queue(batch)
	batch.Queue("commit")
	err := t.own.Conn().SendBatch(ctx, batch).Close()
	return t.g.db.Failed("write to", err)
}

// queue puts the changes into statements of bounded size, in the order of their keys, so
// that rows are locked in one order.
func (t *tx) queue(batch *pgx.Batch) {
	var gone, keys, values [][]byte
	size := 0
	flush := func() {
		if len(gone) > 0 {
			batch.Queue("delete from episodes.graph_kv where project = $1 and generation = $2 and key = any($3)", t.g.project, t.g.number, gone)
		}
		if len(keys) > 0 {
			batch.Queue("insert into episodes.graph_kv (project, generation, key, value) select $1, $2, k, v from unnest($3::bytea[], $4::bytea[]) as new (k, v) on conflict (project, generation, key) do update set value = excluded.value",
				t.g.project, t.g.number, keys, values)
		}
		gone, keys, values, size = nil, nil, nil, 0
	}
	for _, k := range slices.Sorted(maps.Keys(t.changes)) {
		v := t.changes[k]
		if v == nil {
			gone = append(gone, []byte(k))
		} else {
			keys, values = append(keys, []byte(k)), append(values, v)
		}
		if size += len(k) + len(v); size > mostSent {
			flush()
		}
	}
	flush()
}

// Close gives up what is not committed. A second call does nothing.
func (t *tx) Close() error {
	if !t.done && t.changes != nil {
		defer func() { <-t.g.turn }()
	}
	if !t.done && t.own != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closing)
		defer cancel()
		_ = t.own.Rollback(ctx) // after a commit there is nothing to roll back
	}
	t.done = true
	return nil
}

func (t *tx) Scan(_ context.Context, opts ...flat.IteratorOption) flat.Iterator {
	return flat.ApplyIteratorOptions(&iterator{tx: t}, opts)
}

// changed is a page of what is stored from one key up to another, or without an end, as the
// transaction has changed it.
func (t *tx) changed(page []pair, from, end []byte) []pair {
	if len(t.changes) == 0 {
		return page
	}
	page = slices.DeleteFunc(page, func(p pair) bool {
		_, changed := t.changes[string(p.key)]
		return changed
	})
	for k, v := range t.changes {
		if v != nil && k >= string(from) && (end == nil || k < string(end)) {
			page = append(page, pair{[]byte(k), v})
		}
	}
	slices.SortFunc(page, func(a, b pair) int { return bytes.Compare(a.key, b.key) })
	return page
}
