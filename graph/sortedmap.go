package graph

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/hidal-go/hidalgo/kv/flat"
)

// sortedMap is a key-value store in memory: a map, and its keys in order as of
// the last scan. (hidalgo has a tree for this, which panics when a key smaller
// than all of a full leaf goes to the leaf before.)
//
// Transactions write at once and can be given up: what they changed is put back.
// One writer works alone; the locks of memoryStore see to that.
type sortedMap struct {
	mu     sync.Mutex // guards all but the values, which only a writer changes
	values map[string]flat.Value
	keys   []string        // in order, with those in gone
	fresh  []string        // not yet in keys
	gone   map[string]bool // removed from values, still in keys or fresh
	size   int64
}

var (
	_ keyValues = (*sortedMap)(nil)
	_ sink      = (*sortedMap)(nil)
)

func newSortedMap() *sortedMap {
	return &sortedMap{values: map[string]flat.Value{}, gone: map[string]bool{}}
}

func (m *sortedMap) Close() error  { return nil }
func (m *sortedMap) Verify() error { return nil }

// Size is the length of all keys and values.
func (m *sortedMap) Size() (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size, nil
}

// Put sets a value without a transaction.
func (m *sortedMap) Put(key, value []byte) error {
	m.set(string(key), append(flat.Value{}, value...))
	return nil
}

func (m *sortedMap) Cancel() {}

func (m *sortedMap) Tx(ctx context.Context, rw bool) (flat.Tx, error) {
	tx := &mapTx{m: m}
	if rw {
		tx.before = map[string]flat.Value{}
	}
	return tx, ctx.Err()
}

func (m *sortedMap) View(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.View(ctx, m, fn)
}

func (m *sortedMap) Update(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.Update(ctx, m, fn)
}

// set sets a value, or removes it when it is nil.
func (m *sortedMap) set(k string, v flat.Value) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old, had := m.values[k]
	if had {
		m.size -= int64(len(k) + len(old))
	}
	if v == nil {
		if had {
			delete(m.values, k)
			m.gone[k] = true
		}
		return
	}
	m.values[k] = v
	m.size += int64(len(k) + len(v))
	switch {
	case had:
	case m.gone[k]:
		delete(m.gone, k)
	default:
		m.fresh = append(m.fresh, k)
	}
}

// ordered returns the keys in order.
func (m *sortedMap) ordered() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.fresh)+len(m.gone) == 0 {
		return m.keys
	}
	slices.Sort(m.fresh)
	old, fresh := m.keys, m.fresh
	merged := make([]string, 0, len(m.values)) // iterators still hold the old ones
	for len(old)+len(fresh) > 0 {
		from := &old
		if len(old) == 0 || len(fresh) > 0 && fresh[0] < old[0] {
			from = &fresh
		}
		k := (*from)[0]
		*from = (*from)[1:]
		if !m.gone[k] {
			merged = append(merged, k)
		}
	}
	m.keys, m.fresh, m.gone = merged, nil, map[string]bool{}
	return merged
}

// mapTx is a transaction.
type mapTx struct {
	m      *sortedMap
	before map[string]flat.Value // what it changed, as it was; nil when it may not
}

func (tx *mapTx) Get(ctx context.Context, k flat.Key) (flat.Value, error) {
	v, ok := tx.m.values[string(k)]
	if !ok {
		return nil, flat.ErrNotFound
	}
	return v.Clone(), nil
}

func (tx *mapTx) GetBatch(ctx context.Context, keys []flat.Key) ([]flat.Value, error) {
	return flat.GetBatch(ctx, tx, keys)
}

func (tx *mapTx) Put(ctx context.Context, k flat.Key, v flat.Value) error {
	return tx.change(string(k), append(flat.Value{}, v...))
}

func (tx *mapTx) Del(ctx context.Context, k flat.Key) error { return tx.change(string(k), nil) }

func (tx *mapTx) change(k string, v flat.Value) error {
	if tx.before == nil {
		return flat.ErrReadOnly
	}
	if _, again := tx.before[k]; !again {
		tx.before[k] = tx.m.values[k]
	}
	tx.m.set(k, v)
	return nil
}

func (tx *mapTx) Commit(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	tx.before = nil
	return nil
}

func (tx *mapTx) Close() error {
	for k, v := range tx.before {
		tx.m.set(k, v)
	}
	tx.before = nil
	return nil
}

func (tx *mapTx) Scan(ctx context.Context, opts ...flat.IteratorOption) flat.Iterator {
	return flat.ApplyIteratorOptions(&mapIterator{tx: tx, at: -1}, opts)
}

// mapIterator walks the keys as they were when it was made or last moved to a key.
type mapIterator struct {
	tx     *mapTx
	prefix string
	keys   []string
	at     int
}

var (
	_ flat.Seeker         = (*mapIterator)(nil)
	_ flat.PrefixIterator = (*mapIterator)(nil)
)

func (it *mapIterator) WithPrefix(prefix flat.Key) flat.Iterator {
	it.prefix = string(prefix)
	it.Reset()
	return it
}

func (it *mapIterator) Reset() { it.keys, it.at = nil, -1 }

func (it *mapIterator) Seek(ctx context.Context, k flat.Key) bool {
	it.keys = it.tx.m.ordered()
	it.at, _ = slices.BinarySearch(it.keys, max(string(k), it.prefix))
	return it.valid()
}

func (it *mapIterator) Next(ctx context.Context) bool {
	if it.at < 0 {
		return it.Seek(ctx, flat.Key(it.prefix))
	}
	it.at++
	return it.valid()
}

func (it *mapIterator) valid() bool {
	return it.at >= 0 && it.at < len(it.keys) && strings.HasPrefix(it.keys[it.at], it.prefix)
}

func (it *mapIterator) Key() flat.Key {
	if !it.valid() {
		return nil
	}
	return flat.Key(it.keys[it.at])
}

func (it *mapIterator) Val() flat.Value {
	if !it.valid() {
		return nil
	}
	return it.tx.m.values[it.keys[it.at]].Clone()
}

func (it *mapIterator) Err() error   { return nil }
func (it *mapIterator) Close() error { return nil }
