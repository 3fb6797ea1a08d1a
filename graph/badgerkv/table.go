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
	"google.golang.org/protobuf/proto"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checker checks tables, one after another. Its zero value is ready for use. It
// keeps what it read into and unpacked to, to be used again.
type checker struct {
	index, packed, plain []byte
}

// table checks one table: that its index and its last block, or every block, are what their
// checksums say. Badger reads both when it opens the table, in goroutines of its own, and ends
// the process over some that are not; so it does over a block that it merges.
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
	index, err := c.indexOf(file, fi.Size())
	if err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	blocks := fb.GetRootAsTableIndex(index, 0)
	n := blocks.OffsetsLength()
	first := max(0, n-1)
	if every {
		first = 0
	}
	for i := first; i < n; i++ {
		var b fb.BlockOffset
		blocks.Offsets(&b, i)
		c.packed = grown(c.packed, int(b.Len()))
		if _, err := file.ReadAt(c.packed, int64(b.Offset())); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		if err := c.block(c.packed, how); err != nil {
			return fmt.Errorf("%q: block at byte %d: %w", name, b.Offset(), err)
		}
	}
	return nil
}

// grown returns buf with a length, made larger where it must be.
func grown(buf []byte, n int) []byte {
	if cap(buf) < n {
		return make([]byte, n, n+n/4)
	}
	return buf[:n]
}

// indexOf reads the index of a table of a size.
func (c *checker) indexOf(file *os.File, size int64) ([]byte, error) {
	const foot = 64 // a checksum takes a dozen bytes, two lengths eight
	tail := make([]byte, min(size, foot))
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil, err
	}
	sum, rest, ok := cutLast(tail)
	if !ok || len(rest) < 4 {
		return nil, errors.New("cut off, or no table")
	}
	length := int64(binary.BigEndian.Uint32(rest[len(rest)-4:]))
	after := int64(4 + len(sum) + 4)
	if length == 0 || length+after > size {
		return nil, errors.New("cut off, or no table")
	}
	c.index = grown(c.index, int(length))
	if _, err := file.ReadAt(c.index, size-after-length); err != nil {
		return nil, err
	}
	if err := checkSum(c.index, sum); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	return c.index, nil
}

// block checks a block: its entries, then their checksum, then the length of that.
func (c *checker) block(packed []byte, how badgeropts.CompressionType) error {
	if err := c.unpack(packed, how); err != nil {
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

// unpack unpacks a block into c.plain.
func (c *checker) unpack(packed []byte, how badgeropts.CompressionType) error {
	if how != badgeropts.Snappy {
		return fmt.Errorf("unknown compression %d", how)
	}
	n, err := snappy.DecodedLen(packed)
	if err != nil || n > maxBlock {
		return errors.New("no length that a block can have")
	}
	c.plain, err = snappy.Decode(grown(c.plain, n), packed)
	return err
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
