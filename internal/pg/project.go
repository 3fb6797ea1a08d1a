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

// MakeProject returns the id of the project, and creates it if it does not exist. The error is
// ErrRefused if others own the project and did not admit this login.
func (d *DB) MakeProject(ctx context.Context, c Conn) (id int64, err error) {
	if err := CheckVersion(ctx, c); err != nil {
		return 0, d.Failed("make", err)
	}
	var owner, login string
	var writes bool
	find := func() error {
		return c.QueryRow(ctx,
			"select id, owner, session_user::text, id in (select episodes.writable()) from episodes.project where name = $1",
			d.Project).
			Scan(&id, &owner, &login, &writes)
	}
	if err = find(); errors.Is(err, pgx.ErrNoRows) {
		if _, err = c.Exec(ctx, "insert into episodes.project (name) values ($1) on conflict (name) do nothing",
			d.Project); err == nil {
			err = find()
		}
	}
	const refused = "write to %s: %w: it is %s, who did not admit this login"
	switch {
	case errors.Is(err, pgx.ErrNoRows): // it is there, and not seen
		return 0, WithHint(fmt.Errorf(refused, d.name(), ErrRefused, "private to others"),
			"its owner can: episodes store admit LOGIN --write")
	case err == nil && !writes:
		return 0, WithHint(fmt.Errorf(refused, d.name(), ErrRefused, fmt.Sprintf("of %q", owner)),
			fmt.Sprintf("%s can: episodes store admit %s --write", owner, login))
	}
	return id, d.Failed("make", err)
}
