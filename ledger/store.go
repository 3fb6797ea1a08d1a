package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"episodes/internal/fsstore"
	"episodes/internal/local"
)

// A ledger is one file in the user's state folder of each memory. Older programs kept new lines in a file of their own.
const (
	folder  = "ledger"
	name    = "ledger.jsonl"
	oldName = "told.jsonl"

	hookWait = 50 * time.Millisecond // an agent waits for it
	longWait = 10 * time.Second

	most    = 8 << 20  // bytes, above which the older half is dropped
	maxRead = 64 << 20 // of files of older programs
)

// Off reports whether the user disabled advice, and with it the ledger, by EPISODES_OFF.
func Off(getenv func(string) string) bool {
	v := getenv("EPISODES_OFF")
	return v != "" && v != "0"
}

// open opens the folder of a memory's ledger, given its absolute path. If it does not exist, it is created if make is
// true; otherwise the error is fs.ErrNotExist.
func open(memory string, make bool) (*fsstore.Dir, error) {
	state, err := local.OpenState(make)
	if err != nil {
		return nil, err
	}
	defer state.Close()
	open := state.Existing
	if make {
		open = state.SubPrivate
	}
	return open(filepath.Join(folder, fmt.Sprint("v", Format), MemoryKey(memory)))
}

// Tell appends a delivery, given its name, to the ledger of a memory. Processes may do so concurrently.
func Tell(ctx context.Context, memory string, t Delivery) error {
	return add(ctx, memory, hookWait, []line{{Given: &t}})
}

// Note appends what followed some deliveries.
func Note(ctx context.Context, memory string, after []After) error {
	var lines []line
	for i := range after {
		lines = append(lines, line{After: &after[i]})
	}
	return add(ctx, memory, longWait, lines)
}

func add(ctx context.Context, memory string, wait time.Duration, lines []line) error {
	dir, err := open(memory, true)
	if err != nil {
		return err
	}
	defer dir.Close()
	return locked(ctx, wait, func() error { return dir.AppendPrivate(name, encoded(lines), most) })
}

// locked does something under the lock of the state folder.
func locked(ctx context.Context, wait time.Duration, do func() error) error {
	l, err := local.LockState(ctx, wait, "episodes")
	if err != nil {
		return err
	}
	defer func() { _ = l.Release() }()
	return do()
}

// encoded begins each line with a line end, which separates it from an incomplete line of a killed process.
func encoded(lines []line) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // ends each line; these types cannot fail
	for _, v := range lines {
		v.Format = Format
		b.WriteByte('\n')
		_ = enc.Encode(v)
	}
	return b.Bytes()
}

// Open reads the ledger of a memory, which is empty if nothing was told.
func Open(memory string) (*Ledger, error) {
	dir, err := open(memory, false)
	if errors.Is(err, fs.ErrNotExist) {
		return New(), nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	defer dir.Close()
	return ledgerIn(dir)
}

func ledgerIn(dir *fsstore.Dir) (*Ledger, error) {
	l := New()
	data, err := read(dir)
	l.read(data, all)
	return l, err
}

func all([]byte) bool { return true }

func read(dir *fsstore.Dir) (all []byte, err error) {
	for _, name := range []string{name, oldName} {
		data, err := dir.ReadLarge(name, maxRead)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the ledger: %w", err)
		}
		all = append(append(all, data...), '\n')
	}
	return all, nil
}

// Silent reports whether a fact is told no more as a single line. An agent waits for it, so that only lines that bear on it are
// parsed.
func Silent(memory string, p Place) bool {
	dir, err := open(memory, false)
	if err != nil {
		return false
	}
	defer dir.Close()
	data, _ := read(dir) // of what cannot be read nothing is silent
	l, brief := New(), []byte(`"kind":"`+KindBrief+`"`)
	l.read(data, func(text []byte) bool {
		return !bytes.Contains(text, brief) && bytes.Contains(text, []byte(p.Episode))
	})
	if len(l.deliveries) < muteAfter {
		return false
	}
	l.read(data, func(text []byte) bool {
		for id := range l.deliveries {
			if bytes.Contains(text[:min(len(text), 64)], []byte(id)) { // where the id stands
				return true
			}
		}
		return false
	})
	return silent(byFact(l.events())[p])
}

// Forget drops what concerns some episodes and sessions, which are given by SessionKey.
func Forget(ctx context.Context, memory string, episodes, sessions []string) error {
	dir, err := open(memory, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	return locked(ctx, longWait, func() error {
		l, err := ledgerIn(dir)
		if err != nil {
			return err
		}
		l.forget(episodes, sessions)
		if err := dir.WritePrivate(name, encoded(l.lines())); err != nil {
			return err
		}
		if err := dir.Remove(oldName); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}
