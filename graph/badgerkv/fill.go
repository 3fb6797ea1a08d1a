package badgerkv

import (
	"bytes"
	"fmt"

	badger "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/ristretto/v2/z"
	"google.golang.org/protobuf/encoding/protowire"
)

// fillBytes is how much is handed to Badger at once.
const fillBytes = 1 << 20

// Filler fills a new database with keys in ascending order. They go straight into
// tables, without a log and without being merged, which takes a fraction of the
// time that transactions take. One goroutine uses it; the tables are made beside.
type Filler struct {
	db    *DB
	doing string
	w     *badger.StreamWriter
	last  []byte         // key
	buf   *z.Buffer      // what was put and is not yet handed over
	full  chan *z.Buffer // to write; closed when there is no more
	empty chan emptied
	done  chan error // gives the first failure of writing, once
	ended bool
}

// emptied is a buffer that was written, and the first failure so far.
type emptied struct {
	buf *z.Buffer
	err error
}

// Fill makes a database in dir, as Create does, and returns the Filler for it.
// Errors: those of Create.
func Fill(dir string, version uint16) (f *Filler, err error) {
	db, err := createWith(dir, version, filling)
	if err != nil {
		return nil, err
	}
	f = &Filler{db: db, doing: fmt.Sprintf("fill %q", dir), w: db.b.NewStreamWriter(),
		full: make(chan *z.Buffer, 1), empty: make(chan emptied, 2), done: make(chan error, 1)}
	f.empty <- emptied{buf: newFillBuffer()}
	f.buf = newFillBuffer()
	err = func() (err error) {
		defer guard(&err, f.doing)
		return f.w.Prepare()
	}()
	go f.write()
	if err != nil {
		f.Cancel()
		return nil, engineError(f.doing, err)
	}
	return f, nil
}

func newFillBuffer() *z.Buffer { return z.NewBuffer(fillBytes+fillBytes/4, "episodes fill") }

// Put adds a key, which must be greater than the one before, with its value. It
// keeps no reference to either. Errors: ErrTooBig, ErrFull, and whatever went wrong
// with keys put before.
func (f *Filler) Put(key, value []byte) error {
	if len(key) == 0 || len(key) > maxKey || len(value) > valueLogSize {
		return fmt.Errorf("%s: %w: a key of %d and a value of %d bytes, at most %d and %d", f.doing, ErrTooBig, len(key), len(value), maxKey, valueLogSize)
	}
	if bytes.Compare(key, f.last) <= 0 {
		return fmt.Errorf("%s: key %q comes after %q", f.doing, key, f.last) // Badger would end the process
	}
	f.last = append(f.last[:0], key...)
	putKV(f.buf, key, value)
	if f.buf.LenNoPadding() < fillBytes {
		return nil
	}
	f.full <- f.buf
	e := <-f.empty
	f.buf = e.buf
	return e.err
}

// putKV does what badger.KVToBuffer does with a pb.KV of version 1, in a third of
// the time.
func putKV(buf *z.Buffer, key, value []byte) {
	const keyField, valueField, versionField = 1, 2, 4
	const tags = 4 // bytes: of each field, and the version
	rec := buf.SliceAllocate(protowire.SizeBytes(len(key)) + protowire.SizeBytes(len(value)) + tags)[:0]
	rec = protowire.AppendBytes(protowire.AppendTag(rec, keyField, protowire.BytesType), key)
	rec = protowire.AppendBytes(protowire.AppendTag(rec, valueField, protowire.BytesType), value)
	protowire.AppendVarint(protowire.AppendTag(rec, versionField, protowire.VarintType), 1)
}

// write writes what it is handed until there is no more; after a failure it only
// takes it.
func (f *Filler) write() {
	var failed error
	for buf := range f.full {
		if failed == nil {
			failed = f.writeOne(buf)
		}
		buf.Reset()
		f.empty <- emptied{buf, failed}
	}
	close(f.empty)
	f.done <- failed
}

func (f *Filler) writeOne(buf *z.Buffer) (err error) {
	defer guard(&err, f.doing)
	if err := checkSpace(f.db.dir); err != nil {
		return fmt.Errorf("%s: %w", f.doing, err)
	}
	if err := f.w.Write(buf); err != nil {
		return engineError(f.doing, err)
	}
	return nil
}

// Close ends the filling. When it returns without an error all is safe on disk;
// else the directory holds nothing of use.
func (f *Filler) Close() (err error) {
	if f.ended {
		return nil
	}
	f.full <- f.buf
	err = f.end()
	defer func() {
		if cerr := f.db.Close(); err == nil {
			err = cerr
		}
	}()
	if err != nil {
		f.w.Cancel()
		return err
	}
	defer guard(&err, f.doing)
	if err := f.w.Flush(); err != nil {
		return engineError(f.doing, err)
	}
	return f.db.Sync()
}

// Cancel gives up; the directory holds nothing of use. After Close it does nothing.
func (f *Filler) Cancel() {
	if f.ended {
		return
	}
	_ = f.end()
	_ = f.buf.Release()
	f.w.Cancel()
	_ = f.db.Close()
}

// end waits until all that was handed over is written.
func (f *Filler) end() error {
	f.ended = true
	close(f.full)
	err := <-f.done
	for e := range f.empty {
		_ = e.buf.Release()
	}
	return err
}
