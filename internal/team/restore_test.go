package team

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"episodes/internal/pg"
	"episodes/internal/testing/pgtest"
)

// A backup as docs/team.md has it, restored on a server that has nothing, is the store: same
// rows, same answers, same rights; a push finds everything there, and goes on.
func TestBackup(t *testing.T) {
	if os.Getenv("EPISODES_HEAVY") == "" {
		t.Skip("starts two servers; EPISODES_HEAVY=1 runs it")
	}
	from := start(t)
	t.Cleanup(func() { _ = from.Stop() })
	to, err := pgtest.New()
	must(t, err)
	t.Cleanup(func() { _ = to.Stop() })

	url := pgtest.Login(t, from.URL("postgres"), "ada", "episodes_writer")
	pgtest.Login(t, from.URL("postgres"), "bob", "episodes_writer")
	pgtest.Login(t, from.URL("postgres"), "mia", "episodes_reader")
	var episodes []Episode
	for i := range 30 {
		e := real(i, 1, int64(i), inAll)
		e.Private = i%10 == 0
		episodes = append(episodes, e)
	}
	for _, project := range []string{"one", "two"} {
		s := open(t, url, project)
		must(t, s.Write(t.Context(), episodes, nil))
	}
	must(t, errors.Join(open(t, url, "two").Hide(t.Context()), open(t, url, "two").Admit(t.Context(), "mia", false)))

	run := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.Command(from.Program(name), args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		return string(out)
	}
	dir := t.TempDir()
	roles, data := filepath.Join(dir, "roles.sql"), filepath.Join(dir, "episodes.dump")
	run("pg_dumpall", "--roles-only", "--dbname", from.URL("postgres"), "--file", roles)
	run("pg_dump", "--schema", "episodes", "--format", "custom", "--dbname", from.URL("postgres"), "--file", data)
	run("psql", "--quiet", "--file", roles, to.URL("postgres")) // "owner" is there: one statement fails
	run("pg_restore", "--exit-on-error", "--dbname", to.URL("postgres"), data)

	if a, b := dump(t, pgtest.Connect(t, from.URL("postgres"))), dump(t, pgtest.Connect(t, to.URL("postgres"))); !maps.Equal(a, b) {
		t.Error("other rows")
	}
	there := strings.Replace(to.URL("postgres"), "user=owner", "user=ada", 1)
	for _, project := range []string{"one", "two"} {
		before, after := open(t, url, project), open(t, there, project)
		v1, err1 := before.Versions(t.Context())
		v2, err2 := after.Versions(t.Context())
		if err := errors.Join(err1, err2); err != nil || !slices.Equal(v1, v2) || len(v1) != len(episodes) {
			t.Errorf("%d and %d versions, %v", len(v1), len(v2), err)
		}
		a, b := "mem:before "+project, "mem:after "+project
		_, err1 = graphOf(t.Context(), a, before)
		_, err2 = graphOf(t.Context(), b, after)
		g1, err3 := exported(a)
		g2, err4 := exported(b)
		if err := errors.Join(err1, err2, err3, err4); err != nil || g1 != g2 {
			t.Errorf("another graph: %v", err)
		}
		for word := range int64(30) {
			ask := func(s *Store) []Found {
				p, err := s.Project(t.Context())
				must(t, err)
				found, _, err := s.Find(t.Context(), []Project{p}, map[int64]float64{word: 1, inAll: 0.1})
				must(t, err)
				return found
			}
			if a, b := ask(before), ask(after); !slices.EqualFunc(a, b, func(a, b Found) bool { return a.ID == b.ID && string(a.Body) == string(b.Body) }) {
				t.Errorf("word %d: other answers", word)
			}
		}
		if err := after.Write(t.Context(), []Episode{real(40, 1, inAll)}, nil); err != nil {
			t.Errorf("it cannot be pushed to: %v", err)
		}
	}
	bob := strings.Replace(there, "user=ada", "user=bob", 1)
	if err := open(t, bob, "one").Write(t.Context(), []Episode{real(41, 1)}, nil); !errors.Is(err, pg.ErrRefused) {
		t.Errorf("the rights are not as they were: %v", err)
	}
	if err := open(t, bob, "of bob").Write(t.Context(), []Episode{real(41, 1)}, nil); err != nil {
		t.Errorf("no new project: %v", err)
	}
	db, err := pg.Parse(to.URL("postgres"))
	if err == nil {
		err = db.Init(t.Context())
	}
	if err != nil {
		t.Errorf("init of what was restored: %v", err)
	}
}
