package pgkv

import (
	"bytes"
	"context"
	"slices"

	"github.com/hidal-go/hidalgo/kv/flat"
)

var (
	_ flat.Seeker         = (*iterator)(nil)
	_ flat.PrefixIterator = (*iterator)(nil)
)

// iterator reads pages of pairs, each longer than the last: most scans are short, and some
// read everything.
type iterator struct {
	tx     *tx
	prefix []byte
	page   []pair
	at     int
	begun  bool
	rest   []byte // where the next page begins; nil behind the last one
	size   int    // of the next page
	err    error
}

type pair struct{ key, value []byte }

const (
	firstPage   = 64 // rows
	longestPage = 8192
)

func (it *iterator) WithPrefix(prefix flat.Key) flat.Iterator {
	it.prefix = slices.Clone(prefix)
	it.Reset()
	return it
}

func (it *iterator) Reset() {
	it.page, it.at, it.begun, it.rest, it.size, it.err = nil, 0, false, nil, firstPage, nil
}

func (it *iterator) Seek(ctx context.Context, k flat.Key) bool {
	it.Reset()
	it.begun, it.rest = true, append([]byte{}, it.prefix...)
	if bytes.Compare(k, it.prefix) > 0 {
		it.rest = slices.Clone(k)
	}
	return it.load(ctx)
}

func (it *iterator) Next(ctx context.Context) bool {
	if !it.begun {
		return it.Seek(ctx, it.prefix)
	}
	if it.err = it.tx.usable(ctx); it.err != nil {
		return false
	}
	it.at = min(it.at+1, len(it.page))
	return it.valid() || it.load(ctx)
}

// load reads on until there is a page that holds something.
func (it *iterator) load(ctx context.Context) bool {
	if it.err = it.tx.usable(ctx); it.err != nil {
		return false
	}
	for !it.valid() && it.rest != nil && it.err == nil {
		it.err = it.read(ctx)
	}
	return it.valid()
}

// read reads a page, with the changes of the transaction in it.
func (it *iterator) read(ctx context.Context) error {
	from, end := it.rest, next(it.prefix)
	var stored []pair
	keep := func(k, v []byte) { stored = append(stored, pair{k, v}) }
	var err error
	if end == nil {
		err = it.tx.query(ctx, keep, "key >= $3 order by key limit $4", from, it.size)
	} else {
		err = it.tx.query(ctx, keep, "key >= $3 and key < $4 order by key limit $5", from, end, it.size)
	}
	if err != nil {
		return err
	}
	it.rest = nil
	if len(stored) == it.size {
		it.rest = append(slices.Clone(stored[len(stored)-1].key), 0)
		end = it.rest
	}
	it.page, it.at, it.size = it.tx.changed(stored, from, end), 0, min(4*it.size, longestPage)
	return nil
}

func (it *iterator) valid() bool { return it.err == nil && it.at < len(it.page) }

func (it *iterator) Key() flat.Key {
	if !it.valid() {
		return nil
	}
	return it.page[it.at].key
}

func (it *iterator) Val() flat.Value {
	if !it.valid() {
		return nil
	}
	return slices.Clone(it.page[it.at].value)
}

func (it *iterator) Err() error   { return it.err }
func (it *iterator) Close() error { return it.err }

// next is the first key behind those with a prefix; nil where there is none.
func next(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			return append(slices.Clone(prefix[:i]), prefix[i]+1)
		}
	}
	return nil
}
