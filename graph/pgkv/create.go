package pgkv

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hidal-go/hidalgo/kv/flat"
	"github.com/jackc/pgx/v5"

	"episodes/graph/badgerkv"
	"episodes/graph/engine"
)

// made is a new generation. Whoever makes one reads what it wrote all the time, which would
// be a round trip each; so it is made in a folder of this machine, and copied when it is
// published.
type made struct {
	engine.Generation
	local          engine.Store
	folder         *scratch
	number, writer int64
}

const generationName = "gen-%06d"

// Name is the number that the generation will have in the store.
func (m *made) Name() string { return fmt.Sprintf(generationName, m.number) }

// Create begins a generation with the next number of the project.
func (s *store) Create() (engine.Generation, error) {
	m := &made{}
	err := s.do("make a graph for", func(ctx context.Context, tx pgx.Tx) error {
		return tx.QueryRow(ctx, "update episodes.project set last = last + 1 where name = $1 returning last, writer", s.db.Project).Scan(&m.number, &m.writer)
	})
	if err != nil {
		return nil, err
	}
	if m.folder, err = newScratch(); err != nil {
		return nil, err
	}
	m.local = badgerkv.OpenStore(m.folder.dir, s.format, "")
	if m.Generation, err = m.local.Create(); err != nil {
		return nil, errors.Join(err, m.folder.remove())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made[m.Name()] = m
	return m, nil
}

// take gives a generation that was made out of hand.
func (s *store) take(name string) (*made, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.made[name]
	if m == nil {
		return nil, fmt.Errorf("project %q has no new graph %q", s.db.Project, name)
	}
	delete(s.made, name)
	return m, nil
}

// Publish copies the generation and makes it the current one, in one transaction.
func (s *store) Publish(name string) error {
	m, err := s.take(name)
	if err != nil {
		return err
	}
	defer m.folder.remove()
	if err := m.local.Publish(m.Generation.Name()); err != nil {
		return err
	}
	from, err := m.local.Read(context.Background(), engine.Wait{})
	if err != nil {
		return err
	}
	defer from.Close()
	err = s.do("publish a graph of", func(ctx context.Context, tx pgx.Tx) error {
		var id, writer int64
		if err := tx.QueryRow(ctx, "select id, writer from episodes.project where name = $1 for update", s.db.Project).Scan(&id, &writer); err != nil {
			return err
		}
		if writer != m.writer {
			return errTakenOver
		}
		if _, err := tx.Exec(ctx, "insert into episodes.graph_generation (project, generation, format) values ($1, $2, $3)", id, m.number, s.format); err != nil {
			return err
		}
		if err := copyAll(ctx, tx, from, id, m.number); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "update episodes.project set generation = $2 where id = $1", id, m.number)
		return err
	})
	if err != nil {
		return err
	}
	_ = s.Sweep() // what is left is swept next time
	return nil
}

// copyAll copies all pairs in the order of their keys, some megabytes at once. The server's
// own COPY does not work on a table with row-level rules.
func copyAll(ctx context.Context, tx pgx.Tx, from engine.Generation, project, number int64) error {
	var keys, values [][]byte
	size := 0
	send := func() error {
		_, err := tx.Exec(ctx, "insert into episodes.graph_kv (project, generation, key, value) select $1, $2, k, v from unnest($3::bytea[], $4::bytea[]) as new (k, v)", project, number, keys, values)
		keys, values, size = keys[:0], values[:0], 0
		return err
	}
	return from.View(ctx, func(pairs flat.Tx) error {
		it := pairs.Scan(ctx)
		defer it.Close()
		for it.Next(ctx) {
			k, v := slices.Clone(it.Key()), it.Val()
			keys, values = append(keys, k), append(values, v)
			if size += len(k) + len(v); size > mostCopied {
				if err := send(); err != nil {
					return err
				}
			}
		}
		return cmp.Or(it.Err(), send())
	})
}

const mostCopied = 4 << 20 // bytes of one statement

// Discard forgets a generation.
func (s *store) Discard(name string) error {
	m, err := s.take(name)
	if err != nil {
		return nil // it was published, or made by a process that is gone
	}
	return m.folder.remove()
}
