package graph

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"episodes/graph/badgerkv"
	"episodes/internal/lock"
)

// folder is a store in a directory:
//
//	CURRENT      the name of the current generation
//	gen-000001/  a generation: a Badger database
//	write.lock   held by the one writer, for as long as it works
//	gate.lock    held by readers together, or by the writer alone while it has
//	             the current generation open or removes an old one
//	turn.lock    held while waiting for the gate, so that a writer is not passed
//	             over by readers that keep coming
type folder struct {
	dir string
	rules
}

const (
	currentName = "CURRENT"
	writeLock   = "write.lock"
	gateLock    = "gate.lock"
	turnLock    = "turn.lock"
)

var generationName = regexp.MustCompile(`^gen-[0-9]{6,9}$`)

func (f folder) path(name string) string { return filepath.Join(f.dir, name) }

func (f folder) version() uint16 { return uint16(f.rules.format) }

func (f folder) writer(ctx context.Context, opt Options) (func(), error) {
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return nil, err
	}
	l, err := lock.Acquire(ctx, f.path(writeLock), opt.lockTimeout(), opt.Who)
	if err != nil {
		return nil, err
	}
	// Readers make no files, and what is not there they cannot lock.
	for _, name := range []string{gateLock, turnLock} {
		file, err := os.OpenFile(f.path(name), os.O_CREATE|os.O_RDONLY, 0o644)
		if err != nil {
			_ = l.Release()
			return nil, err
		}
		_ = file.Close()
	}
	return func() { _ = l.Release() }, nil
}

// gate passes through the gate, after whoever came before.
func (f folder) gate(ctx context.Context, opt Options, exclusive bool) (*lock.Lock, error) {
	take := func(name string) (*lock.Lock, error) {
		if exclusive {
			return lock.Acquire(ctx, f.path(name), opt.lockTimeout(), opt.Who)
		}
		return lock.Shared(ctx, f.path(name), opt.lockTimeout())
	}
	turn, err := take(turnLock)
	if err != nil {
		return nil, err
	}
	defer turn.Release()
	return take(gateLock)
}

// current returns the name of the current generation. ErrMissing when there is none.
func (f folder) current() (string, error) {
	b, err := os.ReadFile(f.path(currentName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %q", ErrMissing, f.dir)
	}
	if err != nil {
		return "", err
	}
	name := strings.TrimSpace(string(b))
	if !generationName.MatchString(name) {
		return "", fmt.Errorf("%w: %q names no generation", ErrDamaged, f.path(currentName))
	}
	return name, nil
}

func (f folder) read(ctx context.Context, opt Options) (*generation, error) {
	for try := 0; ; try++ {
		g, err := f.tryRead(ctx, opt)
		if err == nil || !errors.Is(err, badgerkv.ErrUnclean) || try == 3 {
			return g, err
		}
		// A writer died here. Opening for writing takes up what it had committed.
		if err := f.recover(ctx, opt); err != nil {
			return nil, fmt.Errorf("take up the work of a writer that died: %w", err)
		}
	}
}

func (f folder) tryRead(ctx context.Context, opt Options) (*generation, error) {
	if _, err := f.current(); err != nil {
		return nil, err // without a store there is no lock to wait for
	}
	gate, err := f.gate(ctx, opt, false)
	if err != nil {
		return nil, err
	}
	g, err := f.open(ctx, opt, gate, badgerkv.OpenReadOnly)
	if err != nil {
		_ = gate.Release()
	}
	return g, err
}

// recover opens the current generation for writing, once, if it still needs it.
func (f folder) recover(ctx context.Context, opt Options) error {
	gate, err := f.gate(ctx, opt, true)
	if err != nil {
		return err
	}
	defer gate.Release()
	g, err := f.open(ctx, opt, gate, badgerkv.OpenReadOnly)
	if errors.Is(err, badgerkv.ErrUnclean) {
		g, err = f.open(ctx, opt, gate, badgerkv.Open)
	}
	if err != nil {
		return err
	}
	return g.kv.Close()
}

func (f folder) write(ctx context.Context, opt Options, little bool) (*generation, error) {
	open := badgerkv.Open
	if little {
		open = badgerkv.OpenForLittle
	}
	gate, err := f.gate(ctx, opt, true)
	if err != nil {
		return nil, err
	}
	g, err := f.open(ctx, opt, gate, open)
	if err != nil {
		_ = gate.Release()
	}
	return g, err
}

func (f folder) open(ctx context.Context, opt Options, gate *lock.Lock, open func(string, uint16) (*badgerkv.DB, error)) (*generation, error) {
	name, err := f.current()
	if err != nil {
		return nil, err
	}
	kv, err := patient(ctx, f.path(name), opt, func() (keyValues, error) {
		return open(f.path(name), f.version())
	})
	if errors.Is(err, badgerkv.ErrMissing) {
		return nil, fmt.Errorf("%w: %q names %q, which is not there", ErrDamaged, f.path(currentName), name)
	}
	if err != nil {
		return nil, err
	}
	return &generation{name: name, kv: kv, free: func() { _ = gate.Release() }}, nil
}

func (f folder) create() (*newGeneration, error) {
	names, err := f.generations()
	if err != nil {
		return nil, err
	}
	last := 0
	if name, err := f.current(); err == nil {
		names = append(names, name)
	}
	for _, n := range names {
		i, _ := strconv.Atoi(strings.TrimPrefix(n, "gen-"))
		last = max(last, i)
	}
	name := fmt.Sprintf("gen-%06d", last+1)
	filler, err := badgerkv.Fill(f.path(name), f.version())
	if err != nil {
		return nil, err
	}
	return &newGeneration{name, f.path(name), filler}, nil
}

// publish needs no gate: whoever has opened the old generation goes on reading it.
func (f folder) publish(g *newGeneration) error {
	tmp := f.path(currentName + ".tmp")
	if err := writeSynced(tmp, g.name+"\n"); err != nil {
		return err
	}
	if err := os.Rename(tmp, f.path(currentName)); err != nil {
		return err
	}
	syncFolder(f.dir)
	_ = f.sweep() // what is left costs room and nothing else; an error would discard g
	return nil
}

func (f folder) discard(g *newGeneration) error { return os.RemoveAll(f.path(g.name)) }

func (f folder) sweep() error {
	names, err := f.generations()
	if err != nil {
		return err
	}
	current, err := f.current()
	if err != nil && !errors.Is(err, ErrMissing) {
		return nil // which one is needed cannot be told
	}
	var gate *lock.Lock
	for _, name := range names {
		if name == current {
			continue
		}
		if gate == nil {
			var free bool
			if gate, free, err = lock.Try(f.path(gateLock), "removing old generations"); !free || err != nil {
				return err // somebody reads; the next writer will see to it
			}
			defer gate.Release()
		}
		if err := os.RemoveAll(f.path(name)); err != nil {
			return err
		}
	}
	return nil
}

// generations returns the names of all generations.
func (f folder) generations() ([]string, error) {
	found, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range found {
		if generationName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (f folder) older() bool {
	name, err := f.current()
	if err != nil {
		return false
	}
	for v := f.version() - 1; v > 0; v-- {
		kv, err := badgerkv.OpenReadOnly(f.path(name), v)
		if err == nil {
			_ = kv.Close()
		}
		if !errors.Is(err, badgerkv.ErrVersion) {
			return true
		}
	}
	return false
}

func writeSynced(path, text string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err == nil {
		err = file.Sync()
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	return err
}

// syncFolder makes names in a folder outlive a loss of power, where it can be done.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
