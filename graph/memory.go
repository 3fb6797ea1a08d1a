package graph

import (
	"context"
	"fmt"
	"sync"

	"episodes/internal/lock"
)

// Stores in memory live as long as the process, each under its name.
var (
	memoriesMu sync.Mutex
	memories   = map[string]*memoryStore{}
)

// memoryStore is a place in memory. It takes turns as a folder does: one writer,
// and beside it readers or the writing itself.
type memoryStore struct {
	name string

	mu      sync.Mutex
	writing bool // a writer works
	gate    int  // readers of the current generation; -1: it is open for writing
	current *sortedMap
	number  int // of the current generation
}

func memory(name string) *memoryStore {
	memoriesMu.Lock()
	defer memoriesMu.Unlock()
	m := memories[name]
	if m == nil {
		m = &memoryStore{name: name}
		memories[name] = m
	}
	return m
}

// wait waits until try, called under the mutex, succeeds.
func (m *memoryStore) wait(ctx context.Context, opt Options, try func() bool) error {
	return lock.Wait(ctx, "mem:"+m.name, opt.lockTimeout(), func() (bool, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		return try(), nil
	})
}

func (m *memoryStore) do(fn func()) func() {
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		fn()
	}
}

func (m *memoryStore) writer(ctx context.Context, opt Options) (func(), error) {
	err := m.wait(ctx, opt, func() bool {
		free := !m.writing
		m.writing = true
		return free
	})
	return m.do(func() { m.writing = false }), err
}

func (m *memoryStore) read(ctx context.Context, opt Options) (*generation, error) {
	var g *generation
	err := m.wait(ctx, opt, func() bool {
		if m.gate < 0 {
			return false
		}
		if m.current != nil {
			m.gate++
			g = m.opened()
			g.free = m.do(func() { m.gate-- })
		}
		return true
	})
	if err == nil && g == nil {
		err = m.missing()
	}
	return g, err
}

func (m *memoryStore) write(ctx context.Context, opt Options, _ bool) (*generation, error) {
	var g *generation
	err := m.wait(ctx, opt, func() bool {
		if m.gate != 0 {
			return false
		}
		if m.current != nil {
			m.gate = -1
			g = m.opened()
			g.free = m.do(func() { m.gate = 0 })
		}
		return true
	})
	if err == nil && g == nil {
		err = m.missing()
	}
	return g, err
}

func (m *memoryStore) missing() error { return fmt.Errorf("%w: \"mem:%s\"", ErrMissing, m.name) }

func (m *memoryStore) opened() *generation {
	return &generation{name: m.generation(m.number), kv: m.current}
}

func (m *memoryStore) generation(n int) string { return fmt.Sprintf("gen-%06d", n) }

func (m *memoryStore) create() (*newGeneration, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &newGeneration{name: m.generation(m.number + 1), sink: newSortedMap()}, nil
}

func (m *memoryStore) publish(g *newGeneration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.current = g.sink.(*sortedMap)
	m.number++
	return nil
}

func (m *memoryStore) discard(*newGeneration) error { return nil }
func (m *memoryStore) sweep() error                 { return nil }
func (m *memoryStore) older() bool                  { return false }
