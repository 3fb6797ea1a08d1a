package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Password is that of all logins that Login makes.
const Password = "correct horse battery staple"

// Login makes a login on the server of a URL, with some roles, and returns the URL for it. On
// the socket it needs no password.
func Login(t testing.TB, store, name string, roles ...string) string {
	t.Helper()
	role := pgx.Identifier{name}.Sanitize()
	sql := fmt.Sprintf("do $$ begin if not exists (select from pg_catalog.pg_roles where rolname = '%s') then create role %s login password '%s'; end if; end $$;", name, role, Password)
	if len(roles) > 0 {
		sql += fmt.Sprintf("grant %s to %s;", strings.Join(roles, ", "), role)
	}
	Exec(t, store, sql)
	u, err := url.Parse(store)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("user", name)
	u.RawQuery = q.Encode()
	return u.String()
}

// Exec runs statements in the database of a URL.
func Exec(t testing.TB, store, sql string) {
	t.Helper()
	conn := Connect(t, store)
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// Connect opens a connection to the database of a URL, which may name a project. It lasts as
// long as the test.
func Connect(t testing.TB, store string) *pgx.Conn {
	t.Helper()
	u, err := url.Parse(store)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Del("project")
	u.RawQuery = q.Encode()
	conn, err := pgx.Connect(t.Context(), u.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) }) // t.Context is over by then
	return conn
}
