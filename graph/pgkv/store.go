package pgkv

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"episodes/graph/engine"
	"episodes/internal/lock"
)

// store is a project in a database, opened for a format.
type store struct {
	database, project string
	format            int
	err               error // of the URL

	mu   sync.Mutex
	made map[string]*made // generations that are not published
}

var _ engine.Store = (*store)(nil)

// Open returns the store of a URL for generations of a format.
func Open(url string, format int) engine.Store {
	s := &store{format: format, made: map[string]*made{}}
	s.database, s.project, s.err = split(url)
	if s.err == nil && s.project == "" {
		s.err = fmt.Errorf("%w: it names no project", errURL)
	}
	return s
}

// closing bounds what is done after the question is answered.
const closing = 10 * time.Second

// Lock takes an advisory lock of a session that does nothing else, and leaves a new number
// for the transactions that write.
func (s *store) Lock(ctx context.Context, w engine.Wait) (func(), error) {
	if s.err != nil {
		return nil, s.err
	}
	conn, err := s.connect(ctx, w.Who)
	if err != nil {
		return nil, err
	}
	id, err := s.makeProject(ctx, conn)
	if err == nil {
		err = lock.Wait(ctx, "project "+s.project, w.Timeout, func() (free bool, err error) {
			err = conn.QueryRow(ctx, "select pg_try_advisory_lock($1)", lockKey(id)).Scan(&free)
			return free, s.failed("lock", err)
		})
	}
	if err == nil {
		_, err = conn.Exec(ctx, "update "+Schema+".project set writer = writer + 1 where id = $1", id)
		err = s.failed("lock", err)
	}
	end := func() {
		ctx, cancel := context.WithTimeout(context.Background(), closing)
		defer cancel()
		_ = conn.Close(ctx) // the server gives the lock back when the session ends, however it ends
	}
	if err != nil {
		end()
		return nil, err
	}
	return sync.OnceFunc(end), nil
}

func lockKey(project int64) int64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, "episodes project "+strconv.FormatInt(project, 10))
	return int64(h.Sum64())
}

// makeProject returns the id of the project; where there is none, or no tables, it makes them.
func (s *store) makeProject(ctx context.Context, conn *pgx.Conn) (id int64, err error) {
	const find = "select id from " + Schema + ".project where name = $1"
	err = conn.QueryRow(ctx, find, s.project).Scan(&id)
	if missingTables(err) {
		if err = makeTables(ctx, conn); err == nil {
			err = conn.QueryRow(ctx, find, s.project).Scan(&id)
		}
	}
	if errors.Is(err, pgx.ErrNoRows) {
		if _, err = conn.Exec(ctx, "insert into "+Schema+".project (name) values ($1) on conflict (name) do nothing", s.project); err == nil {
			err = conn.QueryRow(ctx, find, s.project).Scan(&id)
		}
	}
	return id, s.failed("make", err)
}

// makeTables makes the tables, one process at a time: two that make the same thing at once
// fail in PostgreSQL.
func makeTables(ctx context.Context, conn *pgx.Conn) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", lockKey(0)); err != nil {
			return err
		}
		for _, sql := range Tables() {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		return nil
	})
}

// current is what the row of a project says.
type current struct {
	id, writer int64
	generation *int64
	format     *int
}

// querier is a connection or a transaction.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func (s *store) current(ctx context.Context, q querier) (c current, err error) {
	err = q.QueryRow(ctx, "select id, writer, p.generation, format from "+Schema+".project p left join "+Schema+".graph_generation g on g.project = p.id and g.generation = p.generation where name = $1", s.project).
		Scan(&c.id, &c.writer, &c.generation, &c.format)
	switch {
	case missingTables(err), errors.Is(err, pgx.ErrNoRows), err == nil && c.generation == nil:
		return c, fmt.Errorf("%w: project %q", engine.ErrMissing, s.project)
	case err != nil:
		return c, s.failed("open", err)
	case c.format == nil:
		return c, fmt.Errorf("open project %q: its current graph is not there: %w", s.project, engine.ErrDamaged)
	case *c.format != s.format:
		return c, fmt.Errorf("open project %q: %w", s.project, &engine.FormatError{Found: *c.format, Want: s.format})
	}
	return c, nil
}

// Read begins the transaction in which all of the generation is read.
func (s *store) Read(ctx context.Context, w engine.Wait) (engine.Generation, error) {
	return s.open(ctx, w, func(g *generation) (err error) {
		if g.snapshot, err = g.begin(ctx, pgx.ReadOnly); err != nil {
			return err
		}
		c, err := s.current(ctx, g.snapshot)
		g.use(c)
		return err
	})
}

// Write opens the generation for transactions that each see their own moment.
func (s *store) Write(ctx context.Context, w engine.Wait) (engine.Generation, error) {
	return s.open(ctx, w, func(g *generation) error {
		c, err := s.current(ctx, g.pool)
		g.use(c)
		return err
	})
}

func (s *store) open(ctx context.Context, w engine.Wait, begin func(*generation) error) (engine.Generation, error) {
	if err := errors.Join(s.err, ctx.Err()); err != nil {
		return nil, err
	}
	c, err := s.config(w.Who)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, s.failed("connect", err)
	}
	g := &generation{store: s, pool: pool, turn: make(chan struct{}, 1)}
	if err := begin(g); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// do runs statements in one transaction on a connection of their own.
func (s *store) do(what string, fn func(ctx context.Context, tx pgx.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour) // a generation can be large
	defer cancel()
	conn, err := s.connect(ctx, "")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return s.failed(what, pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return fn(ctx, tx) }))
}

// Sweep removes all generations but the current one: those that have begun to be read are
// still read.
func (s *store) Sweep() error {
	err := s.do("remove a graph from", func(ctx context.Context, tx pgx.Tx) error {
		for _, table := range []string{"graph_kv", "graph_generation"} {
			const old = " where project = (select id from " + Schema + ".project where name = $1) and generation is distinct from (select generation from " + Schema + ".project where name = $1)"
			if _, err := tx.Exec(ctx, "delete from "+Schema+"."+table+old, s.project); err != nil {
				return err
			}
		}
		return nil
	})
	if missingTables(err) {
		return nil
	}
	return err
}

// lost reports whether a connection broke.
func lost(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || strings.Contains(err.Error(), "conn closed")
}
