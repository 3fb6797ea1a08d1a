package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"episodes/internal/fsstore"
	"episodes/internal/local"
	"episodes/internal/lock"
)

// The files of a ledger, in the user's state folder of each memory. Hooks append to newName.
// A run renames it to takenName, merges it into allName and replaces that file, so that after
// a kill at any moment each line is in one of the three files.
const (
	folder      = "ledger"
	allName     = "ledger.jsonl"
	newName     = "told.jsonl"
	takenName   = "taken.jsonl"
	summaryName = "summary.json"

	addLock  = "add.lock" // for newName, held only to append or rename
	workLock = "work.lock"
	addWait  = 50 * time.Millisecond // an agent waits for it
	workWait = 10 * time.Second

	maxNew     = 4 << 20 // largest size of newName in bytes; further lines are dropped
	maxAll     = 64 << 20
	maxSummary = 256 << 10
)

// Off reports whether the user disabled advice, and with it the ledger, by EPISODES_OFF.
func Off(getenv func(string) string) bool {
	v := getenv("EPISODES_OFF")
	return v != "" && v != "0"
}

// Store is the ledger of one memory on disk.
type Store struct{ dir *fsstore.Dir }

// errLarge is returned while no run merges what hooks append.
var errLarge = errors.New("too much waits to be taken into the ledger")

// Open opens the ledger of a memory folder (an absolute path). If it does not exist, it is
// created if make is true; otherwise the error is fs.ErrNotExist. The caller closes the store.
func Open(memory string, make bool) (*Store, error) {
	if real, err := filepath.EvalSymlinks(memory); err == nil {
		memory = real
	}
	path, err := local.StateDir()
	if err != nil {
		return nil, err
	}
	if make {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
	}
	state, err := fsstore.Open(path)
	if err != nil {
		return nil, err
	}
	defer state.Close()
	name := filepath.Join(folder, fmt.Sprint("v", Format), hash("memory", memory))
	open := state.Existing
	if make {
		open = state.SubPrivate
	}
	dir, err := open(name)
	if err != nil {
		return nil, err
	}
	return &Store{dir}, nil
}

// Close releases the folder. It may be called on a nil Store.
func (s *Store) Close() {
	if s != nil {
		s.dir.Close()
	}
}

// Append appends a delivery to the files. Processes may do so concurrently.
func (s *Store) Append(ctx context.Context, t Delivery) (err error) {
	data, err := json.Marshal(line{Format: Format, Told: &t})
	if err != nil {
		return err
	}
	l, err := lock.Acquire(ctx, s.dir.Path(addLock), addWait, "episodes hook")
	if err != nil {
		return err
	}
	defer func() { _ = l.Release() }()
	if info, err := s.dir.Lstat(newName); err == nil && info.Size() > maxNew {
		return errLarge
	}
	f, err := s.dir.OpenPrivate(newName, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// The leading line end separates it from an incomplete line of a killed hook.
	_, err = f.Write(append([]byte{'\n'}, append(data, '\n')...))
	return err
}

// Read reads the ledger. fresh is true if no run has merged anything yet.
func (s *Store) Read() (l *Ledger, fresh bool, err error) {
	l = New()
	for _, name := range []string{newName, takenName, allName} { // in the order in which lines move
		data, err := s.dir.ReadLarge(name, maxAll)
		switch {
		case err == nil:
			l.Read(data)
		case errors.Is(err, fs.ErrNotExist):
			fresh = fresh || name == allName
		default:
			return nil, false, err
		}
	}
	return l, fresh, nil
}

// Change merges what hooks have appended, calls change, and writes the ledger and its
// summary.
func (s *Store) Change(ctx context.Context, now time.Time, change func(l *Ledger, fresh bool)) error {
	work, err := lock.Acquire(ctx, s.dir.Path(workLock), workWait, "episodes")
	if err != nil {
		return err
	}
	defer func() { _ = work.Release() }()
	if err := s.take(ctx); err != nil {
		return err
	}
	l, fresh, err := s.Read()
	if err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	change(l, fresh)
	l.Bound()
	if err := s.dir.WritePrivate(allName, l.Bytes()); err != nil {
		return err
	}
	if err := s.dir.Remove(takenName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := json.Marshal(l.Report(now).Summary())
	if err != nil {
		return err
	}
	return s.dir.WritePrivate(summaryName, data)
}

// take renames newName to takenName, unless a killed run left one that has to be merged first.
func (s *Store) take(ctx context.Context) error {
	if s.dir.Exists(takenName) {
		return nil
	}
	l, err := lock.Acquire(ctx, s.dir.Path(addLock), workWait, "episodes")
	if err != nil {
		return err
	}
	defer func() { _ = l.Release() }()
	if err := s.dir.Rename(newName, takenName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Summary returns the summary of the last run, empty before the first one.
func (s *Store) Summary() Summary {
	data, err := s.dir.ReadLarge(summaryName, maxSummary)
	if err != nil {
		return Summary{}
	}
	return readSummary(data)
}
