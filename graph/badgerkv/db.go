// Package badgerkv keeps sorted keys and values in one directory: hidalgo's
// flat.KV over Badger, with settings for short commands instead of servers.
//
// What it promises:
//
//   - One process writes, or any number read; never both. Whoever comes second
//     gets [ErrLocked] at once and does not wait.
//   - Inside the writing process, write transactions run one after another, as
//     in bbolt, so none ever conflicts. A goroutine that asks for a second write
//     transaction while it holds one waits for itself until its context ends.
//   - A commit survives the death of the process, and after [DB.Close] also the
//     loss of power. After a death the directory must be
//     opened once with [Open]; until then [OpenReadOnly] answers [ErrUnclean].
//   - [OpenReadOnly] changes no byte of the directory.
//   - Damage that would make Badger end the process, or delete what it does not
//     know, is found before Badger sees the directory. Damage inside a table is
//     found by every open in up to 256 KB of tables, and 32 MB of those that a
//     writer will merge. [DB.Verify] finds it in all, before a merge.
//   - Every error that asks for a decision is one of the Err variables, to be
//     matched with errors.Is.
//
// The format of the directory is Badger's (a MANIFEST of version 8) plus a
// version number of the caller's, which Create writes and every open compares.
// Other files may lie in the directory if their names do not look like Badger's;
// they are left alone, but DB.Size counts them.
//
// [Store] keeps such databases as the generations of a graph store.
package badgerkv

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	badger "github.com/dgraph-io/badger/v4"
	"github.com/hidal-go/hidalgo/kv/flat"
)

var _ flat.KV = (*DB)(nil)

// DB is an open database. All methods but Close may be called from several
// goroutines at once; a transaction belongs to one goroutine at a time.
type DB struct {
	b        *badger.DB
	dir      string
	version  uint16
	readOnly bool
	merge    bool // Close merges young tables

	writer  chan struct{} // holds one token while a write transaction is open
	unseen  int64         // bytes since the last look at free space
	closing chan struct{} // closed by Close
	once    sync.Once
}

// Create makes an empty database in dir, which is created when it is not there,
// and opens it for writing. The version is the caller's format version.
//
// Errors: ErrExists when dir holds a database or the remains of one, ErrLocked,
// ErrFull.
func Create(dir string, version uint16) (*DB, error) {
	doing := fmt.Sprintf("create %q", dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return open(doing, dir, version, false, loading, func(f listing) (int, error) {
		if name := f.data; name != "" {
			return 0, fmt.Errorf("%w: it holds %q", ErrExists, name)
		}
		return mergeFrom, checkSpace(dir)
	})
}

// Open opens the database in dir for reading and writing. After the death of a
// writer it takes up what that writer had committed; where a loss of power has
// broken the log, what it had committed before that byte.
//
// Errors: ErrMissing, ErrLocked, ErrDamaged, ErrVersion, ErrFull.
func Open(dir string, version uint16) (*DB, error) {
	return open(fmt.Sprintf("open %q", dir), dir, version, false, nil, func(f listing) (int, error) {
		young, err := f.check(dir, version, false)
		if err != nil {
			return 0, err
		}
		if err := checkSpace(dir); err != nil {
			return 0, err
		}
		return young, f.dropEmpty(dir)
	})
}

// OpenReadOnly opens the database in dir for reading and leaves every byte of
// dir as it is. It needs no free space and no write permission.
//
// Errors: ErrMissing, ErrLocked, ErrUnclean, ErrDamaged, ErrVersion, and
// errors.ErrUnsupported where Badger cannot do it (Windows, Plan 9).
func OpenReadOnly(dir string, version uint16) (*DB, error) {
	return open(fmt.Sprintf("open %q read-only", dir), dir, version, true, nil, func(f listing) (int, error) {
		return f.check(dir, version, true)
	})
}

// open takes the directory's lock, lets check judge what lies there and count the
// young tables, and only then hands the directory to Badger, with the settings as
// adjust, unless it is nil, changes them.
func open(doing, dir string, version uint16, readOnly bool, adjust func(*badger.Options),
	check func(listing) (young int, err error)) (db *DB, err error) {
	defer guard(&err, doing)
	if err := isFolder(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: %v", doing, ErrDamaged, err)
	}
	unlock, err := lockDir(dir, !readOnly)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	defer func() { unlock() }()

	young := 0
	f, err := list(dir)
	if err == nil {
		young, err = check(f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	if !readOnly {
		// Badger takes the same lock through a descriptor of its own, which the
		// exclusive one of ours would shut out. A writer that slips in between
		// makes Badger report a lock, or closes cleanly and leaves the checks true.
		unlock()
		unlock = func() {}
	}
	merge := !readOnly && young >= mergeFrom
	o := settings(dir, version).WithReadOnly(readOnly).WithCompactL0OnClose(merge)
	if adjust != nil {
		adjust(&o)
	}
	b, err := badger.Open(o)
	if err != nil {
		return nil, engineError(doing, err)
	}
	return &DB{
		b:        b,
		dir:      dir,
		version:  version,
		readOnly: readOnly,
		merge:    merge,
		writer:   make(chan struct{}, 1),
		closing:  make(chan struct{}),
	}, nil
}

// Close writes what is still in memory, merges young tables when there are many,
// and releases the lock. Only the first call does anything. Transactions should be closed before;
// one that is still open fails from here on with fs.ErrClosed, and what it had
// not committed is gone. No other call may run at the same time.
func (db *DB) Close() (err error) {
	db.once.Do(func() {
		close(db.closing)
		if db.merge {
			db.awaitCompactors()
		}
		if cerr := db.b.Close(); cerr != nil {
			err = engineError(fmt.Sprintf("close %q", db.dir), cerr)
		}
	})
	return err
}

// awaitCompactors lets Badger's compactors move on what has gathered in a level
// below the young tables. They start late, and a command would end before they do;
// then every merge of young tables would rewrite that level, ever larger. It
// begins with twice the size that a level is to have and goes on down to that size,
// so that one command in hundreds waits, not each that merges.
func (db *DB) awaitCompactors() {
	if !db.filled(2) {
		return
	}
	for end := time.Now().Add(maxAwait); time.Now().Before(end) && db.filled(1); {
		time.Sleep(10 * time.Millisecond)
	}
}

// filled reports whether a level holds more than so many times what it is to hold.
func (db *DB) filled(times int64) bool {
	levels := db.b.Levels()
	return slices.ContainsFunc(levels[1:len(levels)-1], func(l badger.LevelInfo) bool { return l.Size > times*l.TargetSize })
}

// errClosed is what every use of a closed database, transaction or iterator
// returns. It is no decision of a caller's, so it is the standard library's.
func errClosed(what string) error {
	return fmt.Errorf("%s: %w", what, fs.ErrClosed)
}

// Tx starts a transaction. A read transaction sees the state of this moment for
// as long as it is open. For a write transaction Tx waits until the one before
// it has ended, or ctx is done.
//
// Errors: flat.ErrReadOnly when the database was opened read-only and rw is set,
// the error of ctx, fs.ErrClosed.
func (db *DB) Tx(ctx context.Context, rw bool) (flat.Tx, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if db.b.IsClosed() {
		return nil, errClosed("database")
	}
	if !rw {
		return newTx(db, false), nil
	}
	if db.readOnly {
		return nil, flat.ErrReadOnly
	}
	select {
	case db.writer <- struct{}{}:
		return newTx(db, true), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-db.closing:
		return nil, errClosed("database")
	}
}

// View runs fn in a read transaction.
func (db *DB) View(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.View(ctx, db, fn)
}

// Update runs fn in a write transaction and commits it when fn returns nil.
// fn runs once: there are no conflicts to repeat it for.
func (db *DB) Update(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.Update(ctx, db, fn)
}

// Size returns the bytes that the database takes on disk. Logs of an open
// database have holes, which count only where the platform does not report them.
func (db *DB) Size() (int64, error) {
	entries, err := os.ReadDir(db.dir)
	if err != nil {
		return 0, fmt.Errorf("size of %q: %w", db.dir, err)
	}
	var sum int64
	for _, e := range entries {
		fi, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // merged away in between
		}
		if err != nil {
			return 0, fmt.Errorf("size of %q: %w", db.dir, err)
		}
		sum += allocated(fi)
	}
	return sum, nil
}
