package graph

import (
	"context"
	"errors"

	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/graph/badgerkv"
)

// behind is a store whose transactions are written while the next one is made
// ready: a commit hands its writes over and returns. So what was committed is
// safe only after wait, and a transaction may be written in parts. Both are right
// for a generation that nobody reads before it is whole, and there the writing is
// half of the time.
//
// One goroutine uses it, for one transaction after another. Such a transaction
// cannot be scanned.
type behind struct {
	kv      flat.KV
	writing map[string]flat.Value // what is being written; nil values delete
	done    chan error            // gives the outcome of that, once
	err     error                 // the first failure
}

// wait returns when everything committed is written.
func (b *behind) wait() error {
	if b.done != nil {
		if err := <-b.done; b.err == nil {
			b.err = err
		}
		b.done, b.writing = nil, nil
	}
	return b.err
}

func (b *behind) Close() error { return b.wait() }

func (b *behind) View(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.View(ctx, b, fn)
}

func (b *behind) Update(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.Update(ctx, b, fn)
}

// Tx begins a transaction. One for reading sees everything, so it waits.
func (b *behind) Tx(ctx context.Context, rw bool) (flat.Tx, error) {
	if !rw {
		if err := b.wait(); err != nil {
			return nil, err
		}
		return b.kv.Tx(ctx, false)
	}
	// What is being written is read from memory, so the snapshot may lack it.
	below, err := b.kv.Tx(ctx, false)
	if err != nil {
		return nil, err
	}
	return &behindTx{b: b, below: below, writes: map[string]flat.Value{}}, nil
}

// behindTx is a transaction: its own writes over those that are being written
// over what is written.
type behindTx struct {
	b      *behind
	below  flat.Tx
	writes map[string]flat.Value
}

func (tx *behindTx) Get(ctx context.Context, k flat.Key) (flat.Value, error) {
	v, ok := tx.writes[string(k)]
	if !ok {
		v, ok = tx.b.writing[string(k)]
	}
	switch {
	case !ok:
		return tx.below.Get(ctx, k)
	case v == nil:
		return nil, flat.ErrNotFound
	}
	return v, nil // shared: whoever reads here decodes and does not write
}

func (tx *behindTx) GetBatch(ctx context.Context, keys []flat.Key) ([]flat.Value, error) {
	return flat.GetBatch(ctx, tx, keys)
}

func (tx *behindTx) Put(ctx context.Context, k flat.Key, v flat.Value) error {
	if v = v.Clone(); v == nil {
		v = flat.Value{}
	}
	tx.writes[string(k)] = v
	return nil
}

func (tx *behindTx) Del(ctx context.Context, k flat.Key) error {
	tx.writes[string(k)] = nil
	return nil
}

// take takes over many writes; nil values delete. The values must stay as they are.
func (tx *behindTx) take(writes map[string][]byte) {
	for k, v := range writes {
		tx.writes[k] = v
	}
}

func (tx *behindTx) Close() error { return tx.below.Close() }

// Commit hands the writes over, after those of the transaction before.
func (tx *behindTx) Commit(ctx context.Context) error {
	if err := tx.below.Close(); err != nil {
		return err
	}
	b := tx.b
	if err := b.wait(); err != nil {
		return err
	}
	b.writing, b.done = tx.writes, make(chan error, 1)
	go func(writes map[string]flat.Value, done chan<- error) {
		done <- writeAll(ctx, b.kv, writes)
	}(b.writing, b.done)
	return nil
}

// writeAll writes in as many transactions as it takes.
func writeAll(ctx context.Context, kv flat.KV, writes map[string]flat.Value) error {
	tx, err := kv.Tx(ctx, true)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Close() }()
	write := func(k flat.Key, v flat.Value) error {
		if v == nil {
			return tx.Del(ctx, k)
		}
		return tx.Put(ctx, k, v)
	}
	for k, v := range writes {
		err := write(flat.Key(k), v)
		if errors.Is(err, badgerkv.ErrTooBig) {
			if err = tx.Commit(ctx); err != nil {
				return err
			}
			if tx, err = kv.Tx(ctx, true); err != nil {
				return err
			}
			err = write(flat.Key(k), v) // too big alone is too big
		}
		if err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// Scan gives an iterator that only says that it cannot.
func (tx *behindTx) Scan(ctx context.Context, opts ...flat.IteratorOption) flat.Iterator {
	return noScan{}
}

type noScan struct{}

var errNoScan = errors.New("a transaction that is written behind cannot be scanned")

var _ flat.PrefixIterator = noScan{}

func (noScan) WithPrefix(flat.Key) flat.Iterator { return noScan{} }
func (noScan) Next(context.Context) bool         { return false }
func (noScan) Reset()                            {}
func (noScan) Key() flat.Key                     { return nil }
func (noScan) Val() flat.Value                   { return nil }
func (noScan) Err() error                        { return errNoScan }
func (noScan) Close() error                      { return nil }
