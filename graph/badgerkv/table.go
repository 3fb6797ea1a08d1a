package badgerkv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4/fb"
	"github.com/dgraph-io/badger/v4/pb"
	"google.golang.org/protobuf/proto"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// An unpacker returns the plain bytes of one block.
type unpacker func(packed []byte) ([]byte, error)

// checkTable checks one table: that its index is whole and describes the file
// up to its last byte and, when unpack is given, that every block is what its
// checksum says. Badger's own check ends in a nil pointer when a block cannot be
// unpacked, and names no file then. What it reads goes into buf, to be used again.
//
// A table is its blocks, one after another, then the index (where each block
// begins), its length, its checksum, and the length of that.
func checkTable(path string, unpack unpacker, buf *[]byte) error {
	name := filepath.Base(path)
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	fi, err := file.Stat()
	if err != nil {
		return err
	}
	index, err := tableIndex(file, fi.Size(), buf)
	if err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	end := fi.Size() - int64(index.tail)
	blocks := fb.GetRootAsTableIndex(index.data, 0)
	n := blocks.OffsetsLength()
	if n == 0 {
		return fmt.Errorf("%q: no blocks", name)
	}
	var b fb.BlockOffset
	if unpack == nil { // the index is whole, so its blocks lie end to end as they were written
		if !blocks.Offsets(&b, n-1) || int64(b.Offset())+int64(b.Len()) != end {
			return fmt.Errorf("%q: its blocks do not end at byte %d", name, end)
		}
		return nil
	}
	var at int64 // where the next block has to begin
	var packed []byte
	for i := range n {
		if !blocks.Offsets(&b, i) || int64(b.Offset()) != at || b.Len() == 0 {
			return fmt.Errorf("%q: no block at byte %d", name, at)
		}
		at += int64(b.Len())
		if at > end {
			return fmt.Errorf("%q: a block runs past its end", name)
		}
		packed = grown(packed, int(b.Len()))
		if _, err := file.ReadAt(packed, int64(b.Offset())); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		if err := checkBlock(packed, unpack); err != nil {
			return fmt.Errorf("%q: block at byte %d: %w", name, b.Offset(), err)
		}
	}
	if at != end {
		return fmt.Errorf("%q: bytes %d to %d belong to no block", name, at, end)
	}
	return nil
}

// grown returns buf with a length, made larger where it must be.
func grown(buf []byte, n int) []byte {
	if cap(buf) < n {
		return make([]byte, n)
	}
	return buf[:n]
}

// indexPart is the index of a table and the length of all that follows the last
// block.
type indexPart struct {
	data []byte
	tail int
}

func tableIndex(file *os.File, size int64, buf *[]byte) (indexPart, error) {
	var none indexPart
	var foot [64]byte // a checksum takes a dozen bytes, two lengths eight
	n := min(size, int64(len(foot)))
	tail := foot[:n]
	if _, err := file.ReadAt(tail, size-n); err != nil {
		return none, err
	}
	sum, rest, ok := cutLast(tail)
	if !ok || len(rest) < 4 {
		return none, errors.New("cut off, or no table")
	}
	length := int64(binary.BigEndian.Uint32(rest[len(rest)-4:]))
	after := int64(4 + len(sum) + 4)
	if length == 0 || length+after > size {
		return none, errors.New("cut off, or no table")
	}
	*buf = grown(*buf, int(length))
	data := *buf
	if _, err := file.ReadAt(data, size-after-length); err != nil {
		return none, err
	}
	if err := checkSum(data, sum); err != nil {
		return none, fmt.Errorf("index: %w", err)
	}
	return indexPart{data, int(length + after)}, nil
}

// checkBlock checks one block: its entries, then their checksum, then the length
// of that.
func checkBlock(packed []byte, unpack unpacker) error {
	plain, err := unpack(packed)
	if err != nil {
		return err
	}
	sum, data, ok := cutLast(plain)
	if !ok {
		return errors.New("cut off")
	}
	return checkSum(data, sum)
}

// cutLast takes from the end of b a part that is followed by its length.
func cutLast(b []byte) (part, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := int64(binary.BigEndian.Uint32(b[len(b)-4:]))
	b = b[:len(b)-4]
	if n > int64(len(b)) {
		return nil, nil, false
	}
	return b[int64(len(b))-n:], b[:int64(len(b))-n], true
}

// checkSum compares data with a checksum in Badger's coding.
func checkSum(data, sum []byte) error {
	var want pb.Checksum
	if err := proto.Unmarshal(sum, &want); err != nil {
		return errors.New("unreadable checksum")
	}
	if want.Algo != pb.Checksum_CRC32C || want.Sum != uint64(crc32.Checksum(data, castagnoli)) {
		return errors.New("wrong checksum")
	}
	return nil
}
