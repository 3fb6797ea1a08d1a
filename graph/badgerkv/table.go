package badgerkv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4/fb"
	badgeropts "github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/proto"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checker checks tables, one after another. Its zero value is ready for use. It
// keeps what it read into and unpacked to, to be used again.
type checker struct {
	index, packed, plain []byte
	unzstd               *zstd.Decoder // for tables of before Snappy; nil until needed
}

func (c *checker) close() {
	if c.unzstd != nil {
		c.unzstd.Close()
	}
}

// table checks one table: that its index is whole and describes the file up to its
// last byte, and that its last block, or every block, is what its checksum says.
// Badger reads the last block when it opens the table, and ends the process over
// some that are not.
//
// A table is its blocks, one after another, then the index (where each block
// begins), its length, its checksum, and the length of that.
func (c *checker) table(path string, how badgeropts.CompressionType, every bool) error {
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
	index, err := tableIndex(file, fi.Size(), &c.index)
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
	first := n - 1
	if every {
		first = 0
	}
	if !blocks.Offsets(&b, first) || every && b.Offset() != 0 {
		return fmt.Errorf("%q: no block at byte 0", name)
	}
	at := int64(b.Offset()) // where the next block has to begin
	for i := first; i < n; i++ {
		if !blocks.Offsets(&b, i) || int64(b.Offset()) != at || b.Len() == 0 {
			return fmt.Errorf("%q: no block at byte %d", name, at)
		}
		at += int64(b.Len())
		if at > end {
			return fmt.Errorf("%q: a block runs past its end", name)
		}
		c.packed = grown(c.packed, int(b.Len()))
		if _, err := file.ReadAt(c.packed, int64(b.Offset())); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		if err := c.block(how); err != nil {
			return fmt.Errorf("%q: block at byte %d: %w", name, b.Offset(), err)
		}
	}
	if at != end {
		return fmt.Errorf("%q: its blocks end at byte %d, not %d", name, at, end)
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

// block checks the block that was read: its entries, then their checksum, then the
// length of that.
func (c *checker) block(how badgeropts.CompressionType) error {
	if err := c.unpack(how); err != nil {
		return err
	}
	sum, data, ok := cutLast(c.plain)
	if !ok {
		return errors.New("cut off")
	}
	return checkSum(data, sum)
}

// maxBlock is more than a block can be: a value that is longer than valueInLog
// is not in a block. It keeps a flipped length from taking all memory.
const maxBlock = 64 << 20

// unpack gives the plain bytes of the block that was read.
func (c *checker) unpack(how badgeropts.CompressionType) (err error) {
	switch how {
	case badgeropts.Snappy:
		n, err := snappy.DecodedLen(c.packed)
		if err != nil || n > maxBlock {
			return errors.New("no length that a block can have")
		}
		c.plain, err = snappy.Decode(grown(c.plain, n), c.packed)
		return err
	case badgeropts.ZSTD:
		if c.unzstd == nil {
			if c.unzstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlock)); err != nil {
				return err
			}
		}
		c.plain, err = c.unzstd.DecodeAll(c.packed, c.plain[:0])
		return err
	}
	return fmt.Errorf("unknown compression %d", how)
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
