package pg_test

import (
	"net/url"
	"strings"
	"testing"

	"episodes/internal/pg"
	"episodes/internal/testing/pgtest"
)

// The name of a project is what the URL and the table both take: else a push fails at the end, or
// a statement of others makes a name that breaks a line of who lists it.
func TestNames(t *testing.T) {
	store := pgtest.Store(t)
	conn := pgtest.Connect(t, store)
	for name, valid := range map[string]bool{
		"a": true, "git.example.org/harbor/api": true, "a b": true, "~": true, "!": true, strings.Repeat("x", 200): true,
		strings.Repeat("x", 201): false, " a": false, "a ": false, " ": false, "a\n": false, "a\tb": false, "\x1b[31m": false, "a\x7fb": false, "ü": false, "a\u202eb": false, "a\u0085": false,
	} {
		_, err := pg.Parse("postgres://h/d?project=" + url.QueryEscape(name))
		if (err == nil) != valid {
			t.Errorf("%q in a URL: %v", name, err)
		}
		if _, err := conn.Exec(t.Context(), "insert into episodes.project (name) values ($1)", name); (err == nil) != valid {
			t.Errorf("%q in the table: %v", name, err)
		}
	}
	if !strings.Contains(pg.SQL(), "check (name ~ '"+pg.NameRule+"')") {
		t.Errorf("the table has another rule than %s", pg.NameRule)
	}
}
