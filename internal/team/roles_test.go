package team

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"episodes/internal/pg"
	"episodes/internal/testing/pgtest"
)

// logins of a store with the projects "public" and "hidden", both of ada, who admitted max to
// write to both, and ned, who writes elsewhere, and mia to read what is hidden.
type logins struct {
	store string    // as the owner of the database
	own   *pgx.Conn // to it
	url   map[string]string
}

const shared, mine, common = 11, 12, 13 // words: of a shared episode, of a private one, of both

// template is a store with these projects, of which each test gets a copy.
var template struct {
	once sync.Once
	url  string
}

func newLogins(t *testing.T) *logins {
	t.Helper()
	template.once.Do(func() { template.url = newTemplate(t) })
	if template.url == "" {
		t.Skip("there is no store to copy")
	}
	l := &logins{store: pgtest.Copy(t, template.url), url: map[string]string{}}
	l.own = pgtest.Connect(t, l.store)
	for name, role := range roleOf {
		l.url[name] = pgtest.Login(t, l.store, name, role...)
	}
	return l
}

var roleOf = map[string][]string{"ada": {"episodes_writer"}, "bob": {"episodes_writer"}, "max": {"episodes_writer"}, "ned": {"episodes_writer"},
	"cid": {"episodes_reader"}, "mia": {"episodes_reader"}, "boss": {"episodes_owner"}, "eve": nil}

func newTemplate(t *testing.T) (store string) {
	t.Helper()
	store = pgtest.Store(t)
	for name, role := range roleOf {
		pgtest.Login(t, store, name, role...)
	}
	connect := func(project string) *Store {
		s, err := Open(t.Context(), named(t, pgtest.Login(t, store, "ada"), project), "a test")
		must(t, err)
		return s
	}
	for _, project := range []string{"public", "hidden"} {
		ada := connect(project)
		private := text("episode-of-ada", "a private thing", mine, common)
		private.Private = true
		err := errors.Join(ada.Write(t.Context(), []Episode{real(1, 1, shared, common), private}, nil), ada.Admit(t.Context(), "max", true))
		if project == "hidden" {
			err = errors.Join(err, ada.Admit(t.Context(), "mia", false), ada.Admit(t.Context(), "ned", false), ada.Hide(t.Context()))
		}
		ada.Close() // nobody may be connected to what is copied
		must(t, err)
	}
	return store
}

// may is what a login may do, in the order of columns below.
var may = map[string][]bool{
	//       read: public hidden  write: public hidden  decide: public hidden  make a project
	"ada":  {true, true, true, true, true, true, true},
	"boss": {true, true, true, true, true, true, true},
	"max":  {true, true, true, true, false, false, true},
	"ned":  {true, true, false, false, false, false, true},
	"bob":  {true, false, false, false, false, false, true},
	"mia":  {true, true, false, false, false, false, false},
	"cid":  {true, false, false, false, false, false, false},
	"eve":  {false, false, false, false, false, false, false},
}

var both = []string{"public", "hidden"}

// What a login may not read is not there for it, in any question.
func TestReading(t *testing.T) {
	l := newLogins(t)
	ids := map[string]int64{}
	for _, p := range both {
		project, err := open(t, l.store, p).Project(t.Context())
		must(t, err)
		ids[p] = project.ID
	}
	for name, row := range may {
		if name == "eve" { // has no role
			if _, err := Open(t.Context(), named(t, l.url[name], "public"), "a test"); !errors.Is(err, pg.ErrRefused) {
				t.Errorf("eve gets in: %v", err)
			}
			continue
		}
		for i, p := range both {
			s := open(t, l.url[name], p)
			if got := reads(t, s, ids[p], name); !slices.Equal(got, allOf(len(got), row[i])) {
				t.Errorf("%s and project %s: %v, want %v each", name, p, got, row[i])
			}
			visible := 0
			for _, readable := range row[:2] {
				if readable {
					visible++
				}
			}
			if list, err := s.Projects(t.Context()); err != nil || len(list) != visible {
				t.Errorf("%s sees the projects %v, %v", name, list, err)
			}
		}
	}
}

func allOf(n int, v bool) []bool { return slices.Repeat([]bool{v}, n) }

// reads tries each way to read the shared episode of a project.
func reads(t *testing.T, s *Store, project int64, login string) (got []bool) {
	t.Helper()
	id := real(1, 1).ID
	yes := func(is bool, err error) {
		t.Helper()
		if err != nil && !errors.Is(err, ErrNoProject) {
			t.Error(err)
		}
		got = append(got, is)
	}
	_, err := s.Project(t.Context())
	yes(err == nil, err)
	versions, err := s.Versions(t.Context())
	yes(slices.ContainsFunc(versions, func(v Version) bool { return v.ID == id }), err)
	bodies, err := s.Bodies(t.Context(), []string{id})
	yes(len(bodies) == 1, err)
	names, err := s.Named(t.Context(), "episode-")
	yes(slices.Contains(names, id), err)
	// Who guesses the number of a project finds nothing by it either.
	found, sums, err := s.Find(t.Context(), []Project{{ID: project, Sessions: 1}}, map[int64]float64{shared: 1})
	yes(len(found) == 1, err)
	yes(sums.Holding[shared] == 1, err)
	rows, err := query(t.Context(), s, "call", pgx.RowTo[int], "select 1 from episodes.find(array[$1::bigint], array[$2::bigint], array[1::float8], 10)", project, shared)
	yes(len(rows) == 1, err)
	r, err := graphOf(t.Context(), "mem:"+login+" of "+s.Name()+" in "+s.db.URL, s)
	yes(r.Added == 1, err)
	for _, table := range []string{"project where id", "episode where project", "word where project"} {
		got = append(got, count(t, s.conn, "select count(*) from episodes."+table+" = $1", project) > 0)
	}
	return got
}

// What a login may not change stays as it was, and the answer says that it is not allowed.
func TestWriting(t *testing.T) {
	l := newLogins(t)
	for name, row := range may {
		if name == "eve" {
			continue // see TestReading
		}
		for i, p := range both {
			s := open(t, l.url[name], p)
			before := dump(t, l.own)
			l.try(t, name+" asks whether it may write to "+p, row[2+i], func() error { return s.MayWrite(t.Context()) })
			if !maps.Equal(before, dump(t, l.own)) {
				t.Errorf("%s: asking changed something", name)
			}
			for what, act := range map[string]func() error{
				"put":     func() error { return s.Write(t.Context(), []Episode{text("episode-by-"+name, "x", common)}, nil) },
				"replace": func() error { return s.Write(t.Context(), []Episode{real(1, 2, shared)}, nil) },
				"remove":  func() error { return s.Write(t.Context(), nil, []string{real(1, 1).ID}) },
			} {
				l.try(t, name+" "+what+" in "+p, row[2+i], act)
				if row[2+i] { // as it was
					must(t, open(t, l.store, p).Write(t.Context(), []Episode{real(1, 1, shared, common)}, []string{"episode-by-" + name}))
				}
			}
			for what, act := range map[string]func() error{
				"admit": func() error { return s.Admit(t.Context(), name, true) },
				"hide": func() error {
					if p == "hidden" {
						return s.Hide(t.Context())
					}
					return s.Reveal(t.Context())
				},
				"dismiss": func() error { return s.Dismiss(t.Context(), "max") },
				"give":    func() error { return s.Give(t.Context(), "bob") },
				"delete":  func() error { _, err := s.DeletePrivate(t.Context(), "max"); return err },
			} {
				l.try(t, name+" "+what+" in "+p, row[4+i], act)
				if row[4+i] { // as it was
					boss := open(t, l.url["boss"], p)
					must(t, errors.Join(boss.Admit(t.Context(), "max", true), boss.Give(t.Context(), "ada")))
				}
			}
		}
		own := open(t, l.url[name], "of "+name)
		l.try(t, name+" makes a project", row[6], func() error {
			return own.Write(t.Context(), []Episode{text("episode-1", "x", common)}, nil)
		})
	}
}

// try expects that something can be done, or that it is refused and nothing changes.
func (l *logins) try(t *testing.T, what string, allowed bool, act func() error) {
	t.Helper()
	var before map[string]string
	if !allowed {
		before = dump(t, l.own)
	}
	switch err := act(); {
	case allowed && err != nil:
		t.Errorf("%s: %v", what, err)
	case !allowed && err == nil:
		t.Errorf("%s: it is not refused", what)
	case !allowed && !errors.Is(err, pg.ErrRefused) && !errors.Is(err, ErrNoProject):
		t.Errorf("%s: it is refused as %v", what, err)
	}
	if !allowed && !maps.Equal(before, dump(t, l.own)) {
		t.Errorf("%s: it was refused and something changed", what)
	}
}

// Who was dismissed is a stranger again, and what is shown is seen by all.
func TestDismissed(t *testing.T) {
	l := newLogins(t)
	ada, max, cid := open(t, l.url["ada"], "hidden"), open(t, l.url["max"], "hidden"), open(t, l.url["cid"], "hidden")
	private := text("episode-of-max", "a private thing", mine)
	private.Private = true
	put := []Episode{text("episode-by-max", "x", common), private}
	project, err := ada.Project(t.Context())
	must(t, err)
	must(t, max.Write(t.Context(), put, nil))
	must(t, ada.Dismiss(t.Context(), "max"))
	if _, err := max.Project(t.Context()); !errors.Is(err, ErrNoProject) {
		t.Errorf("it is still there: %v", err)
	}
	if found, sums, err := max.Find(t.Context(), []Project{project}, map[int64]float64{mine: 1}); err != nil || len(found) > 0 || len(sums.Holding) > 0 {
		t.Errorf("it finds what it kept private there: %v, %v, %v", found, sums, err)
	}
	if n := count(t, max.conn, "select count(*) from episodes.own_words(array[$1::bigint], array[$2::bigint])", project.ID, mine); n != 0 {
		t.Error("it learns which words are in what it kept private there")
	}
	if err := max.Write(t.Context(), put, nil); !errors.Is(err, pg.ErrRefused) {
		t.Errorf("it still writes: %v", err)
	}
	if err := ada.Dismiss(t.Context(), "max"); !errors.Is(err, ErrNotAdmitted) {
		t.Errorf("dismissed twice: %v", err)
	}
	must(t, ada.Reveal(t.Context()))
	if versions, err := cid.Versions(t.Context()); err != nil || len(versions) != 2 {
		t.Errorf("it was shown, and a reader sees %v, %v", versions, err)
	}
}

// What a login keeps private nobody else sees, not the owner of the project, nor of all: not
// by a question, not by a statement, and not in what is counted.
func TestPrivateEpisodes(t *testing.T) {
	l := newLogins(t)
	ada := open(t, l.url["ada"], "public")
	if v, err := ada.Versions(t.Context()); err != nil || len(v) != 2 {
		t.Fatalf("its own login sees %v, %v", v, err)
	}
	project, err := ada.Project(t.Context())
	if err != nil || project.Sessions != 1 {
		t.Fatalf("%+v, %v", project, err)
	}
	if found, _, err := ada.Find(t.Context(), []Project{project}, map[int64]float64{common: 1}); err != nil || len(found) != 2 {
		t.Errorf("its own login finds %v, %v", found, err)
	}
	if found, sums, err := ada.Find(t.Context(), []Project{project}, map[int64]float64{mine: 1}); err != nil || len(found) != 1 || !found[0].Private || sums.Holding[mine] != 0 {
		t.Errorf("by what it alone says its own login finds %v, %v, %v", found, sums, err)
	}
	pgtest.Exec(t, l.store, "analyze episodes.episode")
	if n := count(t, pgtest.Connect(t, l.store), "select count(*) from episodes.word where word = $1", mine); n != 0 {
		t.Error("its words are counted")
	}
	for _, name := range []string{"boss", "max", "bob", "cid", "mia"} {
		s := open(t, l.url[name], "public")
		versions, err1 := s.Versions(t.Context())
		bodies, err2 := s.Bodies(t.Context(), []string{"episode-of-ada"})
		names, err3 := s.Named(t.Context(), "episode-of-ada", "episode-of")
		found, sums, err4 := s.Find(t.Context(), []Project{project}, map[int64]float64{mine: 1, common: 1})
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Error(err)
		}
		if len(versions) != 1 || len(bodies)+len(names) > 0 || len(found) != 1 || sums.Holding[mine] != 0 || sums.Holding[common] != 1 {
			t.Errorf("%s sees %v %v %v %v %v", name, versions, bodies, names, found, sums)
		}
		for _, sql := range []string{
			"select count(*) from episodes.episode where holder <> ''",
			"select count(*) from episodes.episode where id = 'episode-of-ada'",
			"select count(*) from episodes.episode where convert_from(body, 'UTF8') like '%private thing%'",
			"select count(*) from episodes.find((select array_agg(id) from episodes.project), array[12, 13]::bigint[], array[1, 1]::float8[], 100) where id = 'episode-of-ada'",
			"select count(*) from pg_stats where schemaname = 'episodes' and tablename in ('episode', 'word')",
		} {
			if n := count(t, s.conn, sql); n != 0 {
				t.Errorf("%s: %s: %d", name, sql, n)
			}
		}
	}
	// A writer to the project can neither change nor hide it, nor put something in its place.
	before := dump(t, l.own)
	for _, name := range []string{"boss", "max"} {
		s := open(t, l.url[name], "public")
		own := text("episode-of-ada", "by "+name)
		own.Private = true
		if err := s.Write(t.Context(), []Episode{own}, []string{"episode-of-ada"}); err != nil {
			t.Error(err)
		}
		if b, err := ada.Bodies(t.Context(), []string{"episode-of-ada"}); err != nil || len(b) != 1 || string(b[0].Body) != "a private thing" {
			t.Errorf("%s changed it: %v, %v", name, b, err)
		}
		if n := count(t, s.conn, "with gone as (delete from episodes.episode where id = 'episode-of-ada' returning 1) select count(*) from gone"); n != 1 {
			t.Errorf("%s removed %d rows", name, n)
		}
	}
	if !maps.Equal(before, dump(t, l.own)) {
		t.Error("something else changed")
	}
}

// Rights are those of the login: no statement of its own gives it more.
func TestStatements(t *testing.T) {
	l := newLogins(t)
	for _, c := range []struct{ who, sql string }{
		// Becoming somebody else.
		{"bob", "set role episodes_owner"},
		{"bob", "set role ada"},
		{"bob", "set session authorization ada"},
		{"cid", "set role episodes_writer"},
		{"bob", "set row_security = off; select * from episodes.episode"},
		{"bob", "grant episodes_owner to bob"},
		{"boss", "grant episodes_owner to bob"},
		// Taking a project.
		{"max", "update episodes.project set owner = 'max'"},
		{"max", "update episodes.project set private = false"},
		{"boss", "update episodes.project set owner = 'boss'"},
		{"max", "insert into episodes.project (name, owner) values ('x', 'ada')"},
		{"max", "insert into episodes.member values ((select min(id) from episodes.project), 'bob', true)"},
		{"max", "delete from episodes.member"},
		{"max", "delete from episodes.project"},
		{"cid", "insert into episodes.project (name) values ('x')"},
		// Writing what is not one's own.
		{"max", "insert into episodes.episode values ((select min(id) from episodes.project), 'ada', 'episode-x', 'h', 'b', '{}')"},
		{"max", "update episodes.episode set holder = 'ada'"},
		{"bob", "insert into episodes.episode values ((select min(id) from episodes.project), '', 'episode-x', 'h', 'b', '{}')"},
		{"bob", "insert into episodes.word values ((select min(id) from episodes.project), 1, 1)"},
		{"cid", "delete from episodes.episode"},
		{"cid", "truncate episodes.episode"},
		// Changing the store.
		{"boss", "update episodes.store set version = 99"},
		{"boss", "drop table episodes.member"},
		{"boss", "alter table episodes.episode disable row level security"},
		{"boss", "create or replace function episodes.owns_all() returns boolean language sql as 'select true'"},
		{"eve", "select * from episodes.store"},
		{"eve", "select episodes.owns_all()"},
		{"eve", "select episodes.admit('public', 'eve', true)"},
		{"boss", "delete from episodes.project"},
	} {
		conn := pgtest.Connect(t, l.url[c.who])
		l.try(t, c.who+": "+c.sql, false, func() error {
			_, err := conn.Exec(t.Context(), c.sql, pgx.QueryExecModeSimpleProtocol)
			return (&pg.DB{}).Failed("do", err)
		})
	}
	// These do nothing: the rows are not there for them.
	before := dump(t, l.own)
	for _, c := range []struct{ who, sql string }{
		{"bob", "update episodes.project set sessions = 99"},
		{"bob", "update episodes.episode set body = ''"},
		{"bob", "delete from episodes.episode"},
		{"bob", "delete from episodes.word"},
		{"bob", "set role episodes_writer; delete from episodes.episode"}, // it is a member of that
		{"bob", "select episodes.admit('public', 'bob', true), episodes.dismiss('public', 'max'), episodes.set_private('hidden', false)"},
		{"max", "select episodes.give('public', 'max'), episodes.remove('public'), episodes.delete_private('public', 'ada'), episodes.delete_private('public', '')"},
		{"ada", "select episodes.delete_private('public', ''), episodes.give('public', 'nobody'), episodes.give('public', 'cid'), episodes.admit('public', 'nobody', false)"},
		{"max", "select episodes.admit('public', 'bob', true), episodes.dismiss('public', 'max'), episodes.set_private('hidden', false)"},
		{"cid", "select episodes.admit('public', 'cid', true)"},
	} {
		pgtest.Exec(t, l.url[c.who], c.sql)
		if after := dump(t, l.own); !maps.Equal(before, after) {
			t.Errorf("%s: %s: it changed something", c.who, c.sql)
		}
	}
	// Who was admitted is seen by who decides on it, by writers, and by whom it is about.
	for name, rows := range map[string]int{"boss": 4, "ada": 4, "max": 4, "ned": 1, "mia": 1, "bob": 0, "cid": 0} {
		if n := count(t, pgtest.Connect(t, l.url[name]), "select count(*) from episodes.member"); n != rows {
			t.Errorf("%s sees %d that were admitted, want %d", name, n, rows)
		}
	}
	// Objects of a login's own do not get between a function and the tables it means.
	conn := pgtest.Connect(t, l.url["cid"])
	if _, err := conn.Exec(t.Context(), `create temp table project (id bigint, private boolean, owner text); insert into pg_temp.project select 2, false, 'cid';
		create function pg_temp.pg_has_role(name, text, text) returns boolean language sql as 'select true'; set search_path = pg_temp, episodes, pg_catalog`, pgx.QueryExecModeSimpleProtocol); err != nil && !strings.Contains(err.Error(), "permission denied") {
		t.Fatal(err)
	}
	if n := count(t, conn, "select count(*) from episodes.project"); n != 1 {
		t.Errorf("cid sees %d projects", n)
	}
}

// A function of the store runs with the rights of who made it, so nothing that a login made may
// run in it: neither a type of its own nor one of its functions.
func TestHostileTypes(t *testing.T) {
	l := newLogins(t)
	conn := pgtest.Connect(t, l.url["cid"])
	run := func(sql string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	values := map[string]string{"bool": "true", "text": "'cid'", "int4": "1", "_int8": "'{1,2,11,13}'", "_float8": "'{1,1,1,1}'"}
	for _, name := range []string{"text", "int8", "int4", "float8", "bool", "name"} {
		run(fmt.Sprintf(`create function pg_temp.evil(v pg_catalog.%[1]s) returns pg_catalog.bool language plpgsql as $$ begin execute 'alter role cid superuser'; return true; end $$;
			create domain pg_temp.%[1]s as pg_catalog.%[1]s check (pg_temp.evil(value))`, name))
	}
	run(`create function pg_temp.unnest(pg_catalog.int8[]) returns setof pg_catalog.int8 language plpgsql as $$ begin execute 'alter role cid superuser'; end $$;
		create temp table project (id pg_catalog.int8, name pg_catalog.text); create temp table episode (holder pg_catalog.text)`)
	rows, err := conn.Query(t.Context(), `select proname::pg_catalog.text, array(select t.typname::pg_catalog.text from pg_catalog.unnest(proargtypes::pg_catalog.oid[]) with ordinality as a (o, n) join pg_catalog.pg_type t on t.oid = a.o order by a.n)
		from pg_catalog.pg_proc where pronamespace = 'episodes'::pg_catalog.regnamespace and prorettype <> 'pg_catalog.trigger'::pg_catalog.regtype`)
	must(t, err)
	type function struct {
		Name string
		Args []string
	}
	functions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[function])
	if err != nil || len(functions) < 8 {
		t.Fatal(functions, err)
	}
	for _, f := range functions {
		var args []string
		for _, typ := range f.Args {
			if values[typ] == "" {
				t.Fatalf("%s: no value of type %s", f.Name, typ)
			}
			args = append(args, values[typ]+"::pg_catalog."+typ)
		}
		_, err := conn.Exec(t.Context(), "select * from episodes."+f.Name+"("+strings.Join(args, ", ")+")", pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if n := count(t, pgtest.Connect(t, l.store), "select count(*) from pg_roles where rolname = 'cid' and rolsuper"); n > 0 {
			t.Fatalf("%s made the login a superuser", f.Name)
		}
	}
}

// What others made in schema public is not run by who asks, pushes or makes the tables.
func TestHostilePublic(t *testing.T) {
	l := newLogins(t)
	pgtest.Exec(t, l.store, "grant create on schema public to cid")
	for _, f := range []string{"unnest(text[]) returns setof text", "unnest(bigint[]) returns setof bigint", "starts_with(text, text) returns boolean", "pg_advisory_xact_lock(int) returns void"} {
		pgtest.Exec(t, l.url["cid"], "create function public."+f+" language plpgsql as $$ begin raise 'evil'; end $$")
	}
	boss := open(t, l.url["boss"], "public")
	if ids, err := boss.Named(t.Context(), "episode-"); err != nil || len(ids) != 1 {
		t.Errorf("%v, %v", ids, err)
	}
	if err := boss.Write(t.Context(), []Episode{real(2, 1, shared)}, nil); err != nil {
		t.Error(err)
	}
	if _, err := graphOf(t.Context(), "mem:hostile public", boss); err != nil {
		t.Error(err)
	}
	db, err := pg.Parse(l.store)
	if err == nil {
		err = db.Init(t.Context())
	}
	if err != nil {
		t.Error(err)
	}
}
