package badgerkv

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	badger "github.com/dgraph-io/badger/v4"
	"github.com/hidal-go/hidalgo/kv/flat"
)

// tx is a flat.Tx.
type tx struct {
	db     *DB
	b      *badger.Txn
	rw     bool
	writes int   // calls that changed something, so that iterators see it
	bytes  int64 // what they brought

	done atomic.Bool
	mu   sync.Mutex             // guards the rest: readers may share it
	its  map[*iterator]struct{} // must close before the transaction
}

func newTx(db *DB, rw bool) *tx {
	return &tx{db: db, b: db.b.NewTransaction(rw), rw: rw}
}

// usable returns the error for a use after the end.
func (t *tx) usable() error {
	if t.done.Load() {
		return errClosed("transaction")
	}
	if t.db.b.IsClosed() {
		return errClosed("database")
	}
	return nil
}

// finish closes the iterators, runs last if this is the first end, and lets the
// next writer in.
func (t *tx) finish(last func() error) error {
	t.mu.Lock()
	if t.done.Swap(true) {
		t.mu.Unlock()
		return errClosed("transaction")
	}
	its := t.its
	t.its = nil
	t.mu.Unlock()

	for it := range its {
		it.release()
	}
	if t.rw {
		defer func() { <-t.db.writer }()
	}
	if t.db.b.IsClosed() {
		return errClosed("database")
	}
	defer t.b.Discard()
	return last()
}

// Commit writes the changes, all or none, and ends the transaction, also when it
// fails. Errors: the error of ctx, ErrFull, fs.ErrClosed.
func (t *tx) Commit(ctx context.Context) error {
	return t.finish(func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if t.writes == 0 {
			return nil
		}
		doing := fmt.Sprintf("commit to %q", t.db.dir)
		// A long load fills the disk after Open looked at it.
		if t.db.unseen += t.bytes; t.db.unseen > spaceEvery {
			if err := checkSpace(t.db.dir); err != nil {
				return fmt.Errorf("%s: %w", doing, err)
			}
			t.db.unseen = 0
		}
		if err := t.b.Commit(); err != nil {
			return engineError(doing, err)
		}
		return nil
	})
}

// Close gives up what is not committed and closes the iterators. A second call,
// or one after Commit, does nothing.
func (t *tx) Close() error {
	_ = t.finish(func() error { return nil })
	return nil
}

// Get returns a copy of the value of key, never nil, or flat.ErrNotFound. There
// is no value for the empty key.
func (t *tx) Get(ctx context.Context, key flat.Key) (_ flat.Value, err error) {
	defer guardRead(&err, key)
	if err := t.usable(); err != nil {
		return nil, err
	}
	if len(key) == 0 {
		return nil, flat.ErrNotFound
	}
	item, err := t.b.Get(key)
	if err == badger.ErrKeyNotFound { // often; a message would cost more than the search
		return nil, flat.ErrNotFound
	}
	if err != nil {
		return nil, engineError(fmt.Sprintf("get %q", key), err)
	}
	return valueOf(item)
}

// GetBatch returns the values of keys. The value of a missing key is nil.
func (t *tx) GetBatch(ctx context.Context, keys []flat.Key) ([]flat.Value, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return flat.GetBatch(ctx, t, keys)
}

// Put sets the value of key. It keeps no reference to either.
// Errors: flat.ErrReadOnly, ErrTooBig; an empty key and keys that begin with
// "!badger!" are refused.
func (t *tx) Put(ctx context.Context, key flat.Key, v flat.Value) error {
	if err := t.change("put", key); err != nil {
		return err
	}
	if len(v) > valueLogSize {
		return fmt.Errorf("put %q: %w: a value of %d bytes, at most %d", key, ErrTooBig, len(v), valueLogSize)
	}
	// Badger reads both again at commit; the caller may have reused them by then.
	own := make([]byte, len(key)+len(v))
	n := copy(own, key)
	copy(own[n:], v)
	if err := t.b.Set(own[:n:n], own[n:]); err != nil {
		return engineError(fmt.Sprintf("put %q", key), err)
	}
	t.writes++
	t.bytes += int64(len(own))
	return nil
}

// Del removes key; there need not be one. Errors as with Put.
func (t *tx) Del(ctx context.Context, key flat.Key) error {
	if err := t.change("delete", key); err != nil {
		return err
	}
	if err := t.b.Delete(key.Clone()); err != nil {
		return engineError(fmt.Sprintf("delete %q", key), err)
	}
	t.writes++
	t.bytes += int64(len(key))
	return nil
}

// change says whether the transaction may change key.
func (t *tx) change(verb string, key flat.Key) error {
	if !t.rw {
		return flat.ErrReadOnly
	}
	if err := t.usable(); err != nil {
		return err
	}
	// Badger's own error carries a dump of the key.
	if len(key) > maxKey {
		return fmt.Errorf("%s: %w: a key of %d bytes, at most %d", verb, ErrTooBig, len(key), maxKey)
	}
	return nil
}

// Scan returns an iterator over the keys in order.
func (t *tx) Scan(ctx context.Context, opts ...flat.IteratorOption) flat.Iterator {
	return flat.ApplyIteratorOptions(&iterator{tx: t}, opts)
}
