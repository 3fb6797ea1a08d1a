package graph

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"episodes/graph/badgerkv"
	"episodes/internal/lock"
	"episodes/keys"
)

// Format is the version of the layout that doc.go describes.
//
//	1  the first
//	2  edges into a node by type, and with the frequency of their source
//	3  no punctuation before the colon in the labels of decisions
//	4  episodes of older tools count as causal.OfOlderTool says
const Format = 4

// rules are what a store must agree on with the program that opens it.
type rules struct{ format, keys int }

var ours = rules{Format, keys.Version}

// place is where a store is: generations, one of which is current, and locks.
type place interface {
	// writer keeps other writers out, until release is called.
	writer(ctx context.Context, opt Options) (release func(), err error)
	// read opens the current generation for reading. The closer also lets
	// writers at it again. Errors: ErrMissing, ErrDamaged, ErrVersion,
	// *lock.TimeoutError.
	read(ctx context.Context, opt Options) (*generation, error)
	// write opens the current generation for writing, with nobody reading it.
	// Only a writer may call it, and what follows. For a little change it may
	// open it in a way that takes no larger one.
	write(ctx context.Context, opt Options, little bool) (*generation, error)
	// create begins a new generation, which nobody sees.
	create() (*newGeneration, error)
	// publish makes a new, closed generation the current one, and removes the
	// others unless somebody reads them; discard removes it instead.
	publish(g *newGeneration) error
	discard(g *newGeneration) error
	// sweep removes generations that are not current, unless somebody reads them.
	sweep() error
	// older reports whether the current generation, which has another format, is
	// of an older one.
	older() bool
}

// generation is an open generation.
type generation struct {
	name string
	kv   keyValues
	free func() // gives up locks
}

func (g *generation) close() error {
	err := g.kv.Close()
	g.free()
	return err
}

// newGeneration is a generation in the making.
type newGeneration struct {
	name string
	dir  string // for files that are needed while it is made; "": none
	sink
}

// sink takes the keys of a new generation in ascending order, each with its value,
// of which it keeps no reference.
type sink interface {
	Put(key, value []byte) error
	Close() error // ends it: now all is there, and outlives a loss of power
	Cancel()      // gives it up, unless it is closed
}

// at returns the place that a URL names.
func at(url string) (place, error) {
	scheme, rest, ok := strings.Cut(url, ":")
	switch {
	case ok && scheme == "badger" && rest != "":
		return folder{dir: rest, rules: ours}, nil
	case ok && scheme == "mem":
		return memory(rest), nil
	}
	return nil, fmt.Errorf("%w: %q, want badger:DIR or mem:NAME", ErrURL, url)
}

// reading opens the current generation of a place, and a transaction on it.
func reading(ctx context.Context, p place, opt Options) (*generation, *transaction, error) {
	g, err := p.read(ctx, opt)
	if err != nil {
		return nil, nil, err
	}
	t := &transaction{kv: g.kv}
	if err := t.begin(ctx, false); err != nil {
		_ = g.close()
		return nil, nil, err
	}
	return g, t, nil
}

const defaultLockTimeout = 10 * time.Second

func (o Options) lockTimeout() time.Duration {
	if o.LockTimeout == 0 {
		return defaultLockTimeout
	}
	return max(o.LockTimeout, 0)
}

// patient repeats open while another program holds the store, within the time
// that one waits for a lock: our own programs take turns by locks, so this is a
// foreign one, or one that just died.
func patient(ctx context.Context, path string, opt Options, open func() (keyValues, error)) (kv keyValues, err error) {
	var opened keyValues
	err = lock.Wait(ctx, path, opt.lockTimeout(), func() (bool, error) {
		var err error
		opened, err = open()
		if errors.Is(err, badgerkv.ErrLocked) {
			return false, nil
		}
		return err == nil, err
	})
	return opened, err
}

// readMeta reads the record that says what the store is. ErrVersion when this is
// not what want says.
func readMeta(ctx context.Context, t *transaction, want rules) (metaRecord, error) {
	var m metaRecord
	v, err := t.get(ctx, []byte(keyMeta))
	if err != nil {
		return m, err
	}
	if v == nil {
		return m, badKey([]byte(keyMeta), "missing")
	}
	// The first two fields are the same in every version; the others are not.
	var head []any
	if err := decode([]byte(keyMeta), v, &head); err != nil {
		return m, err
	}
	if len(head) < 2 {
		return m, badKey([]byte(keyMeta), "too short")
	}
	found := rules{asInt(head[0]), asInt(head[1])}
	if found.format != want.format {
		return m, fmt.Errorf("%w: found format %d, want %d", ErrVersion, found.format, want.format)
	}
	if found.keys != want.keys {
		return m, fmt.Errorf("%w: %w: found version %d of them, want %d", ErrVersion, errOtherKeys, found.keys, want.keys)
	}
	return m, decode([]byte(keyMeta), v, &m)
}

// errOtherKeys is the ErrVersion that needs only a rebuild, not another program.
var errOtherKeys = errors.New("it was made with other key rules")

func asInt(v any) int {
	switch n := v.(type) {
	case uint64:
		return int(n)
	case int64:
		return int(n)
	}
	return -1
}
