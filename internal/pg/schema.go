package pg

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Version is the version of the tables; a store of another one is refused. Who raises it makes
// older tables into the new ones in schema.sql: Init is also what brings them up.
const Version = 3

//go:embed schema.sql
var tables string

//go:embed roles.sql
var roles string

// SQL makes the tables, the roles and what each role may do, in one transaction. It can be run
// again, but not over tables of a newer version.
func SQL() string {
	return fmt.Sprintf(`begin;
set local search_path = pg_catalog, pg_temp; -- what others made is not taken for the server's own
set local client_min_messages = warning;
do $$ begin perform pg_advisory_xact_lock(%d); end $$;
create schema if not exists episodes;

-- One row: the version of these tables.
create table if not exists episodes.store (version int primary key);
do $$ begin
	if exists (select from episodes.store where version > %[2]d) then
		raise using errcode = '%[3]s', message = (select format('the tables have version %%s, this program knows %[2]d', version) from episodes.store);
	end if;
end $$;
insert into episodes.store (version) select %[2]d where not exists (select 1 from episodes.store);
update episodes.store set version = %[2]d where version < %[2]d;

`, lockOfTables, Version, newerTables) + tables + roles + "\ncommit;\n"
}

// lockOfTables is the advisory lock of whoever makes the tables: two that make the same thing
// at once fail in PostgreSQL.
const lockOfTables = 0x6570697364

// Init runs SQL.
func (d *DB) Init(ctx context.Context) error {
	conn, err := d.Connect(ctx, "store init")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, SQL(), pgx.QueryExecModeSimpleProtocol)
	if err = d.Failed("make", err); errors.Is(err, ErrRefused) {
		err = &HintError{err,
			"it takes a login that may make schemas and roles (create on the database, createrole), and owns the tables that there are; episodes store init --print-sql prints what one who administers the database runs"}
	}
	return err
}

// Querier is a connection or a transaction.
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
	case err != nil || found == Version:
		return err
	}
	kind := ErrNoStore
	if found > Version {
		kind = ErrNewer
	}
	return fmt.Errorf("%w: its tables have version %d, this program knows %d", kind, found, Version)
}
