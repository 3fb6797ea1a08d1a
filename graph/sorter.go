package graph

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// sorter takes keys with values in any order and gives them back by key, as often
// as one asks. Above a budget it puts them aside in files, sorted, and merges
// these. In memory they lie in a few large pieces of bytes without pointers: there
// are millions, and the collector of garbage need not look at any.
type sorter struct {
	dir    string // for files; "": none
	budget int    // bytes in memory
	pieces [][]byte
	items  []sortItem
	size   int
	sorted bool
	runs   []*sortedRun
}

// sortItem is where a key with its value lies.
type sortItem struct {
	head uint64 // of the key, so that most comparisons are of one number
	at   uint64 // number of the piece, and offset there
}

const (
	pieceBits = 20
	pieceSize = 1 << pieceBits
	itemSize  = 16
)

// add takes a key and a value, and keeps no reference to either. A key may come
// more than once.
func (s *sorter) add(key, value []byte) error {
	need := len(key) + len(value) + 2*binary.MaxVarintLen64
	if s.dir != "" && s.size+need+itemSize > s.budget && len(s.items) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if n := len(s.pieces); n == 0 || need > cap(s.pieces[n-1])-len(s.pieces[n-1]) {
		s.pieces = append(s.pieces, make([]byte, 0, max(pieceSize, need)))
	}
	n := len(s.pieces) - 1
	p := s.pieces[n]
	s.items = append(s.items, sortItem{headOf(key), uint64(n)<<pieceBits | uint64(len(p))})
	s.pieces[n] = appendBytes(appendBytes(p, key), value)
	s.size += need + itemSize
	s.sorted = false
	return nil
}

// headOf is the beginning of a key as a number.
func headOf(key []byte) uint64 {
	var head [8]byte
	copy(head[:], key)
	return binary.BigEndian.Uint64(head[:])
}

func (s *sorter) record(i sortItem) []byte { return s.pieces[i.at>>pieceBits][i.at%pieceSize:] }

func (s *sorter) key(i sortItem) []byte {
	key, _ := cutBytes(s.record(i))
	return key
}

// sort sorts what is in memory, or puts it aside with the rest.
func (s *sorter) sort() error {
	if len(s.runs) > 0 && len(s.items) > 0 {
		return s.spill()
	}
	s.sortItems()
	return nil
}

func (s *sorter) sortItems() {
	if s.sorted {
		return
	}
	slices.SortFunc(s.items, func(a, b sortItem) int {
		if c := cmp.Compare(a.head, b.head); c != 0 {
			return c
		}
		return cmp.Or(bytes.Compare(s.key(a), s.key(b)), cmp.Compare(a.at, b.at))
	})
	s.sorted = true
}

// each calls fn with every key, in order, and its values, in the order in which
// they came. Neither may be kept.
func (s *sorter) each(fn func(key []byte, values [][]byte) error) error {
	if err := s.sort(); err != nil {
		return err
	}
	if len(s.runs) > 0 {
		return mergeRuns(s.runs, fn)
	}
	var key []byte
	var values [][]byte
	for _, item := range s.items {
		k, rest := cutBytes(s.record(item))
		if len(values) > 0 && !bytes.Equal(k, key) {
			if err := fn(key, values); err != nil {
				return err
			}
			values = values[:0]
		}
		v, _ := cutBytes(rest)
		key, values = k, append(values, v)
	}
	if len(values) == 0 {
		return nil
	}
	return fn(key, values)
}

// close forgets everything and removes the files.
func (s *sorter) close() {
	for _, r := range s.runs {
		r.remove()
	}
	*s = sorter{}
}

// appendBytes appends s with its length before it.
func appendBytes[T []byte | string](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// cutBytes reads what appendBytes wrote, and returns the rest.
func cutBytes(b []byte) (s, rest []byte) {
	n, size := binary.Uvarint(b)
	end := size + int(n)
	return b[size:end:end], b[end:]
}
