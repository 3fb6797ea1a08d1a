package ask

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/memory"
	"episodes/query"
)

// logged writes an episode whose records have lines of a log, and the log.
func logged(t *testing.T, m *Memory, name string, lines ...string) *episode.Episode {
	t.Helper()
	text := strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(m.Location.Root, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	ep := uploads(0)
	ep.ID, ep.Session = episode.IDFromSession(name), name
	ep.Provenance.Source = episode.Source{Path: name, SHA256: memory.Hash([]byte(text)), Format: "markdown"}
	ep.Provenance.Spans = map[string]episode.Span{"e001": {1, 1}, "d001": {2, 2}}
	write(t, m, ep)
	return ep
}

func TestExplain(t *testing.T) {
	m := memoryOf(t, 40)
	ctx := context.Background()
	mined, err := m.Patterns(ctx, DefaultPatterns(query.GoodPattern))
	if err != nil || mined.Empty() {
		t.Fatalf("%+v, %v", mined, err)
	}
	node, err := m.Explain(ctx, ExplainRequest{Ref: "database is locked"})
	if err != nil || node.Node == nil {
		t.Fatalf("%+v, %v", node, err)
	}
	for _, c := range []struct {
		what, ref string
		is        func(*query.Explanation) bool
	}{
		{"a node by its id", node.Node.Node.ID, func(x *query.Explanation) bool { return x.Node != nil && x.Node.Node.ID == node.Node.Node.ID }},
		{"a record", uploads(3).ID + "#e001", func(x *query.Explanation) bool { return x.Record != nil }},
		{"a link", uploads(3).ID + "#e001>d001", func(x *query.Explanation) bool { return x.Link != nil }},
		{"a pattern", mined.Patterns[0].ID, func(x *query.Explanation) bool { return x.Pattern != nil }},
	} {
		a, err := m.Explain(ctx, ExplainRequest{Ref: c.ref, Limit: 2})
		if err != nil || a.Empty() || !c.is(a.Explanation) {
			t.Errorf("%s: %+v, %v", c.what, a, err)
			continue
		}
		if text := a.Text(80); text == "" || len(text) > 320 {
			t.Errorf("%s: %d bytes in a budget of 320", c.what, len(text))
		}
	}
}

// The lines of a log are quoted while it is the one that was read, and else the answer says how
// it is.
func TestExplainQuotes(t *testing.T) {
	m := newMemory(t)
	ep := logged(t, m, "log.md", "the database is locked, it says", "so a busy timeout is set")
	ask := func() (*ExplainAnswer, []string) {
		t.Helper()
		asked := opened(t, Options{Location: m.Location})
		defer asked.Close()
		var notes []string
		asked.Note = func(text string) { notes = append(notes, text) }
		a, err := asked.Explain(context.Background(), ExplainRequest{Ref: ep.ID + "#e001"})
		if err != nil || len(a.Logs) != 1 {
			t.Fatalf("%+v, %v", a, err)
		}
		return a, notes
	}
	a, _ := ask()
	if a.Logs[0].State != Same || !strings.Contains(a.Text(0), "the database is locked, it says") {
		t.Errorf("%+v: %s", a.Logs, a.Text(0))
	}
	if err := os.WriteFile(filepath.Join(m.Location.Root, "log.md"), []byte("another\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if a, notes := ask(); a.Logs[0].State != Changed || strings.Contains(a.Text(0), "it says") || len(notes) == 0 || !strings.Contains(notes[len(notes)-1], "not quoted") {
		t.Errorf("%+v, %q: %s", a.Logs, notes, a.Text(0))
	}
	ep.Provenance.Source.Path = "/home/carol/other/log.md"
	write(t, m, ep)
	if _, notes := ask(); !strings.Contains(notes[len(notes)-1], `the log "~/other/log.md" of`) {
		t.Errorf("a home folder: %q", notes)
	}
}

func TestExplainNothing(t *testing.T) {
	m := memoryOf(t, 6)
	for ref, near := range map[string]bool{"zebra": false, "p0123456789ab": false, uploads(1).ID + "#e099": false} {
		a, err := m.Explain(context.Background(), ExplainRequest{Ref: ref})
		if err != nil || !a.Empty() || a.Text(0) != "" || (len(a.NotFound.Nearest) > 0) != near {
			t.Errorf("%s: %+v, %v", ref, a, err)
			continue
		}
		if data, err := a.MarshalJSON(); err != nil || string(data) != "null" {
			t.Errorf("%s: %s, %v", ref, data, err)
		}
	}
}
