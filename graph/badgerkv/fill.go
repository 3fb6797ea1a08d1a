package badgerkv

import (
	"fmt"

	badger "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/ristretto/v2/z"
)

// fillBytes is how much is handed to Badger at once.
const fillBytes = 4 << 20

// Fill makes a database in dir, as Create does, that holds what next returns: keys
// in ascending order with their values, until false. They go straight into tables,
// without a log and without being merged, in less than half the time that
// transactions take. When it returns without an error all is safe on disk; after
// an error dir holds nothing of use.
//
// Errors: those of Create, ErrTooBig.
func Fill(dir string, version uint16, next func() (key, value []byte, ok bool)) (err error) {
	doing := fmt.Sprintf("fill %q", dir)
	db, err := Create(dir, version)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := db.Close(); err == nil {
			err = cerr
		}
	}()
	defer guard(&err, doing)
	w := db.b.NewStreamWriter()
	if err := w.Prepare(); err != nil {
		return engineError(doing, err)
	}
	if err := db.fill(w, next); err != nil {
		w.Cancel()
		return fmt.Errorf("%s: %w", doing, err)
	}
	if err := w.Flush(); err != nil {
		return engineError(doing, err)
	}
	return db.Sync()
}

func (db *DB) fill(w *badger.StreamWriter, next func() (key, value []byte, ok bool)) error {
	for more := true; more; {
		buf := z.NewBuffer(fillBytes+fillBytes/4, "episodes fill")
		for buf.LenNoPadding() < fillBytes {
			var k, v []byte
			if k, v, more = next(); !more {
				break
			}
			if len(k) == 0 || len(k) > maxKey || len(v) > valueLogSize {
				return fmt.Errorf("%w: a key of %d and a value of %d bytes, at most %d and %d", ErrTooBig, len(k), len(v), maxKey, valueLogSize)
			}
			badger.KVToBuffer(&pb.KV{Key: k, Value: v, Version: 1}, buf)
		}
		if err := checkSpace(db.dir); err != nil {
			return err
		}
		err := w.Write(buf)
		if rerr := buf.Release(); err == nil {
			err = rerr
		}
		if err != nil {
			return engineError("write", err)
		}
	}
	return nil
}
