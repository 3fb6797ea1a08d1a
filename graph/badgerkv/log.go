package badgerkv

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
)

// logHead is the length of what precedes the first entry of a log.
const logHead = 20

// checkLog checks a value log or a write-ahead log before Badger replays it: Badger
// allocates the length that an entry claims, up to 8 GB, before it checks the checksum. A
// killed writer leaves a log that ends within an entry, and Badger truncates it there.
//
// An entry is two bytes of marks, the lengths of key and value and a time of expiry
// (varints), key, value, and the checksum of it all.
func checkLog(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	in := bufio.NewReader(file)
	if _, err := in.Discard(logHead); err != nil {
		return nil
	}
	for {
		e := &summed{Reader: in, sum: crc32.New(castagnoli)}
		var head [5]uint64
		for i := range head {
			if i < 2 {
				_, err = e.ReadByte()
			} else {
				head[i], err = binary.ReadUvarint(e)
			}
			if err != nil {
				return nil
			}
		}
		key, value := int64(uint32(head[2])), int64(uint32(head[3]))
		switch {
		case key == 0 || key > 1<<16: // the end of what was written
			return nil
		case value > maxBlock && value > info.Size():
			return fmt.Errorf("%w: %q has an entry of %d MB", ErrDamaged, path, value>>20)
		}
		if _, err := io.CopyN(e.sum, in, key+value); err != nil {
			return nil
		}
		var want uint32
		if binary.Read(in, binary.BigEndian, &want) != nil || want != e.sum.Sum32() {
			return nil
		}
	}
}

// summed adds what is read byte by byte to a checksum.
type summed struct {
	*bufio.Reader
	sum hash.Hash32
}

func (s *summed) ReadByte() (byte, error) {
	b, err := s.Reader.ReadByte()
	if err == nil {
		s.sum.Write([]byte{b})
	}
	return b, err
}
