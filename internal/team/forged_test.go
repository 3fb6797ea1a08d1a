package team

import (
	"errors"
	"maps"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"episodes/internal/testing/pgtest"
)

// A writer that speaks SQL itself cannot put into its own project what would hurt those who
// read it: the tables refuse it.
func TestForged(t *testing.T) {
	l := newLogins(t)
	max := pgtest.Connect(t, l.url["max"])
	before := dump(t, l.own)
	const public = "(select id from episodes.project where name = 'public')"
	episode := func(holder, id, sha256, log, body string) string {
		return "insert into episodes.episode (project, holder, id, sha256, log, body, words) values (" + public + ", " + holder + ", " + id + ", " + sha256 + ", " + log + ", " + body + ", '{}')"
	}
	const id, body = "'episode-x'", "'b'"
	for what, sql := range map[string]string{
		"more sessions than there can be":   "update episodes.project set sessions = 1000000001",
		"a word in fewer than none":         "update episodes.word set sessions = -1",
		"an id that is none":                episode("''", "'x'", "''", "''", body),
		"an id that is a path":              episode("''", "'episode-a/../b'", "''", "''", body),
		"an id of two lines":                episode("''", `E'episode-a\n'`, "''", "''", body),
		"an id with a space":                episode("''", "'episode-a b'", "''", "''", body),
		"a long id":                         episode("''", "'episode-' || repeat('x', 1017)", "''", "''", body),
		"a long hash":                       episode("''", id, "repeat('x', 129)", "''", body),
		"a large file":                      episode("''", id, "''", "''", "convert_to(repeat('x', 16777217), 'UTF8')"),
		"an id that becomes none":           "update episodes.episode set id = 'x'",
		"a file that becomes large":         "update episodes.episode set body = convert_to(repeat('x', 16777217), 'UTF8')",
		"an episode of no project":          "insert into episodes.episode values (0, '', 'episode-x', '', '', 'b', '{}')",
		"a long id of what is gone":         "insert into episodes.gone values (" + public + ", repeat('x', 1025), '')",
		"a long hash of what is gone":       "insert into episodes.gone values (" + public + ", 'episode-x', repeat('x', 129))",
		"an episode that nobody keeps":      episode("repeat('x', 129)", id, "''", "''", body),
		"an episode that another one keeps": episode("'ada'", id, "''", "''", body),
	} {
		_, err := max.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol)
		var refused *pgconn.PgError
		const check, privilege = "23514", "42501"
		if !errors.As(err, &refused) || refused.Code != check && refused.Code != privilege {
			t.Errorf("%s: %v", what, err)
		}
		if !maps.Equal(before, dump(t, l.own)) {
			t.Fatalf("%s: it changed something", what)
		}
	}
	if _, err := max.Exec(t.Context(), episode("''", id, "''", "''", body)); err != nil {
		t.Errorf("what is as it should be: %v", err)
	}
}

// The words of an episode say to which project they belong; those of another one bring it into
// no answer of that.
func TestForgedWords(t *testing.T) {
	l := newLogins(t)
	public, err := open(t, l.url["ada"], "public").Project(t.Context())
	must(t, err)
	bob := open(t, l.url["bob"], "of bob")
	must(t, bob.Write(t.Context(), []Episode{text("episode-forged", "x", shared)}, nil))
	if _, err := bob.conn.Exec(t.Context(), "update episodes.episode set words = array[$1::bigint] where id = 'episode-forged'", shared^public.ID<<40); err != nil {
		t.Fatal(err)
	}
	found, sums, err := bob.Find(t.Context(), []Project{public}, map[int64]float64{shared: 1})
	if err != nil || len(found) != 1 || found[0].ID != real(1, 1).ID || sums.Holding[shared] != 1 {
		t.Errorf("%v, %v, %v", found, sums, err)
	}
}
