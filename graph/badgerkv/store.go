package badgerkv

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"episodes/graph/engine"
	"episodes/internal/fsstore"
	"episodes/internal/lazy"
	"episodes/internal/lock"
)

// Store is an engine.Store in a directory:
//
//	CURRENT      the name of the current generation, and the token of who made it
//	gen-000001/  a generation: a Badger database
//	write.lock   held by the one writer, for as long as it works
//	gate.lock    held by readers together, or by the writer alone while it has
//	             the current generation open or removes an old one
//
// A writer that waits for the gate says so in write.lock, and readers that come later let
// it go first. Otherwise readers that keep coming would hold the gate for ever.
//
// The directory itself may be a link: it is the caller's. Nothing in it may: what came
// with a repository must not lead out of it. All entries of a generation are looked at
// before Badger, which opens files by their path, sees it. Another process of the same
// user that replaces them between the look and the opening is not kept out.
//
// A store that was opened with a token takes a CURRENT without this token for none, and
// so opens nothing that somebody else put there.
type Store struct {
	dir     string
	version uint16
	token   string // "": any will do

	writer atomic.Pointer[lock.Lock] // writeLock, while Lock holds it
}

var _ engine.Store = (*Store)(nil)

// OpenStore returns the store in a directory, for generations of a format. Generations
// without the token are foreign; "" accepts all. Nothing is opened before a method is called.
func OpenStore(dir string, format int, token string) *Store {
	return &Store{dir: dir, version: uint16(format), token: token}
}

const (
	currentName = "CURRENT"
	writeLock   = "write.lock"
	gateLock    = "gate.lock"
)

// maxCurrent is more than the length of currentName's content, in bytes.
const maxCurrent = 256

// maxGeneration is the last number of a generation; after it the lowest free one is
// taken.
const maxGeneration = 999_999_999

var generationName = lazy.Pattern(`^` + generationPrefix + `[0-9]{6,9}$`)

const generationPrefix = "gen-"

func (s *Store) path(name string) string { return filepath.Join(s.dir, name) }

// Lock implements engine.Store. It makes the directory and the files of the locks.
func (s *Store) Lock(ctx context.Context, w engine.Wait) (func(), error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	l, err := lock.Acquire(ctx, s.path(writeLock), w.Timeout, w.Who)
	if err != nil {
		return nil, err
	}
	// Readers make no files, and what is not there they cannot lock.
	dir, err := fsstore.Open(s.dir)
	if err != nil {
		_ = l.Release()
		return nil, err
	}
	defer dir.Close()
	file, err := dir.OpenPrivate(gateLock, os.O_CREATE|os.O_RDONLY)
	if err != nil {
		_ = l.Release()
		return nil, err
	}
	_ = file.Close()
	s.writer.Store(l)
	return func() {
		s.writer.Store(nil)
		_ = l.Release()
	}, nil
}

// gate passes through the gate, a reader after a writer that came before it.
func (s *Store) gate(ctx context.Context, w engine.Wait, exclusive bool) (*lock.Lock, error) {
	if exclusive {
		writer := s.writer.Load()
		writer.Announce(true)
		defer writer.Announce(false)
		return lock.Acquire(ctx, s.path(gateLock), w.Timeout, w.Who)
	}
	err := lock.Wait(ctx, s.path(writeLock), w.Timeout, func() (bool, error) {
		waiting, err := lock.Waiting(s.path(writeLock))
		return !waiting, err
	})
	if err != nil {
		return nil, err
	}
	return lock.Shared(ctx, s.path(gateLock), w.Timeout)
}

// current returns the name of the current generation.
// Errors: engine.ErrMissing if it does not exist or is foreign, ErrDamaged.
func (s *Store) current() (string, error) {
	var b []byte
	dir, err := fsstore.Open(s.dir)
	if err == nil {
		defer dir.Close()
		b, err = dir.ReadHead(currentName, maxCurrent)
	}
	missing := fmt.Errorf("%w: %q", engine.ErrMissing, s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fsstore.ErrNotRegular) && s.token != "":
		return "", missing
	case errors.Is(err, fsstore.ErrNotRegular):
		return "", fmt.Errorf("%w: %w", ErrDamaged, err)
	case err != nil:
		return "", err
	}
	name, token, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	if s.token != "" && token != s.token {
		return "", missing
	}
	if !generationName().MatchString(name) {
		return "", fmt.Errorf("%w: %q names no generation", ErrDamaged, s.path(currentName))
	}
	return name, nil
}

// Uses reports whether a name in the directory of a store is one that it gives.
func Uses(name string) bool {
	switch name {
	case currentName, writeLock, gateLock:
		return true
	}
	return generationName().MatchString(name) || strings.HasPrefix(name, fsstore.TempPrefix)
}

// Foreign reports whether a directory holds what no store with the token leaves there: a
// CURRENT without it, or something else in place of a lock.
func Foreign(dir, token string) bool {
	for _, name := range []string{writeLock, gateLock} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err == nil && !info.Mode().IsRegular() {
			return true
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, currentName)); err != nil {
		return false
	}
	_, err := OpenStore(dir, 0, token).current()
	return errors.Is(err, engine.ErrMissing)
}

// generation is an open generation.
type generation struct {
	*DB
	name string
	gate *lock.Lock // nil: nobody else knows of it
}

// Name implements engine.Generation.
func (g *generation) Name() string { return g.name }

// Close implements engine.Generation.
func (g *generation) Close() error {
	err := g.DB.Close()
	_ = g.gate.Release()
	return err
}

// Read implements engine.Store. After the death of a writer it opens the current
// generation for writing once, which takes up what that writer had committed.
func (s *Store) Read(ctx context.Context, w engine.Wait) (engine.Generation, error) {
	for try := 0; ; try++ {
		g, err := s.tryRead(ctx, w)
		if err == nil {
			return g, nil
		}
		if !errors.Is(err, ErrUnclean) || try == 3 {
			return nil, err
		}
		if err := s.recover(ctx, w); err != nil {
			return nil, fmt.Errorf("take up the work of a writer that died: %w", err)
		}
	}
}

func (s *Store) tryRead(ctx context.Context, w engine.Wait) (*generation, error) {
	if _, err := s.current(); err != nil {
		return nil, err // without a store there is no lock to wait for
	}
	return s.open(ctx, w, false, OpenReadOnly)
}

// recover opens the current generation for writing, if it still needs it.
func (s *Store) recover(ctx context.Context, w engine.Wait) error {
	g, err := s.open(ctx, w, true, func(dir string, version uint16) (*DB, error) {
		db, err := OpenReadOnly(dir, version)
		if errors.Is(err, ErrUnclean) {
			return Open(dir, version)
		}
		return db, err
	})
	if err != nil {
		return err
	}
	return g.Close()
}

// Write implements engine.Store. It waits for readers, and keeps them out.
func (s *Store) Write(ctx context.Context, w engine.Wait) (engine.Generation, error) {
	g, err := s.open(ctx, w, true, Open)
	if err != nil {
		return nil, err
	}
	return g, nil
}

// open opens the current generation, once it has passed the gate.
func (s *Store) open(ctx context.Context, w engine.Wait, exclusive bool,
	open func(string, uint16) (*DB, error)) (g *generation, err error) {
	gate, err := s.gate(ctx, w, exclusive)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = gate.Release()
		}
	}()
	name, err := s.current()
	if err != nil {
		return nil, err
	}
	g = &generation{name: name, gate: gate}
	// Our own programs take turns by locks, so who holds the database itself is a
	// foreign one, or one that just died: it is waited for as for a lock.
	err = lock.Wait(ctx, s.path(name), w.Timeout, func() (bool, error) {
		var err error
		g.DB, err = open(s.path(name), s.version)
		if errors.Is(err, ErrLocked) {
			return false, nil
		}
		return err == nil, err
	})
	if errors.Is(err, ErrMissing) {
		err = fmt.Errorf("%w: %q names %q, which is not there", ErrDamaged, s.path(currentName), name)
	}
	return g, err
}

// Create implements engine.Store.
func (s *Store) Create() (engine.Generation, error) {
	names, err := s.generations()
	if err != nil {
		return nil, err
	}
	if name, err := s.current(); err == nil {
		names = append(names, name)
	}
	used := map[int]bool{}
	last := 0
	for _, n := range names {
		i, _ := strconv.Atoi(strings.TrimPrefix(n, generationPrefix))
		used[i] = true
		last = max(last, i)
	}
	next := last%maxGeneration + 1
	for used[next] {
		next = next%maxGeneration + 1
	}
	name := fmt.Sprintf("%s%06d", generationPrefix, next)
	if err := os.Mkdir(s.path(name), 0o700); err != nil { // nodes may have words of private episodes
		return nil, err
	}
	g := &generation{name: name}
	// Nobody else knows the folder, but a program that this one starts at the same time
	// (git) has its lock's descriptor until it runs.
	err = lock.Wait(context.Background(), s.path(name), time.Second, func() (bool, error) {
		var err error
		g.DB, err = Create(s.path(name), s.version)
		if errors.Is(err, ErrLocked) {
			return false, nil
		}
		return err == nil, err
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// Publish implements engine.Store. It needs no gate: whoever has opened the old
// generation goes on reading it.
func (s *Store) Publish(name string) error {
	dir, err := fsstore.Open(s.dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := isFolder(s.path(name)); err != nil {
		return fmt.Errorf("publish a generation: %w", err)
	}
	if err := dir.Clear(currentName); err != nil {
		return err
	}
	if err := dir.Write(currentName, []byte(strings.TrimSpace(name+" "+s.token)+"\n")); err != nil {
		return err
	}
	if err := dir.Sync(); err != nil {
		return err
	}
	_ = s.Sweep() // leftovers cost room only
	return nil
}

// Discard implements engine.Store.
func (s *Store) Discard(name string) error {
	dir, err := fsstore.Open(s.dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.RemoveAll(name)
}

// Sweep implements engine.Store.
func (s *Store) Sweep() error {
	names, err := s.generations()
	if err != nil {
		return err
	}
	current, err := s.current()
	if err != nil && !errors.Is(err, engine.ErrMissing) {
		return nil // which one is needed is not known
	}
	var gate *lock.Lock
	for _, name := range names {
		if name == current {
			continue
		}
		if gate == nil {
			var free bool
			if gate, free, err = lock.Try(s.path(gateLock), "removing old generations"); !free || err != nil {
				return err // somebody reads; the next writer will see to it
			}
			defer gate.Release()
		}
		if err := s.Discard(name); err != nil {
			return err
		}
	}
	return s.clean()
}

// clean removes what a Publish that was killed left.
func (s *Store) clean() error {
	dir, err := fsstore.Open(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Clean()
}

// generations returns the names of all generations.
func (s *Store) generations() ([]string, error) {
	found, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range found {
		if generationName().MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}
