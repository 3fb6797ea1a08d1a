package badgerkv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

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
	key, last            []byte // of a block, while it is checked
}

// table checks one table: that its index is whole and describes the file from its
// first byte to its last, and that its last block, or every block, is what its
// checksum says and holds entries that Badger can read. Badger reads the last block
// when it opens the table, and ends the process over some that are not.
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
	blocks, err := places(index.data, fi.Size()-int64(index.tail))
	if err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	first := len(blocks) - 1
	if every {
		first = 0
	}
	for i := first; i < len(blocks); i++ {
		b, next := blocks[i], []byte(nil)
		if i+1 < len(blocks) {
			next = blocks[i+1].key
		}
		c.packed = grown(c.packed, int(b.size))
		if _, err := file.ReadAt(c.packed, b.at); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		if err := c.block(c.packed, how, b.key, next); err != nil {
			return fmt.Errorf("%q: block at byte %d: %w", name, b.at, err)
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

// indexPart is the index of a table and the length of all that follows the last
// block.
type indexPart struct {
	data []byte
	tail int
}

// indexOf reads the index of a table of a size.
func (c *checker) indexOf(file *os.File, size int64) (indexPart, error) {
	const foot = 64 // a checksum takes a dozen bytes, two lengths eight
	var none indexPart
	tail := make([]byte, min(size, foot))
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil {
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
	c.index = grown(c.index, int(length))
	if _, err := file.ReadAt(c.index, size-after-length); err != nil {
		return none, err
	}
	if err := checkSum(c.index, sum); err != nil {
		return none, fmt.Errorf("index: %w", err)
	}
	return indexPart{c.index, int(length + after)}, nil
}

// block checks a block: its entries, then their checksum, then the length of that.
// first is the key with which it has to begin, next that of the block behind it.
func (c *checker) block(packed []byte, how badgeropts.CompressionType, first, next []byte) error {
	if err := c.unpack(packed, how); err != nil {
		return err
	}
	sum, data, ok := cutLast(c.plain)
	if !ok {
		return errors.New("cut off")
	}
	if err := checkSum(data, sum); err != nil {
		return err
	}
	return c.entries(data, first, next)
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
