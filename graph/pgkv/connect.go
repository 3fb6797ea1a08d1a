package pgkv

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"episodes/graph/engine"
)

// projectParameter names the project in the URL of a store; the rest of it is as libpq has
// it, and what it leaves out is taken from libpq's places: PGHOST, PGPASSWORD, .pgpass,
// PGSERVICE and so on.
const projectParameter = "project"

// ProjectURL is the URL of a project in the database of another one.
func ProjectURL(database, project string) (string, error) {
	u, err := url.Parse(database)
	if err != nil {
		return "", errURL
	}
	q := u.Query()
	q.Set(projectParameter, project)
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// errURL does not quote the URL, which may hold a password.
var errURL = errors.New("not the URL of a PostgreSQL database")

// split takes the project out of a URL.
func split(store string) (database, project string, err error) {
	u, err := url.Parse(store)
	if err != nil {
		return "", "", errURL
	}
	q := u.Query()
	project = q.Get(projectParameter)
	q.Del(projectParameter)
	u.RawQuery = q.Encode()
	return u.String(), project, nil
}

func (s *store) config(who string) (*pgxpool.Config, error) {
	c, err := pgxpool.ParseConfig(s.database)
	if err != nil {
		return nil, errURL // pgx quotes what it was given, without the password it recognized
	}
	c.MaxConns = 64
	c.ConnConfig.RuntimeParams["application_name"] = strings.TrimSpace("episodes " + who)
	return c, nil
}

// connect opens one connection.
func (s *store) connect(ctx context.Context, who string) (*pgx.Conn, error) {
	c, err := s.config(who)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, c.ConnConfig)
	return conn, s.failed("connect", err)
}

// Codes of errors, as PostgreSQL's manual lists them (appendix A).
const (
	undefinedTable  = "42P01"
	undefinedSchema = "3F000"
	diskFull        = "53100"
)

// missingTables reports whether there are no tables yet.
func missingTables(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == undefinedTable || pg.Code == undefinedSchema)
}

// failed says what failed, where, and of what kind it is; nil for nil.
func (s *store) failed(what string, err error) error {
	if err == nil {
		return nil
	}
	kind := error(nil)
	var pg *pgconn.PgError
	var refused *pgconn.ConnectError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, engine.ErrLost):
		return err
	case errors.As(err, &pg):
		switch {
		case pg.Code == diskFull:
			kind = engine.ErrFull
		case pg.Code == "XX001", pg.Code == "XX002":
			kind = engine.ErrDamaged
		case again(pg.Code):
			kind = engine.ErrLost
		}
	case errors.As(err, &refused), pgconn.SafeToRetry(err), lost(err):
		kind = engine.ErrLost
	}
	if kind == nil {
		return fmt.Errorf("%s the store of project %q: %w", what, s.project, err)
	}
	return fmt.Errorf("%s the store of project %q: %w: %w", what, s.project, kind, err)
}

// again reports whether an error with this code may be gone when all is done once more: the
// server ends or begins, the server became a standby, transactions were in each other's way.
func again(code string) bool {
	switch code {
	case "40001", "40P01", "57P01", "57P02", "57P03", "25006", "53300":
		return true
	}
	return strings.HasPrefix(code, "08")
}
