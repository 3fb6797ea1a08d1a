package memkv

import (
	"context"
	"fmt"
	"sync"

	"episodes/graph/engine"
	"episodes/internal/lock"
)

var (
	locationsMu sync.Mutex
	locations   = map[string]*location{}
)

// location is where a store is: what all that open it by its name share.
type location struct {
	name string

	mu      sync.Mutex
	locked  bool // a writer works
	current *named
	pending map[string]*named // generations that are not published
	last    int               // number of the newest generation
}

// named is a generation with its name.
type named struct {
	*KV
	name   string
	format int
}

// store is a location opened for a format.
type store struct {
	*location
	format int
}

var _ engine.Store = store{}

// Open returns the store of a name. There is always one; it may be empty.
func Open(name string, format int) engine.Store {
	locationsMu.Lock()
	defer locationsMu.Unlock()
	l := locations[name]
	if l == nil {
		l = &location{name: name, pending: map[string]*named{}}
		locations[name] = l
	}
	return store{l, format}
}

func (g *named) Name() string { return g.name }

// do runs fn alone.
func (l *location) do(fn func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fn()
}

func (s store) Lock(ctx context.Context, w engine.Wait) (func(), error) {
	err := lock.Wait(ctx, "mem:"+s.name, w.Timeout, func() (free bool, err error) {
		s.do(func() { free, s.locked = !s.locked, true })
		return free, nil
	})
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { s.do(func() { s.locked = false }) }), nil
}

// Read waits for nobody: a transaction sees the moment at which it began, so readers
// and the writer do not disturb each other.
func (s store) Read(ctx context.Context, _ engine.Wait) (engine.Generation, error) {
	var g *named
	s.do(func() { g = s.current })
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case g == nil:
		return nil, fmt.Errorf("%w: \"mem:%s\"", engine.ErrMissing, s.name)
	case g.format != s.format:
		return nil, fmt.Errorf("open \"mem:%s\": %w", s.name, &engine.FormatError{Found: g.format, Want: s.format})
	}
	return g, nil
}

// Write is Read: any open generation can be written to.
func (s store) Write(ctx context.Context, w engine.Wait) (engine.Generation, error) {
	return s.Read(ctx, w)
}

func (s store) Create() (engine.Generation, error) {
	g := &named{KV: New(), format: s.format}
	s.do(func() {
		s.last++
		g.name = fmt.Sprintf("gen-%06d", s.last)
		s.pending[g.name] = g
	})
	return g, nil
}

// Publish leaves readers the generation that they opened.
func (s store) Publish(name string) (err error) {
	s.do(func() {
		g := s.pending[name]
		if g == nil {
			err = fmt.Errorf("publish \"mem:%s\": there is no new generation %q", s.name, name)
			return
		}
		delete(s.pending, name)
		s.current = g
	})
	return err
}

func (s store) Discard(name string) error {
	s.do(func() { delete(s.pending, name) })
	return nil
}

func (s store) Sweep() error {
	s.do(func() { clear(s.pending) })
	return nil
}
