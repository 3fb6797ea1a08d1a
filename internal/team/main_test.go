package team

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/testing/pgtest"
	"episodes/internal/testing/synthetic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// open connects to a project.
func open(t testing.TB, url, project string) *Store {
	t.Helper()
	s, err := Open(t.Context(), named(t, url, project), "a test")
	must(t, err)
	t.Cleanup(s.Close)
	return s
}

func named(t testing.TB, url, project string) string {
	t.Helper()
	url, err := WithProject(url, project)
	must(t, err)
	return url
}

// text is an episode that is no JSON: only its words matter.
func text(id, body string, words ...int64) Episode {
	return Episode{ID: id, SHA256: hash([]byte(body)), Body: []byte(body), Words: words}
}

func hash(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// real is an episode that a graph can be made of. Versions of one number differ.
func real(number, version int, words ...int64) Episode {
	ep := synthetic.Memory{Seed: 1}.Episode(number)
	ep.Task = fmt.Sprintf("%s, version %d", ep.Task, version)
	body, err := episode.Marshal(ep)
	if err != nil {
		panic(err) // no synthetic episode cannot be written
	}
	return Episode{ID: ep.ID, SHA256: hash(body), Body: body, Words: words}
}

func parse(id string, body []byte) (*episode.Episode, error) { return episode.Parse(body) }

// graphOf makes a graph of a project, or brings one up to date, as a question does.
func graphOf(ctx context.Context, url string, s *Store) (graph.Report, error) {
	return graph.Update(ctx, url, &Source{Store: s, Context: ctx, Parse: parse}, graph.Options{})
}

// dump is all that a database holds, but for the parts that count what was done.
func dump(t testing.TB, conn *pgx.Conn) map[string]string {
	t.Helper()
	out := map[string]string{}
	for table, columns := range map[string]string{
		"project": "t.name, t.private, t.owner, t.sessions", "member": "t", "episode": "t", "word": "t",
	} {
		var rows string
		sql := fmt.Sprintf("select coalesce(string_agg(row(%s)::text, E'\\n' order by row(%[1]s)::text), '') from episodes.%s t", columns, table)
		must(t, conn.QueryRow(t.Context(), sql).Scan(&rows))
		out[table] = rows
	}
	return out
}

// count is the first value of a query.
func count(t testing.TB, conn *pgx.Conn, sql string, args ...any) (n int) {
	t.Helper()
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}
