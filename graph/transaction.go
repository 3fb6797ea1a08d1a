package graph

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/hidal-go/hidalgo/kv/flat"
)

// transaction is the one transaction in which a batch writes everything: what
// Cayley writes and the records of this package. So no death of the process can
// part the two.
type transaction struct {
	kv flat.KV
	tx flat.Tx // nil when none is open
	// failed is the last error of the engine in what Cayley asked of it; nil: none.
	failed atomic.Pointer[error]
}

// begin opens the transaction.
func (t *transaction) begin(ctx context.Context, rw bool) (err error) {
	t.failed.Store(nil)
	t.tx, err = t.kv.Tx(ctx, rw)
	return err
}

// commit writes the transaction, or nothing of it, and ends it.
func (t *transaction) commit(ctx context.Context) error {
	tx := t.tx
	t.tx = nil
	return tx.Commit(ctx)
}

// cancel gives up what is not committed. It may be called at any time.
func (t *transaction) cancel() {
	if t.tx != nil {
		_ = t.tx.Close()
		t.tx = nil
	}
}

func (t *transaction) put(ctx context.Context, k, v []byte) error { return t.tx.Put(ctx, k, v) }
func (t *transaction) del(ctx context.Context, k []byte) error    { return t.tx.Del(ctx, k) }

// get returns the value of k, or nil.
func (t *transaction) get(ctx context.Context, k []byte) ([]byte, error) {
	v, err := t.tx.Get(ctx, k)
	if err == flat.ErrNotFound {
		return nil, nil
	}
	return v, err
}

// scan calls fn for every key that begins with prefix, in order. Neither slice
// may be kept.
func (t *transaction) scan(ctx context.Context, prefix []byte, fn func(k, v []byte) error) error {
	it := scanner(t.tx.Scan(ctx), prefix)
	defer it.Close()
	for it.Next(ctx) {
		k, v := it.Key(), it.Val()
		if err := it.Err(); err != nil {
			return err
		}
		if err := fn(k, v); err != nil {
			return err
		}
	}
	return it.Err()
}

// scanner limits an iterator to a prefix. Both stores know how to.
func scanner(it flat.Iterator, prefix []byte) flat.Iterator {
	return it.(flat.PrefixIterator).WithPrefix(prefix)
}

// sharedKV is the transaction as Cayley sees it: a whole database, whose transactions
// all are this one and leave its end to its owner.
type sharedKV struct{ t *transaction }

var _ flat.KV = sharedKV{}

func (v sharedKV) Close() error { return nil }

func (v sharedKV) Tx(ctx context.Context, rw bool) (flat.Tx, error) {
	if v.t.tx == nil {
		return nil, errNoTransaction
	}
	return sharedTx(v), nil
}

func (v sharedKV) View(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.View(ctx, v, fn)
}

func (v sharedKV) Update(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.Update(ctx, v, fn)
}

var errNoTransaction = errors.New("no transaction is open")

type sharedTx struct{ t *transaction }

func (v sharedTx) Commit(ctx context.Context) error { return nil }
func (v sharedTx) Close() error                     { return nil }

// noted keeps an error of the engine.
func (v sharedTx) noted(err error) error {
	if err != nil && err != flat.ErrNotFound {
		v.t.failed.Store(&err)
	}
	return err
}

func (v sharedTx) Get(ctx context.Context, k flat.Key) (flat.Value, error) {
	value, err := v.t.tx.Get(ctx, k)
	return value, v.noted(err)
}

func (v sharedTx) GetBatch(ctx context.Context, keys []flat.Key) ([]flat.Value, error) {
	values, err := v.t.tx.GetBatch(ctx, keys)
	return values, v.noted(err)
}

func (v sharedTx) Put(ctx context.Context, k flat.Key, val flat.Value) error {
	return v.noted(v.t.tx.Put(ctx, k, val))
}

func (v sharedTx) Del(ctx context.Context, k flat.Key) error {
	return v.noted(v.t.tx.Del(ctx, k))
}

func (v sharedTx) Scan(ctx context.Context, opts ...flat.IteratorOption) flat.Iterator {
	return v.t.tx.Scan(ctx, opts...)
}
