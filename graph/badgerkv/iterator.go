package badgerkv

import (
	"bytes"
	"context"

	badger "github.com/dgraph-io/badger/v4"
	"github.com/hidal-go/hidalgo/kv/flat"
)

var (
	_ flat.Seeker         = (*iterator)(nil)
	_ flat.PrefixIterator = (*iterator)(nil)
)

// iterator walks the keys of a transaction in order, or those with a prefix. It
// shows the writes that the transaction made before the first Next, the last
// Reset, or the last Seek; later ones only after the next of these.
//
// Badger's iterator under it is made late: only then is the prefix known, which
// spares it the tables that cannot hold it.
type iterator struct {
	tx      *tx
	pref    flat.Key
	b       *badger.Iterator
	item    *badger.Item // nil before the first and after the last key
	started bool
	closed  bool
	seen    int // tx.writes when b was made
	err     error
}

// WithPrefix limits the iterator to keys that begin with pref and puts it back
// before the first.
func (it *iterator) WithPrefix(pref flat.Key) flat.Iterator {
	it.Reset()
	it.drop()
	it.pref = pref.Clone()
	return it
}

// Reset puts the iterator back before the first key.
func (it *iterator) Reset() {
	it.started = false
	it.item = nil
	it.err = nil
}

// Next moves to the next key. It returns false after the last one and on an
// error, which is then in Err.
func (it *iterator) Next(ctx context.Context) bool {
	if !it.started {
		return it.Seek(ctx, it.pref)
	}
	if it.item == nil || !it.usable(ctx) {
		it.item = nil
		return false
	}
	defer guardRead(&it.err, it.item.Key())
	it.item = nil
	it.b.Next()
	return it.take()
}

// take takes the item at which Badger's iterator is.
func (it *iterator) take() bool {
	if it.b.Valid() {
		it.item = it.b.Item()
	}
	return it.item != nil
}

// Seek moves to key or, when it is not there, to the next one. With a prefix it
// never leaves the keys that have it.
func (it *iterator) Seek(ctx context.Context, key flat.Key) bool {
	it.Reset()
	it.started = true
	if !it.usable(ctx) {
		return false
	}
	if it.seen != it.tx.writes {
		it.drop()
	}
	if it.b == nil && !it.open() {
		return false
	}
	// Badger gives up at a key before the prefix instead of going on to it.
	if bytes.Compare(key, it.pref) < 0 {
		key = it.pref
	}
	defer guardRead(&it.err, key)
	it.b.Seek(key)
	return it.take()
}

func (it *iterator) usable(ctx context.Context) bool {
	switch {
	case it.err != nil:
	case it.closed:
		it.err = errClosed("iterator")
	default:
		if it.err = it.tx.usable(); it.err == nil {
			it.err = ctx.Err()
		}
	}
	return it.err == nil
}

// open asks Badger for an iterator and enters this one in its transaction.
func (it *iterator) open() bool {
	t := it.tx
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done.Load() {
		it.err = errClosed("transaction")
		return false
	}
	// Values are stored with their keys, so prefetching them in goroutines costs more than
	// it saves.
	it.b = t.b.NewIterator(badger.IteratorOptions{Prefix: it.pref})
	it.seen = t.writes
	if t.its == nil {
		t.its = map[*iterator]struct{}{}
	}
	t.its[it] = struct{}{}
	return true
}

// drop gives Badger's iterator back; the next Seek makes another.
func (it *iterator) drop() {
	it.tx.mu.Lock()
	delete(it.tx.its, it)
	it.tx.mu.Unlock()
	if it.b != nil {
		it.b.Close()
		it.b = nil
	}
	it.item = nil
}

// release is Close for a transaction that ends.
func (it *iterator) release() {
	it.closed = true
	it.drop()
}

// Key returns the current key, valid until the iterator moves, or nil.
func (it *iterator) Key() flat.Key {
	if it.item == nil {
		return nil
	}
	return it.item.Key()
}

// Val returns a copy of the current value, or nil. A value that cannot be read
// is nil too, and Err says why.
func (it *iterator) Val() flat.Value {
	if it.item == nil || it.err != nil {
		return nil
	}
	if it.err = it.tx.usable(); it.err != nil {
		return nil
	}
	defer guardRead(&it.err, it.item.Key())
	v, err := valueOf(it.item)
	it.err = err
	return v
}

// Err returns the first error since the last Reset or Seek.
func (it *iterator) Err() error { return it.err }

// Close ends the iterator and returns Err.
func (it *iterator) Close() error {
	err := it.err
	if !it.closed {
		it.release()
	}
	return err
}
