// Package memkv is an engine in memory, which keeps the contract of package engine
// as one on disk does: for tests, and for a graph that nobody keeps. Its stores
// live as long as the process, each under its name.
package memkv

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"github.com/hidal-go/hidalgo/kv/flat"
)

var _ flat.KV = (*KV)(nil)

// KV is a key-value database in memory. What is committed is a sorted list that
// never changes: a transaction keeps the list of its beginning, and a commit
// makes a new one. Its zero value is not usable; New makes an empty one.
type KV struct {
	committed atomic.Pointer[[]pair]
	writer    chan struct{} // holds one token while a write transaction is open
}

type pair struct {
	key   string
	value flat.Value
}

// New returns an empty database.
func New() *KV {
	kv := &KV{writer: make(chan struct{}, 1)}
	kv.committed.Store(&[]pair{})
	return kv
}

// Close does nothing: a database in memory ends when nobody refers to it.
func (kv *KV) Close() error { return nil }

// Verify returns nil: memory has no checksums.
func (kv *KV) Verify() error { return nil }

// Size is the length of all keys and values.
func (kv *KV) Size() (n int64, err error) {
	for _, p := range *kv.committed.Load() {
		n += int64(len(p.key) + len(p.value))
	}
	return n, nil
}

// Tx starts a transaction. For a write transaction it waits until the one before
// has ended, or ctx is done.
func (kv *KV) Tx(ctx context.Context, rw bool) (flat.Tx, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := &tx{kv: kv}
	if rw {
		select {
		case kv.writer <- struct{}{}:
			t.changes = map[string]flat.Value{}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	t.pairs = *kv.committed.Load()
	return t, nil
}

// View runs fn in a read transaction.
func (kv *KV) View(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.View(ctx, kv, fn)
}

// Update runs fn in a write transaction and commits it when fn returns nil.
func (kv *KV) Update(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.Update(ctx, kv, fn)
}

// tx is a transaction.
type tx struct {
	kv      *KV
	pairs   []pair                // sorted, as of the last merge
	changes map[string]flat.Value // not yet in pairs; nil value: deleted. nil map: read-only
	done    bool
}

func (t *tx) usable() error {
	if t.done {
		return fmt.Errorf("transaction: %w", fs.ErrClosed)
	}
	return nil
}

func (t *tx) Get(_ context.Context, k flat.Key) (flat.Value, error) {
	if err := t.usable(); err != nil {
		return nil, err
	}
	v, changed := t.changes[string(k)]
	if !changed {
		if i := search(t.pairs, string(k)); i < len(t.pairs) && t.pairs[i].key == string(k) {
			v = t.pairs[i].value
		}
	}
	if v == nil {
		return nil, flat.ErrNotFound
	}
	return v.Clone(), nil
}

// search returns the index of the first pair that does not come before k.
func search(pairs []pair, k string) int {
	return sort.Search(len(pairs), func(i int) bool { return pairs[i].key >= k })
}

func (t *tx) GetBatch(ctx context.Context, keys []flat.Key) ([]flat.Value, error) {
	return flat.GetBatch(ctx, t, keys)
}

func (t *tx) Put(_ context.Context, k flat.Key, v flat.Value) error {
	return t.change(k, append(flat.Value{}, v...))
}

func (t *tx) Del(_ context.Context, k flat.Key) error { return t.change(k, nil) }

func (t *tx) change(k flat.Key, v flat.Value) error {
	if err := t.usable(); err != nil {
		return err
	}
	if t.changes == nil {
		return flat.ErrReadOnly
	}
	t.changes[string(k)] = v
	return nil
}

// merged returns all pairs in order, with the changes in them.
func (t *tx) merged() []pair {
	if len(t.changes) == 0 {
		return t.pairs
	}
	keys := slices.Sorted(maps.Keys(t.changes))
	out := make([]pair, 0, len(t.pairs)+len(keys))
	rest := t.pairs
	for _, k := range keys {
		i := search(rest, k)
		out = append(out, rest[:i]...)
		if rest = rest[i:]; len(rest) > 0 && rest[0].key == k {
			rest = rest[1:]
		}
		if v := t.changes[k]; v != nil {
			out = append(out, pair{k, v})
		}
	}
	t.pairs = append(out, rest...)
	clear(t.changes)
	return t.pairs
}

// Commit writes the changes, all or none, and ends the transaction.
func (t *tx) Commit(ctx context.Context) error {
	if err := t.usable(); err != nil {
		return err
	}
	defer t.Close()
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.changes != nil {
		pairs := t.merged()
		t.kv.committed.Store(&pairs)
	}
	return nil
}

// Close gives up what is not committed. A second call does nothing.
func (t *tx) Close() error {
	if !t.done && t.changes != nil {
		<-t.kv.writer
	}
	t.done = true
	return nil
}

func (t *tx) Scan(_ context.Context, opts ...flat.IteratorOption) flat.Iterator {
	return flat.ApplyIteratorOptions(&iterator{tx: t, at: -1}, opts)
}

var (
	_ flat.Seeker         = (*iterator)(nil)
	_ flat.PrefixIterator = (*iterator)(nil)
)

// iterator walks the pairs as they were when it was first moved, or last sought.
type iterator struct {
	tx     *tx
	prefix string
	pairs  []pair
	at     int // -1: before the first
	err    error
}

func (it *iterator) WithPrefix(prefix flat.Key) flat.Iterator {
	it.prefix = string(prefix)
	it.Reset()
	return it
}

func (it *iterator) Reset() { it.pairs, it.at, it.err = nil, -1, nil }

func (it *iterator) Seek(ctx context.Context, k flat.Key) bool {
	it.Reset()
	it.at = 0
	if !it.usable(ctx) {
		return false
	}
	it.pairs = it.tx.merged()
	it.at = search(it.pairs, max(string(k), it.prefix))
	return it.valid()
}

func (it *iterator) Next(ctx context.Context) bool {
	if it.at < 0 {
		return it.Seek(ctx, flat.Key(it.prefix))
	}
	if !it.usable(ctx) || !it.valid() {
		return false
	}
	it.at++
	return it.valid()
}

func (it *iterator) usable(ctx context.Context) bool {
	if it.err == nil {
		it.err = it.tx.usable()
	}
	if it.err == nil {
		it.err = ctx.Err()
	}
	return it.err == nil
}

func (it *iterator) valid() bool {
	return it.at >= 0 && it.at < len(it.pairs) && strings.HasPrefix(it.pairs[it.at].key, it.prefix)
}

func (it *iterator) Key() flat.Key {
	if !it.valid() {
		return nil
	}
	return flat.Key(it.pairs[it.at].key)
}

func (it *iterator) Val() flat.Value {
	if !it.valid() {
		return nil
	}
	return it.pairs[it.at].value.Clone()
}

func (it *iterator) Err() error   { return it.err }
func (it *iterator) Close() error { return it.err }
