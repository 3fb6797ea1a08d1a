package ask

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/export"
	"episodes/infer"
	"episodes/internal/memory"
	"episodes/internal/testing/pgtest"
	"episodes/query"
)

// memoryOf is a new memory of some sessions about uploads.
func memoryOf(t *testing.T, n int) *Memory {
	t.Helper()
	m := newMemory(t)
	for i := range n {
		write(t, m, uploads(i))
	}
	return m
}

// writePrivate puts episodes into the private part of a memory.
func writePrivate(t *testing.T, m *Memory, eps ...*episode.Episode) {
	t.Helper()
	if err := m.folder.MakePrivate(); err != nil {
		t.Fatal(err)
	}
	for _, ep := range eps {
		data, err := episode.MarshalSealed(ep)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.folder.Write(context.Background(), []memory.Pending{{ID: ep.ID, Data: data, Private: true}}, 1); err != nil {
			t.Fatal(err)
		}
	}
}

// opened is a memory that is closed when the test ends.
func opened(t *testing.T, o Options) *Memory {
	t.Helper()
	m, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// said is an answer as text and as data.
func said(t *testing.T, m *Memory, a Answer, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	text, data, err := m.Render(a, 0)
	if err != nil {
		t.Fatal(err)
	}
	return text + "\n" + string(data)
}

// ofGraph are questions that are answered from the graph and the episodes behind it.
var ofGraph = map[string]func(*Memory, context.Context) (Answer, error){
	"path": func(m *Memory, ctx context.Context) (Answer, error) {
		return m.Path(ctx, PathRequest{From: "database is locked", To: "Set a busy timeout"})
	},
	"path, to another end": func(m *Memory, ctx context.Context) (Answer, error) {
		return m.Path(ctx, PathRequest{From: "database is locked", To: "Wrap the upload in a retry loop"})
	},
	"whatif": func(m *Memory, ctx context.Context) (Answer, error) {
		return m.WhatIf(ctx, WhatIfRequest{Option: "retry loop"})
	},
	"whatif of a decision": func(m *Memory, ctx context.Context) (Answer, error) {
		return m.WhatIf(ctx, WhatIfRequest{Option: uploads(3).ID + "#d001"})
	},
	"patterns": func(m *Memory, ctx context.Context) (Answer, error) {
		return m.Patterns(ctx, DefaultPatterns(query.GoodPattern))
	},
	"antipatterns": func(m *Memory, ctx context.Context) (Answer, error) {
		return m.Patterns(ctx, DefaultPatterns(query.AntiPattern))
	},
	"explain words": func(m *Memory, ctx context.Context) (Answer, error) {
		return m.Explain(ctx, ExplainRequest{Ref: "database is locked"})
	},
	"explain a record": func(m *Memory, ctx context.Context) (Answer, error) {
		return m.Explain(ctx, ExplainRequest{Ref: uploads(3).ID + "#e001"})
	},
	"stats": func(m *Memory, ctx context.Context) (Answer, error) {
		a, err := m.Stats(ctx, StatsRequest{})
		if err == nil {
			a.Bytes, a.Generation = 0, "" // of the store, not of its content
		}
		return a, err
	},
	"episode": func(m *Memory, ctx context.Context) (Answer, error) {
		return m.Episode(ctx, EpisodeRequest{Ref: uploads(7).Session})
	},
	"record": func(m *Memory, ctx context.Context) (Answer, error) {
		return m.Record(ctx, RecordRequest{Ref: uploads(7).ID, Record: "d001"})
	},
	"decisions": func(m *Memory, ctx context.Context) (Answer, error) {
		return m.Decisions(ctx, EpisodeRequest{Ref: uploads(7).ID})
	},
}

// pushed is a project of a throw-away store that holds the episodes of a memory.
func pushed(t *testing.T, m *Memory, project string) (url string) {
	t.Helper()
	url, err := TeamURL(pgtest.Store(t)+"&project="+project, m.Location)
	if err != nil {
		t.Fatal(err)
	}
	push(t, m, url)
	return url
}

func push(t *testing.T, m *Memory, url string) *PushAnswer {
	t.Helper()
	by := opened(t, Options{Location: m.Location, Team: url})
	a, err := by.Push(context.Background(), PushRequest{})
	if err != nil || len(a.Differ)+len(a.LeftOut) > 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	return a
}

// A question is answered the same whatever the source is: from the memory of this machine, from
// its shared part, and from a project of a team's store that holds the same episodes, here asked
// with and without a memory to keep a graph in, and twice.
func TestSourcesAnswerAlike(t *testing.T) {
	m := memoryOf(t, 40)
	url := pushed(t, m, "alike")
	other := newMemory(t, "2020-01-01-other") // its own episodes are in no answer
	nowhere := memory.Location{Root: t.TempDir(), Dir: filepath.Join(t.TempDir(), "none")}
	private := memoryOf(t, 40)
	hidden := uploads(50)
	hidden.Task = "a private zebra"
	writePrivate(t, private, hidden)
	ctx := context.Background()
	for name, question := range ofGraph {
		local := opened(t, Options{Location: m.Location})
		a, err := question(local, ctx)
		want := said(t, local, a, err)
		if a.Empty() && !strings.HasSuffix(name, "patterns") {
			t.Errorf("%s: there is no answer: %s", name, want)
		}
		for source, o := range map[string]Options{
			"as it is":                    {Location: m.Location, AsItIs: true},
			"the store":                   {Location: other.Location, Team: url},
			"the store, asked again":      {Location: other.Location, Team: url},
			"the store, without a memory": {Location: nowhere, Team: url},
		} {
			asked := opened(t, o)
			a, err := question(asked, ctx)
			if got := said(t, asked, a, err); got != want {
				t.Errorf("%s of %s:\n%s\nwant\n%s", name, source, got, want)
			}
		}
		part, done, err := opened(t, Options{Location: private.Location}).shared()
		if err != nil {
			t.Fatal(err)
		}
		a, err = question(part, ctx)
		if got := said(t, part, a, err); got != want {
			t.Errorf("%s of the shared part:\n%s\nwant\n%s", name, got, want)
		}
		done()
	}
}

// An answer of the shared part names no private episode, and replaces nothing that is kept of all.
func TestSharedPart(t *testing.T) {
	m := memoryOf(t, 6)
	hidden := uploads(7)
	hidden.Task = "a private zebra"
	writePrivate(t, m, hidden)
	ctx := context.Background()
	for _, private := range []bool{false, true} {
		for _, format := range []string{"json", export.Serena} {
			var b strings.Builder
			if err := opened(t, Options{Location: m.Location}).Export(ctx, &b, ExportRequest{Format: format, Private: private}); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(b.String(), hidden.ID) != private {
				t.Errorf("%s with private %v: %s", format, private, b.String())
			}
		}
	}
	asked := opened(t, Options{Location: m.Location})
	r, done, err := asked.SharedReader(ctx)
	if err != nil {
		t.Fatal(err)
	}
	shared, err1 := r.Totals()
	done()
	all, err2 := asked.Reader(ctx)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	whole, err := all.Totals()
	if err != nil || shared.Episodes != 6 || whole.Episodes != 7 {
		t.Errorf("%d shared, %d in all, %v", shared.Episodes, whole.Episodes, err)
	}
	other := memoryOf(t, 2) // nothing is private: the memory itself
	s, done, err := opened(t, Options{Location: other.Location}).shared()
	if err != nil || s.openGraphEpisodes(t) != 2 {
		t.Errorf("%v", err)
	}
	done()
	if data := m.folder.ReadCached(recordsName, eachKey(recordsName, infer.RecordVersion)); !strings.Contains(string(data), hidden.ID) {
		t.Error("what was kept of all was replaced by that of the shared part")
	}
}

// openGraphEpisodes counts the episodes in the graph.
func (m *Memory) openGraphEpisodes(t *testing.T) int {
	t.Helper()
	g, err := m.openGraph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	totals, err := g.Totals()
	if err != nil {
		t.Fatal(err)
	}
	return totals.Episodes
}

// The graph of a project is what the store holds at the moment of the question: for what this
// login may read now, without what anybody keeps private, whatever is kept here of before.
func TestTeamGraphFollowsTheStore(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 4)
	url := pushed(t, m, "follows")
	asks := newMemory(t)
	episodes := func() int {
		asked, err := Open(Options{Location: asks.Location, Team: url})
		if err != nil {
			t.Fatal(err)
		}
		defer asked.Close()
		return asked.openGraphEpisodes(t)
	}
	if n := episodes(); n != 4 {
		t.Errorf("%d episodes of 4", n)
	}
	write(t, m, uploads(4))
	writePrivate(t, m, uploads(5))
	by := opened(t, Options{Location: m.Location, Team: url})
	if a, err := by.Push(ctx, PushRequest{Private: true}); err != nil || len(a.Pushed) != 2 {
		t.Fatalf("%+v, %v", a, err)
	}
	if n := episodes(); n != 5 {
		t.Errorf("%d episodes, want 5: one more is shared, one private", n)
	}
	if a, err := by.Drop(ctx, DropRequest{Episode: uploads(1).Session}); err != nil || a.Removed != uploads(1).ID {
		t.Fatalf("%+v, %v", a, err)
	}
	open := opened(t, Options{Location: asks.Location, Team: url})
	if n := open.openGraphEpisodes(t); n != 4 {
		t.Errorf("%d episodes after one of 5 was dropped", n)
	}
	write(t, m, uploads(6))
	if a, err := by.Push(ctx, PushRequest{}); err != nil || len(a.Pushed) != 1 || len(a.Differ) != 1 {
		t.Fatalf("%+v, %v", a, err) // what was dropped does not come back by itself
	}
	if n := episodes(); n != 5 {
		t.Errorf("%d episodes of 5, while another process reads the graph that is kept", n)
	}
	open.Close()
	kept, err := filepath.Glob(filepath.Join(asks.folder.DerivedDir(), "graph-team-*"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept are %q, %v", kept, err)
	}
	if foreign, err := asks.folder.Foreign(); err != nil || len(foreign) > 0 {
		t.Errorf("it is not believed: %q, %v", foreign, err)
	}
	if err := os.RemoveAll(filepath.Join(kept[0], "CURRENT")); err != nil {
		t.Fatal(err)
	}
	if n := episodes(); n != 5 {
		t.Errorf("%d episodes of 5 after what was kept was damaged", n)
	}
	store, err := OpenTeamStore(ctx, Options{Team: url})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Hide(ctx); err != nil {
		t.Fatal(err)
	}
	stranger := pgtest.Login(t, url, "sid", "episodes_reader")
	if _, err := opened(t, Options{Location: asks.Location, Team: stranger}).Stats(ctx, StatsRequest{}); !errors.Is(err, ErrNoProject) {
		t.Errorf("a stranger asks a hidden project: %v", err)
	}
}

// What takes a store or a memory says so where there is none.
func TestMissingSource(t *testing.T) {
	ctx := context.Background()
	local := newMemory(t)
	for name, act := range map[string]func() error{
		"push": func() error { _, err := local.Push(ctx, PushRequest{}); return err },
		"pull": func() error { _, err := local.Pull(ctx, PullRequest{}); return err },
		"drop": func() error { _, err := local.Drop(ctx, DropRequest{Episode: "x"}); return err },
	} {
		var refused *RequestError
		if err := act(); !errors.As(err, &refused) || len(refused.Params) != 1 || refused.Params[0] != "store" {
			t.Errorf("%s without a store: %v", name, err)
		}
	}
	nowhere := memory.Location{Root: t.TempDir(), Dir: filepath.Join(t.TempDir(), "none")}
	if _, err := Open(Options{Location: nowhere}); !errors.Is(err, ErrNoMemory) {
		t.Errorf("a question to no memory: %v", err)
	}
	team := opened(t, Options{Location: nowhere, Team: "postgres:///x?project=p"})
	for name, act := range map[string]func() error{
		"push":   func() error { _, err := team.Push(ctx, PushRequest{}); return err },
		"pull":   func() error { _, err := team.Pull(ctx, PullRequest{}); return err },
		"update": func() error { _, err := team.Update(ctx, UpdateRequest{}); return err },
	} {
		if err := act(); !errors.Is(err, ErrNoMemory) {
			t.Errorf("%s without a memory: %v", name, err)
		}
	}
}
