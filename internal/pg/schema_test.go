package pg_test

import (
	"context"
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"episodes/internal/pg"
	"episodes/internal/testing/pgtest"
)

func parse(t *testing.T, store string) *pg.DB {
	t.Helper()
	d, err := pg.Parse(store)
	must(t, err)
	return d
}

// Whoever makes the tables again, also several at once, changes nothing of what is there.
func TestSQLTwice(t *testing.T) {
	store := pgtest.Store(t)
	pgtest.Exec(t, store, "insert into episodes.project (name, private, sessions) values ('p', true, 7)")
	before := catalog(t, store)
	d := parse(t, store)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := d.Init(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	var name string
	var private bool
	var sessions int
	if err := pgtest.Connect(t, store).QueryRow(t.Context(), "select name, private, sessions from episodes.project").Scan(&name, &private, &sessions); err != nil || name != "p" || !private || sessions != 7 {
		t.Errorf("%q %v %d %v", name, private, sessions, err)
	}
	if after := catalog(t, store); after != before {
		t.Errorf("tables and rights were\n%s\nand are\n%s", before, after)
	}
}

// catalog describes tables, indexes, functions, rules and rights.
func catalog(t *testing.T, store string) string {
	t.Helper()
	rows, err := pgtest.Connect(t, store).Query(t.Context(), `
		select c.relname::text || ' ' || c.relkind::text || ' ' || coalesce(c.relacl::text, '') || ' ' || c.relrowsecurity::text from pg_class c where relnamespace = 'episodes'::regnamespace
		union all select attrelid::regclass::text || '.' || attname || ' ' || atttypid::regtype::text || ' ' || coalesce(attacl::text, '') from pg_attribute a join pg_class c on c.oid = attrelid where relnamespace = 'episodes'::regnamespace and attnum > 0
		union all select proname || ' ' || coalesce(proacl::text, '') || prosrc from pg_proc where pronamespace = 'episodes'::regnamespace
		union all select tablename || '.' || policyname || ' ' || cmd || ' ' || coalesce(qual, '') || ' ' || coalesce(with_check, '') from pg_policies where schemaname = 'episodes'
		order by 1`)
	must(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	return strings.Join(lines, "\n")
}

// What a login keeps private is found by an index, which takes one collation for both sides:
// without it each search reads all episodes of a project.
func TestHolderIsIndexed(t *testing.T) {
	conn := pgtest.Connect(t, pgtest.Store(t))
	if _, err := conn.Exec(t.Context(), "set enable_seqscan = off; set enable_bitmapscan = off", pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "explain select from episodes.episode where project = 1 and holder = session_user::text")
	must(t, err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	if text := strings.Join(plan, "\n"); !regexp.MustCompile("Index Cond:.*holder").MatchString(text) {
		t.Error(text)
	}
}

// What is printed for a person to run is what Init runs.
func TestPrintedSQL(t *testing.T) {
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("psql is not installed here")
	}
	made, printed := pgtest.Store(t), pgtest.Database(t)
	for range 2 {
		cmd := exec.Command(psql, "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", parse(t, printed).URL)
		cmd.Stdin = strings.NewReader(pg.SQL())
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 { // also the second time, when all is there
			t.Fatalf("%v: %s", err, out)
		}
	}
	if catalog(t, made) != catalog(t, printed) {
		t.Error("psql made something else than init")
	}
}

func TestVersion(t *testing.T) {
	store := pgtest.Database(t)
	d := parse(t, store)
	check := func() error {
		return d.Failed("open", pg.CheckVersion(t.Context(), pgtest.Connect(t, store)))
	}
	if err := check(); !errors.Is(err, pg.ErrNoStore) {
		t.Errorf("an empty database: %v", err)
	}
	must(t, d.Init(t.Context()))
	if err := check(); err != nil {
		t.Errorf("a new store: %v", err)
	}
	pgtest.Exec(t, store, "update episodes.store set version = 99")
	if err := check(); !errors.Is(err, pg.ErrNewer) || !errors.Is(err, pg.ErrNoStore) || !strings.Contains(err.Error(), "99") {
		t.Errorf("a newer store: %v", err)
	}
	before := catalog(t, store)
	pgtest.Exec(t, store, "drop policy reading on episodes.word") // as a newer version may have it
	if err := d.Init(t.Context()); !errors.Is(err, pg.ErrNewer) || !strings.Contains(err.Error(), "99") {
		t.Errorf("init of a newer store: %v", err)
	}
	if catalog(t, store) == before {
		t.Error("the rules of this version were put over those of a newer one")
	}
	pgtest.Exec(t, store, "delete from episodes.store")
	if err := check(); !errors.Is(err, pg.ErrNoStore) {
		t.Errorf("a store without a version: %v", err)
	}
}
