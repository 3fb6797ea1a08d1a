package pg

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Version is the version of the tables; a store of another one is refused.
//
//	1  the first
const Version = 1

//go:embed schema.sql
var tables string

//go:embed roles.sql
var roles string

// SQL makes the tables, the roles and what each role may do. It can be run again.
func SQL() string {
	return tables + fmt.Sprintf("insert into episodes.store (version) select %d where not exists (select 1 from episodes.store);\n\n", Version) + roles
}

// lockOfTables is the advisory lock of whoever makes the tables: two that make the same thing
// at once fail in PostgreSQL.
const lockOfTables = 0x6570697364

// Init runs SQL, in one transaction.
func (d *DB) Init(ctx context.Context) error {
	conn, err := d.Connect(ctx, "store init")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return d.Failed("make", pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", int64(lockOfTables)); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, SQL(), pgx.QueryExecModeSimpleProtocol)
		return err
	}))
}

// Querier is a connection, a pool or a transaction.
type Querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// CheckVersion refuses tables of another version.
func CheckVersion(ctx context.Context, q Querier) error {
	var found int
	err := q.QueryRow(ctx, "select version from episodes.store").Scan(&found)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNoStore
	case err != nil:
		return err
	case found != Version:
		return fmt.Errorf("%w of this version: its tables have version %d, this program knows %d", ErrNoStore, found, Version)
	}
	return nil
}
