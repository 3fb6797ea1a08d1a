package graph

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"episodes/graph/badgerkv"
)

// sortedRun is a file of keys with values, in order, and a place in it.
type sortedRun struct {
	file       *os.File
	r          *bufio.Reader
	head       uint64 // of key
	key, value []byte // at the place
	ended      bool
}

const runBuffer = 128 << 10

// spill puts what is in memory aside. Errors: ErrFull.
func (s *sorter) spill() error {
	s.sortItems()
	if err := badgerkv.CheckSpace(s.dir); err != nil {
		return err
	}
	file, err := os.CreateTemp(s.dir, "sorted-")
	if err != nil {
		return err
	}
	s.runs = append(s.runs, &sortedRun{file: file})
	w := bufio.NewWriterSize(file, runBuffer)
	for _, item := range s.items {
		rec := s.record(item)
		_, rest := cutBytes(rec)
		_, rest = cutBytes(rest)
		_, _ = w.Write(rec[:len(rec)-len(rest)]) // Flush tells
	}
	s.pieces, s.items, s.size, s.sorted = nil, s.items[:0], 0, false
	return w.Flush()
}

// start goes to the first key.
func (r *sortedRun) start() error {
	if _, err := r.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r.r = bufio.NewReaderSize(r.file, runBuffer)
	r.ended = false
	return r.next()
}

// next goes to the next key, or to the end.
func (r *sortedRun) next() (err error) {
	if r.key, err = readBytes(r.r, r.key[:0]); errors.Is(err, io.EOF) {
		r.ended = true
		return nil
	}
	if err == nil {
		r.head = headOf(r.key)
		r.value, err = readBytes(r.r, r.value[:0])
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// readBytes appends to buf what appendBytes wrote. io.EOF when there is no more.
func readBytes(r *bufio.Reader, buf []byte) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return buf, err
	}
	if uint64(cap(buf)) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if _, err = io.ReadFull(r, buf); errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return buf, err
}

// before reports whether r comes before o, which was made later.
func (r *sortedRun) before(o *sortedRun) bool {
	if r.head != o.head {
		return r.head < o.head
	}
	return cmp.Or(bytes.Compare(r.key, o.key), -1) < 0
}

// least is the run to go on with, or nil.
func least(runs []*sortedRun) (first *sortedRun) {
	for _, r := range runs {
		if !r.ended && (first == nil || !first.before(r)) {
			first = r
		}
	}
	return first
}

// mergeRuns calls fn as sorter.each does. There are so few runs that they need no
// heap.
func mergeRuns(runs []*sortedRun, fn func(key []byte, values [][]byte) error) error {
	for _, r := range runs {
		if err := r.start(); err != nil {
			return err
		}
	}
	var key, data []byte // of the current key: its values, one after another
	var ends []int       // of each of them
	var values [][]byte
	for {
		r := least(runs)
		if len(ends) > 0 && (r == nil || !bytes.Equal(r.key, key)) {
			values = values[:0]
			from := 0
			for _, end := range ends {
				values = append(values, data[from:end:end])
				from = end
			}
			if err := fn(key, values); err != nil {
				return err
			}
			data, ends = data[:0], ends[:0]
		}
		if r == nil {
			return nil
		}
		key = append(key[:0], r.key...)
		data = append(data, r.value...)
		ends = append(ends, len(data))
		if err := r.next(); err != nil {
			return err
		}
	}
}

func (r *sortedRun) remove() {
	_ = r.file.Close()
	_ = os.Remove(r.file.Name())
}
