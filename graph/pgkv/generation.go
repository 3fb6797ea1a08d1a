package pgkv

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/hidal-go/hidalgo/kv/flat"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"episodes/graph/engine"
	"episodes/internal/pg"
)

// generation is an open generation.
type generation struct {
	*store
	pool                    *pgxpool.Pool
	project, number, writer int64
	turn                    chan struct{} // holds one token while a transaction writes

	mu       sync.Mutex // of the snapshot: a connection does one thing at a time
	snapshot pgx.Tx     // nil where it was not opened for reading only
}

var _ engine.Generation = (*generation)(nil)

func (g *generation) use(c current) {
	g.project, g.writer = c.id, c.writer
	if c.generation != nil {
		g.number = *c.generation
	}
}

// Name is the number of the generation.
func (g *generation) Name() string { return fmt.Sprintf(generationName, g.number) }

// Close ends the snapshot and the connections.
func (g *generation) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.snapshot != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closing)
		defer cancel()
		_ = g.snapshot.Rollback(ctx) // nothing was written in it
	}
	g.pool.Close()
	return nil
}

func (g *generation) begin(ctx context.Context, mode pgx.TxAccessMode) (pgx.Tx, error) {
	tx, err := g.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: mode})
	return tx, g.db.Failed("begin in", err)
}

// Tx begins a transaction. That of a generation which is only read is the one that it was
// opened with.
func (g *generation) Tx(ctx context.Context, rw bool) (flat.Tx, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := &tx{g: g, seen: map[string]flat.Value{}}
	if g.snapshot != nil {
		if rw {
			return nil, flat.ErrReadOnly
		}
		t.rows = g.snapshot
		return t, nil
	}
	mode := pgx.ReadOnly
	if rw {
		select {
		case g.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		mode, t.changes = pgx.ReadWrite, map[string]flat.Value{}
	}
	var err error
	if t.own, err = g.begin(ctx, mode); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	t.rows = t.own
	// The first statement takes the snapshot.
	sql := "select writer from episodes.project where id = $1"
	if rw {
		sql += " for update"
	}
	var writer int64
	if err := t.own.QueryRow(ctx, sql, g.project).Scan(&writer); err != nil {
		return nil, errors.Join(g.db.Failed("begin in", err), t.Close())
	}
	if rw && writer != g.writer {
		return nil, errors.Join(g.db.Failed("write to", errTakenOver), t.Close())
	}
	return t, nil
}

// errTakenOver: the lock was lost with its session, and another writer has it.
var errTakenOver = fmt.Errorf("%w: another writer has taken over", engine.ErrLost)

// View runs fn in a read transaction.
func (g *generation) View(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.View(ctx, g, fn)
}

// Update runs fn in a write transaction and commits it when fn returns nil.
func (g *generation) Update(ctx context.Context, fn func(tx flat.Tx) error) error {
	return flat.Update(ctx, g, fn)
}

// Verify reads everything: the server compares its checksums, where it keeps some.
func (g *generation) Verify() error {
	_, err := g.Size()
	return err
}

// Size is the length of all keys and values.
func (g *generation) Size() (n int64, err error) {
	const sql = "select coalesce(sum(length(key) + length(value)), 0)::bigint from episodes.graph_kv where project = $1 and generation = $2"
	ctx := context.Background()
	g.mu.Lock()
	defer g.mu.Unlock()
	var q pg.Querier = g.pool
	if g.snapshot != nil {
		q = g.snapshot
	}
	err = q.QueryRow(ctx, sql, g.project, g.number).Scan(&n)
	return n, g.db.Failed("measure", err)
}
