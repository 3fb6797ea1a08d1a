package badgerkv

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4/fb"
)

// A valid checksum shows that the bytes are those that were written, not who wrote them.
// Badger trusts the numbers in a table: it merges tables in its own goroutines, whose panics
// cannot be recovered, and exits on some values. So the numbers that it computes with are
// checked against bounds here.

const (
	// maxVersion is more commits than a database can see. Badger counts on from
	// there, and ends the process when the count runs over.
	maxVersion = 1 << 56
	// versionSize is the length of the version that ends each key in a table.
	versionSize = 8
	// entryHead is the length of what precedes the key of an entry: how many bytes it
	// shares with the first key of its block, and how many follow.
	entryHead = 4
	// valueHead is the least length of what precedes a value: two bytes of marks and
	// a time of expiry.
	valueHead = 3
	// pointerMark marks a value that is in a value log. pointerSize is the length of the
	// pointer to it.
	pointerMark, pointerSize = 1 << 1, 12
)

// blockPlace is the position of a block and its first key.
type blockPlace struct {
	at, size int64
	key      []byte
}

// places reads an index: blocks that follow one another from the first byte to end,
// their keys in order.
func places(data []byte, end int64) (out []blockPlace, err error) {
	defer func() { // generated code panics at an offset outside
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("index: %s", panicText(r))
		}
	}()
	index := fb.GetRootAsTableIndex(data, 0)
	n := index.OffsetsLength()
	if n == 0 || 4*n > len(data) {
		return nil, errors.New("index: no blocks, or more than it has room for")
	}
	if index.MaxVersion() > maxVersion {
		return nil, fmt.Errorf("index: no version can be %d", index.MaxVersion())
	}
	_, _, _ = index.BloomFilterBytes(), index.KeyCount(), index.UncompressedSize()
	_, _ = index.OnDiskSize(), index.StaleDataSize()
	out = make([]blockPlace, n)
	at := int64(0)
	for i := range out {
		var b fb.BlockOffset
		if !index.Offsets(&b, i) || int64(b.Offset()) != at || b.Len() == 0 {
			return nil, fmt.Errorf("no block at byte %d", at)
		}
		out[i] = blockPlace{at, int64(b.Len()), b.KeyBytes()}
		if at += int64(b.Len()); at > end {
			return nil, errors.New("a block runs past its end")
		}
		if !isKey(out[i].key) || i > 0 && compareKeys(out[i-1].key, out[i].key) >= 0 {
			return nil, fmt.Errorf("index: key %d is not one that can follow", i)
		}
	}
	if at != end {
		return nil, fmt.Errorf("its blocks end at byte %d, not %d", at, end)
	}
	return out, nil
}

// isKey reports whether k is as long as the key of an entry can be.
func isKey(k []byte) bool { return len(k) > versionSize && len(k) <= maxKey+versionSize }

// compareKeys orders keys as Badger does: by what precedes the version, then by it.
func compareKeys(a, b []byte) int {
	i, j := len(a)-versionSize, len(b)-versionSize
	if c := bytes.Compare(a[:i], b[:j]); c != 0 {
		return c
	}
	return bytes.Compare(a[i:], b[j:])
}

// entries checks what a block holds: entries that follow one another from its first
// byte to where the list of their places begins, their keys in order from the one
// that the index names up to that of the next block.
func (c *checker) entries(data, first, next []byte) error {
	if len(data) < 4 {
		return errors.New("cut off")
	}
	n := int64(binary.BigEndian.Uint32(data[len(data)-4:]))
	end := int64(len(data)) - 4 - 4*n
	if n == 0 || end < 0 {
		return fmt.Errorf("no room for %d entries", n)
	}
	list := data[end : len(data)-4]
	at := func(i int64) int64 { return int64(binary.LittleEndian.Uint32(list[4*i:])) }
	if at(0) != 0 {
		return errors.New("no entry at its first byte")
	}
	var base []byte
	c.key, c.last = c.key[:0], c.last[:0]
	for i := range n {
		from, to := at(i), end
		if i+1 < n {
			to = at(i + 1)
		}
		if from > to || to > end || to-from < entryHead {
			return fmt.Errorf("entry %d has no room", i)
		}
		entry := data[from:to]
		shared, own := int(binary.LittleEndian.Uint16(entry)), int(binary.LittleEndian.Uint16(entry[2:]))
		if shared > len(base) || entryHead+own+valueHead > len(entry) {
			return fmt.Errorf("entry %d is longer than its room", i)
		}
		c.key = append(append(c.key[:0], base[:shared]...), entry[entryHead:entryHead+own]...)
		if !isKey(c.key) || i == 0 && !bytes.Equal(c.key, first) || i > 0 && compareKeys(c.last, c.key) >= 0 {
			return fmt.Errorf("the key of entry %d is not one that can stand there", i)
		}
		if i == 0 {
			base = entry[entryHead : entryHead+own]
		}
		if err := checkValue(entry[entryHead+own:]); err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		c.key, c.last = c.last, c.key
	}
	if next != nil && compareKeys(c.last, next) >= 0 {
		return errors.New("its last key belongs behind the next block")
	}
	return nil
}

func checkValue(v []byte) error {
	_, n := binary.Uvarint(v[2:])
	switch {
	case n <= 0:
		return errors.New("no time of expiry")
	case v[0]&pointerMark != 0 && len(v)-2-n != pointerSize:
		return errors.New("no place in a value log")
	}
	return nil
}
