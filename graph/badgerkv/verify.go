package badgerkv

import (
	"fmt"
	"path/filepath"
	"slices"

	badger "github.com/dgraph-io/badger/v4"
	"github.com/hidal-go/hidalgo/kv/flat"
)

// Verify reads everything that is on disk and compares it with its checksums. It
// returns ErrDamaged with the name of the first bad file, or the first key whose
// long value is bad. A flipped bit passes only where the compression has room to
// spare and it changes no key and no value.
func (db *DB) Verify() (err error) {
	doing := fmt.Sprintf("verify %q", db.dir)
	defer guard(&err, doing)
	if db.b.IsClosed() {
		return errClosed("database")
	}
	m, err := readManifest(db.dir, db.version)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	var c checker
	for _, id := range tableIDs(m) {
		err := c.table(filepath.Join(db.dir, tableName(id)), m.Tables[id].Compression, true)
		if err != nil && !db.has(id) {
			continue // merged in between: emptied, then removed
		}
		if err != nil {
			return fmt.Errorf("%s: %w", doing, damaged(err))
		}
	}
	if err := db.verifyLongValues(); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// has reports whether table id is one of the tables in use.
func (db *DB) has(id uint64) bool {
	return slices.ContainsFunc(db.b.Tables(), func(t badger.TableInfo) bool { return t.ID == id })
}

// verifyLongValues reads every value that lies in a value log.
func (db *DB) verifyLongValues() error {
	txn := db.b.NewTransaction(false)
	defer txn.Discard()
	it := txn.NewIterator(badger.IteratorOptions{})
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if item := it.Item(); item.EstimatedSize() >= valueInLog {
			if _, err := valueOf(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// valueOf returns a copy of the value of item, never nil.
func valueOf(item *badger.Item) (flat.Value, error) {
	v, err := item.ValueCopy(nil)
	if err != nil {
		return nil, engineError(fmt.Sprintf("value of %q", item.Key()), err)
	}
	if len(v) > 0 {
		return v, nil
	}
	// Badger only logs that it cannot read a value log, and returns an empty value. The
	// size, which is stored with the key, shows it.
	if item.ValueSize() > 0 {
		return nil, fmt.Errorf("%w: value of %q cannot be read", ErrDamaged, item.Key())
	}
	return flat.Value{}, nil // nil would mean "no such key" in GetBatch
}
