package pgkv

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"episodes/graph/engine"
	"episodes/internal/lock"
	"episodes/internal/pg"
)

// store is a project in a database, opened for a format.
type store struct {
	db     *pg.DB
	format int
	err    error // of the URL

	mu   sync.Mutex
	made map[string]*made // generations that are not published
}

var _ engine.Store = (*store)(nil)

// Open returns the store of a URL for generations of a format.
func Open(url string, format int) engine.Store {
	s := &store{format: format, made: map[string]*made{}}
	s.db, s.err = pg.Parse(url)
	if s.err == nil && s.db.Project == "" {
		s.err = fmt.Errorf("%w: it names no project", pg.ErrURL)
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
	conn, err := s.db.Connect(ctx, w.Who)
	if err != nil {
		return nil, err
	}
	id, err := s.db.MakeProject(ctx, conn)
	if err == nil {
		err = lock.Wait(ctx, "project "+s.db.Project, w.Timeout, func() (free bool, err error) {
			err = conn.QueryRow(ctx, "select pg_try_advisory_lock($1)", lockKey(id)).Scan(&free)
			return free, s.db.Failed("lock", err)
		})
	}
	if err == nil {
		var done pgconn.CommandTag
		done, err = conn.Exec(ctx, "update episodes.project set writer = writer + 1 where id = $1", id)
		if err == nil && done.RowsAffected() == 0 {
			err = pg.ErrRefused // since a moment ago
		}
		err = s.db.Failed("lock", err)
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

// current is what the row of a project says.
type current struct {
	id, writer int64
	generation *int64
	format     *int
	version    *int // of the tables
}

func (s *store) current(ctx context.Context, q pg.Querier) (c current, err error) {
	err = q.QueryRow(ctx, "select id, writer, p.generation, format, (select version from episodes.store) from episodes.project p left join episodes.graph_generation g on g.project = p.id and g.generation = p.generation where name = $1", s.db.Project).
		Scan(&c.id, &c.writer, &c.generation, &c.format, &c.version)
	switch {
	case err == nil && (c.version == nil || *c.version != pg.Version):
		return c, s.db.Failed("open", pg.OtherVersion(c.version))
	case errors.Is(err, pgx.ErrNoRows), err == nil && c.generation == nil:
		return c, fmt.Errorf("%w: project %q", engine.ErrMissing, s.db.Project)
	case err != nil:
		return c, s.db.Failed("open", err)
	case c.format == nil:
		return c, fmt.Errorf("open project %q: its current graph is not there: %w", s.db.Project, engine.ErrDamaged)
	case *c.format != s.format:
		return c, fmt.Errorf("open project %q: %w", s.db.Project, &engine.FormatError{Found: *c.format, Want: s.format})
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
	c, err := s.db.Config(w.Who)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, s.db.Failed("connect", err)
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
	conn, err := s.db.Connect(ctx, "")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return s.db.Failed(what, pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return fn(ctx, tx) }))
}

// Sweep removes all generations but the current one: those that have begun to be read are
// still read.
func (s *store) Sweep() error {
	return s.do("remove a graph from", func(ctx context.Context, tx pgx.Tx) error {
		var project int64
		var old []int64
		rows, err := tx.Query(ctx, "delete from episodes.graph_generation g using episodes.project p where p.name = $1 and g.project = p.id and g.generation is distinct from p.generation returning p.id, g.generation", s.db.Project)
		if err != nil {
			return err
		}
		var number int64
		_, err = pgx.ForEachRow(rows, []any{&project, &number}, func() error {
			old = append(old, number)
			return nil
		})
		if err != nil || len(old) == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "delete from episodes.graph_kv where project = $1 and generation = any($2)", project, old)
		return err
	})
}
