package pg

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Conn is a connection or a transaction.
type Conn interface {
	Querier
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// MakeProject returns the id of the project, which it makes where there is none. A private
// project of others is there and not seen: then the error is ErrRefused.
func (d *DB) MakeProject(ctx context.Context, c Conn) (id int64, err error) {
	if err := CheckVersion(ctx, c); err != nil {
		return 0, err
	}
	const find = "select id from episodes.project where name = $1"
	err = c.QueryRow(ctx, find, d.Project).Scan(&id)
	if !errors.Is(err, pgx.ErrNoRows) {
		return id, err
	}
	if _, err = c.Exec(ctx, "insert into episodes.project (name) values ($1) on conflict (name) do nothing", d.Project); err != nil {
		return 0, err
	}
	err = c.QueryRow(ctx, find, d.Project).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = fmt.Errorf("%w: the project is private", ErrRefused)
	}
	return id, err
}
