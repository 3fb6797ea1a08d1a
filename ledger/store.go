package ledger

import (
	"bytes"
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
)

// The files of a ledger, in the user's state folder of each memory. Hooks append to newName.
// A run merges it into allName, whose first line is the summary, and then drops what it merged
// from newName. After a kill at any moment each line is in one of the files or in both, which
// is the same, since repetition does not matter.
const (
	folder  = "ledger"
	allName = "ledger.jsonl"
	newName = "told.jsonl"

	addWait  = 50 * time.Millisecond // an agent waits for it
	dropWait = 10 * time.Second

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
	state, err := local.OpenState(make)
	if err != nil {
		return nil, err
	}
	defer state.Close()
	name := filepath.Join(folder, fmt.Sprint("v", Format), MemoryKey(memory))
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
	data, err := json.Marshal(line{Format: Format, Given: &t})
	if err != nil {
		return err
	}
	l, err := local.LockState(ctx, addWait, "episodes hook")
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
	for _, name := range []string{newName, allName} { // in the order in which lines move
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
// summary. The caller holds the lock of the memory, so that one run at a time does this.
func (s *Store) Change(ctx context.Context, now time.Time, change func(l *Ledger, fresh bool)) error {
	merged, err := s.merge(ctx, now, change)
	if err != nil {
		return err
	}
	return s.drop(ctx, merged)
}

// merge writes allName, and returns how many bytes of newName are in it.
func (s *Store) merge(ctx context.Context, now time.Time, change func(l *Ledger, fresh bool)) (merged int64, err error) {
	held, err := local.LockState(ctx, dropWait, "episodes") // else a hook may be in the middle of a line
	if err != nil {
		return 0, err
	}
	if info, err := s.dir.Lstat(newName); err == nil {
		merged = info.Size()
	}
	_ = held.Release()
	l, fresh, err := s.Read()
	if err != nil {
		return 0, fmt.Errorf("read the ledger: %w", err)
	}
	change(l, fresh)
	l.Bound()
	first, err := json.Marshal(line{Format: Format, Summary: new(l.Report(now).Summary())})
	if err != nil {
		return 0, err
	}
	return merged, s.dir.WritePrivate(allName, append(append(first, '\n'), l.Bytes()...))
}

// drop removes the first bytes of newName. What hooks appended after them stays.
func (s *Store) drop(ctx context.Context, merged int64) error {
	held, err := local.LockState(ctx, dropWait, "episodes")
	if err != nil {
		return err
	}
	defer func() { _ = held.Release() }()
	data, err := s.dir.ReadLarge(newName, maxAll)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case int64(len(data)) > merged:
		return s.dir.WritePrivate(newName, data[merged:])
	}
	return s.dir.Remove(newName)
}

// Summary returns the summary of the last run, empty before the first one.
func (s *Store) Summary() Summary {
	data, err := s.dir.ReadHead(allName, maxSummary)
	var first line
	text, _, full := bytes.Cut(data, []byte("\n"))
	if err != nil || !full || json.Unmarshal(text, &first) != nil || first.Format != Format || first.Summary == nil {
		return Summary{}
	}
	return *first.Summary
}
