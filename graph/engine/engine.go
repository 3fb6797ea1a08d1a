// Package engine defines the interface of the databases that store a causal graph. It is
// the contract between package graph, which implements the graph, and the engines in the
// sibling folders, each of which adapts a database.
//
// # What an engine is
//
// A [Store] is one location. It holds generations: complete key-value databases,
// of which at most one is current. An update changes the current generation, in
// transactions; a rebuild fills a new generation that nobody sees and then
// publishes it. Package graph writes Cayley's quads and its own records under keys
// of its choice in one transaction, so an engine needs no idea of either: one SQL
// table of (generation, key, value), with a row that names the current generation,
// is enough.
//
// # What must hold
//
// Atomic: a transaction is there as a whole or not at all, also after the death of
// the process at any moment, and so is Publish. There is no repair step: whoever
// opens the store next sees the last committed state.
//
// Durable: when Generation.Close or Publish has returned without an error, what was
// written outlives a loss of power. A commit alone outlives the death of its process.
//
// Isolated: a read transaction sees the state of the moment at which it began. A
// write transaction sees its own writes. Readers of the current generation never
// see a new one that is not published, and go on reading the old one after it is.
//
// Exclusive: [Store.Lock] admits one writer at a time, among all processes that use
// the store. An engine without multi-version reads may let Write wait for readers,
// and Read for a writer; both waits end as [Wait] says, in a *lock.TimeoutError.
//
// Left by a crash: a new generation that was never published, and an old one that
// was not removed. Neither is ever seen; Sweep removes them.
//
// Limits: keys of up to 2 KB and values of up to 1 MB fit; keys compare byte by
// byte. A transaction may have a limit of some megabytes, beyond which it answers
// ErrTooBig: the caller gives it up and uses smaller ones.
//
// Package enginetest checks this on every engine, and graphtest the laws of graphs. Kills, damaged
// files and a full disk are tested by each engine.
package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hidal-go/hidalgo/kv/flat"
)

// What a caller has to decide on. Errors of engines wrap these.
var (
	// ErrMissing: the store has no current generation. Make one.
	ErrMissing = errors.New("no graph there")
	// ErrDamaged: the store contradicts itself or its checksums. Rebuild it.
	ErrDamaged = errors.New("the database is damaged")
	// ErrVersion: the current generation is sound and of another format; where it is
	// the caller's format that differs, the error is a *FormatError.
	ErrVersion = errors.New("the database has another format")
	// ErrFull: there is too little room to write safely. Make room.
	ErrFull = errors.New("too little free space")
	// ErrTooBig: the transaction, or one entry of it, is larger than a transaction
	// can be. The entry was not taken, the transaction stays as it was before.
	ErrTooBig = errors.New("the transaction is too big")
	// ErrLost: the connection to the store was lost, or it gave way to somebody else.
	// Nothing is half done. Do all of it again, from opening the store on.
	ErrLost = errors.New("lost the connection to the store")
)

// FormatError says that the current generation was created with another format
// than the store was opened with. errors.Is finds ErrVersion in it.
type FormatError struct{ Found, Want int }

func (e *FormatError) Error() string {
	if e.Newer() {
		return fmt.Sprintf("%v: version %d, of a newer program; this one knows %d", ErrVersion, e.Found, e.Want)
	}
	return fmt.Sprintf("%v: found version %d, want %d", ErrVersion, e.Found, e.Want)
}

// Newer reports whether a newer program made the store.
func (e *FormatError) Newer() bool { return e.Found > e.Want }

// Is makes errors.Is(err, ErrVersion) true.
func (e *FormatError) Is(target error) bool { return target == ErrVersion }

// Wait says how long to wait for other processes.
type Wait struct {
	Timeout time.Duration // 0: not at all
	Who     string        // the command, for those who wait
}

// Store is a location where a graph is or can be. It is opened for one format: a
// number that each new generation gets and that opening the current one compares.
// Nothing is touched before a method is called.
type Store interface {
	// Lock keeps other writers out until release is called. Everything below Read
	// may be called by its holder only. It may make the location (a folder, a table).
	// Errors: *lock.TimeoutError, the error of ctx.
	Lock(ctx context.Context, w Wait) (release func(), err error)

	// Read opens the current generation for reading. It changes nothing, except that
	// it may complete what a writer that died had committed.
	// Errors: ErrMissing, ErrDamaged, ErrVersion, *lock.TimeoutError, that of ctx.
	Read(ctx context.Context, w Wait) (Generation, error)

	// Write opens the current generation for reading and writing.
	// Errors: those of Read, and ErrFull.
	Write(ctx context.Context, w Wait) (Generation, error)
	// Create begins a new, empty generation, open for writing, that nobody else sees.
	// Errors: ErrFull.
	Create() (Generation, error)
	// Publish makes a generation that Create began, and that is closed, the current
	// one, in one step. Then it sweeps, as far as that succeeds.
	Publish(name string) error
	// Discard removes a generation that Create began, and that is closed.
	Discard(name string) error
	// Sweep removes generations that are not current, unless somebody reads them.
	Sweep() error
}

// Generation is an open generation: ordered keys and values, as Cayley takes them.
// Transactions scan with iterators that also seek (flat.Seeker) and keep to a
// prefix (flat.PrefixIterator); one write transaction runs at a time. Close ends
// the use of it and lets others at it again.
type Generation interface {
	flat.KV
	// Name is the name of the generation, for people and for Publish.
	Name() string
	// Verify compares all that is stored with its checksums. Errors: ErrDamaged.
	Verify() error
	// Size returns the bytes that the generation takes.
	Size() (int64, error)
}

// Again calls fn again while it fails with ErrLost and the time of w is not over: a server
// may come back, or another one take its place.
func Again(ctx context.Context, w Wait, fn func() error) error {
	const first, longest = 50 * time.Millisecond, 2 * time.Second
	end := time.Now().Add(w.Timeout)
	for pause := first; ; pause = min(2*pause, longest) {
		err := fn()
		if !errors.Is(err, ErrLost) || time.Now().Add(pause).After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}
