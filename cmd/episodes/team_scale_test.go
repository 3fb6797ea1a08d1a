package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/memory"
	"episodes/internal/pg"
	"episodes/internal/team"
	"episodes/internal/testing/pgtest"
	"episodes/internal/testing/synthetic"
	"episodes/recall"
)

// TestTeamAtScale fills a team's store with EPISODES_TEAM_EPISODES synthetic episodes of 100
// projects and prints the figures of docs/team.md: it measures, and checks only that the store
// holds what was loaded. After EPISODES_TEAM_MINUTES it begins no more projects.
func TestTeamAtScale(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("EPISODES_TEAM_EPISODES"))
	if n == 0 {
		t.Skip("a measurement: set EPISODES_TEAM_EPISODES to a number of episodes, such as 100000")
	}
	// As a server is that is bought for it: durable, with a quarter of this machine's memory.
	server, err := pgtest.New("fsync=on", "shared_buffers=1GB", "max_wal_size=4GB", "maintenance_work_mem=256MB")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	const projects = 100
	s := scale{T: t, url: server.URL("postgres"), each: n / projects}
	s.must(initStore(s.url))
	began, end := time.Now(), time.Time{}
	if m, _ := strconv.Atoi(os.Getenv("EPISODES_TEAM_MINUTES")); m > 0 {
		end = began.Add(time.Duration(m) * time.Minute)
	}
	s.load(projects, end)
	took := time.Since(began)
	s.logf("load: %d episodes of %d projects in %.1f s, %.0f/s; one push from nothing, each project its own, two at a time", s.loaded*s.each, s.loaded, took.Seconds(), float64(s.loaded*s.each)/took.Seconds())
	s.bareCopy(took)
	s.exec("vacuum analyze")
	s.questions()
}

func initStore(url string) error {
	db, err := pg.Parse(url)
	if err != nil {
		return err
	}
	return db.Init(context.Background())
}

type scale struct {
	*testing.T
	url    string
	each   int // episodes of a project
	loaded int // projects
}

func (s *scale) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *scale) logf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func projectAt(p int) string { return fmt.Sprintf("project-%03d", p) }

func (s *scale) project(p int) string {
	url, err := team.WithProject(s.url, projectAt(p))
	s.must(err)
	return url
}

// load pushes the projects as `episodes push` does, and begins none after an end.
func (s *scale) load(projects int, end time.Time) {
	g, ctx := errgroup.WithContext(s.Context())
	g.SetLimit(2)
	for p := range projects {
		if !end.IsZero() && time.Now().After(end) {
			break
		}
		g.Go(func() error { return s.push(ctx, p) })
		s.loaded++
	}
	s.must(g.Wait())
}

func (s *scale) push(ctx context.Context, p int) error {
	store, err := team.Open(ctx, s.project(p), "scale")
	if err != nil {
		return err
	}
	defer store.Close()
	m := synthetic.Memory{Seed: uint64(p)}
	var batch []team.Episode
	for i := range s.each {
		ep := m.Episode(i)
		ep.Provenance.Extractor = extract.Version // who reads what this one wrote need not redact it
		if err := ep.Seal(); err != nil {
			return err
		}
		data, err := episode.Marshal(ep)
		if err != nil {
			return err
		}
		batch = append(batch, team.Episode{ID: ep.ID, SHA256: memory.Hash(data), Log: ep.Provenance.Source.SHA256, Body: data, Words: recall.FromEpisode(ep).Hashes()})
		if len(batch) == 200 || i == s.each-1 {
			if err := store.Write(ctx, batch, nil); err != nil {
				return err
			}
			batch = nil
		}
	}
	return nil
}

func (s *scale) exec(sql string) {
	conn, err := pgx.Connect(s.Context(), s.url)
	s.must(err)
	defer conn.Close(s.Context())
	_, err = conn.Exec(s.Context(), sql)
	s.must(err)
}

// bareCopy copies the same rows into tables without an index, on the server: those of as many
// projects as fit into memory, for the others as many times that.
func (s *scale) bareCopy(load time.Duration) {
	conn, err := pgx.Connect(s.Context(), s.url)
	s.must(err)
	defer conn.Close(s.Context())
	const most = 100_000 // episodes
	copied := max(1, min(s.loaded, most/s.each))
	total, disk := time.Duration(0), int64(0)
	for _, table := range []string{"episode", "word"} {
		var rows, size, whole int64
		s.must(conn.QueryRow(s.Context(), "select count(*), pg_table_size('episodes."+table+"'), pg_total_relation_size('episodes."+table+"') from episodes."+table).Scan(&rows, &size, &whole))
		var file bytes.Buffer
		_, err := conn.PgConn().CopyTo(s.Context(), &file, fmt.Sprintf("copy (select * from episodes.%s where project in (select id from episodes.project order by id limit %d)) to stdout (format binary)", table, copied))
		s.must(err)
		_, err = conn.Exec(s.Context(), "create table bare_"+table+" (like episodes."+table+")")
		s.must(err)
		began := time.Now()
		_, err = conn.PgConn().CopyFrom(s.Context(), &file, "copy bare_"+table+" from stdin (format binary)")
		s.must(err)
		total += time.Since(began)
		disk += whole
		s.logf("  %-9s %10d rows, %6d MB, with its indexes %6d MB", table, rows, size>>20, whole>>20)
		_, err = conn.Exec(s.Context(), "drop table bare_"+table)
		s.must(err)
	}
	total = total * time.Duration(s.loaded) / time.Duration(copied)
	s.logf("bare copy of the same rows: %.1f s, from %d of the projects; the load took %.1f times that; %d MB in all", total.Seconds(), copied, load.Seconds()/total.Seconds(), disk>>20)
}

// questions times whole processes.
func (s *scale) questions() {
	bin := filepath.Join(s.TempDir(), "episodes")
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	if err != nil {
		s.Fatalf("%v: %s", err, out)
	}
	home, repo := s.TempDir(), s.TempDir()
	m := synthetic.Memory{Seed: 0}
	store := s.project(0) // "": the memory of this machine
	run := func(args ...string) (string, time.Duration) {
		cmd := exec.Command(bin, args...)
		cmd.Dir = repo
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "EPISODES_STORE="+store)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		began := time.Now()
		out, err := cmd.Output()
		if err != nil {
			s.Fatalf("%v: %v\n%s", args, err, stderr.String())
		}
		return string(out), time.Since(began)
	}
	s.must(os.Mkdir(filepath.Join(repo, ".git"), 0o755))
	run("init", "--quiet")
	run("pull", "--quiet")
	run("graph", "update", "--quiet")
	run("push", "--quiet")
	var asked []string
	for i := 0; len(asked) < 40; i++ {
		for _, v := range m.Episode(i % s.each).Events {
			if v.Type == episode.Error && len(asked) < 40 {
				asked = append(asked, v.Content)
				break
			}
		}
		if i > 100*s.each {
			s.Fatal("no errors to ask about")
		}
	}
	each := func(what string, n int, args func(i int) []string) {
		var took []time.Duration
		said := 0
		for i := range n {
			out, d := run(args(i)...)
			if strings.TrimSpace(out) != "" {
				said++
			}
			took = append(took, d)
		}
		slices.Sort(took)
		s.logf("%-28s median %4d ms, p95 %4d ms, of %d; %d with an answer", what, took[n/2].Milliseconds(), took[n*95/100].Milliseconds(), n, said)
	}
	next := s.each
	each("push of one episode", 10, func(int) []string {
		_, err := m.Write(filepath.Join(repo, ".agents/memory/episodes"), next, next+1)
		s.must(err)
		next++
		return []string{"push"}
	})
	each("push of nothing", 10, func(int) []string { return []string{"push"} })
	ask := func(where string, more ...string) {
		for _, q := range []struct {
			name string
			n    int
			args func(i int) []string
		}{
			{"advise", len(asked), func(i int) []string { return []string{"advise", "--error", asked[i]} }},
			{"search", len(asked), func(i int) []string { return []string{"search", asked[i]} }},
			{"path", 20, func(i int) []string { return []string{"path", "--from", asked[i], "--to", "failure"} }},
			{"explain", 20, func(i int) []string { return []string{"explain", asked[i]} }},
			{"patterns, first", 1, func(int) []string { return []string{"patterns"} }},
			{"patterns", 5, func(int) []string { return []string{"patterns"} }},
		} {
			if more != nil && q.n == 20 {
				continue // an answer of each project: 100 times the one
			}
			each(where+": "+q.name, q.n, func(i int) []string { return append(q.args(i), more...) })
		}
	}
	ask("project")
	ask("all projects", "--org")
	store = ""
	run("search", "anything") // the local index, which extract makes
	ask("local")
	each("local: one episode more", 10, func(int) []string {
		_, err := m.Write(filepath.Join(repo, ".agents/memory/episodes"), next, next+1)
		s.must(err)
		next++
		return []string{"graph", "update"}
	})
	store = s.project(0)
	run("push")
	text, _ := run("store", "projects", "--json")
	var list struct {
		Data struct {
			Projects []struct{ Sessions int }
		}
	}
	s.must(json.Unmarshal([]byte(text), &list))
	total := 0
	for _, p := range list.Data.Projects {
		total += p.Sessions
	}
	if want := s.loaded*s.each + next - s.each; total != want {
		s.Errorf("the store holds %d episodes, want %d", total, want)
	}
}
