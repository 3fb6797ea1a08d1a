package team

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/export"
	"episodes/graph"
	"episodes/graph/engine"
	"episodes/internal/testing/few"
	"episodes/internal/testing/pgtest"
)

// exported is a graph in every format.
func exported(url string) (string, error) {
	g, err := graph.Open(context.Background(), url, graph.Options{})
	if err != nil {
		return "", err
	}
	defer g.Close()
	var b bytes.Buffer
	for _, format := range export.Formats() {
		if err := export.Write(&b, g, format, nil); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// bodies is the set of some episodes, as a source.
type bodies map[string]Episode

func (b bodies) List() (set []graph.Entry, err error) {
	for id, e := range b {
		set = append(set, graph.Entry{ID: id, Hash: e.SHA256})
	}
	return set, nil
}

func (b bodies) Load(id string) (*episode.Episode, error) { return episode.Parse(b[id].Body) }

// isGraphOf compares the graph at a URL with one that is made anew from a set.
func isGraphOf(t rapid.TB, url string, set bodies) {
	t.Helper()
	problems, err := graph.Verify(context.Background(), url, set, graph.Options{})
	if err != nil || len(problems) > 0 {
		t.Fatalf("verify: %v %q", err, problems)
	}
	anew := "mem:anew of " + url
	if _, err := graph.Rebuild(context.Background(), anew, set, graph.Options{}); err != nil {
		t.Fatal(err)
	}
	want, err1 := exported(anew)
	got, err2 := exported(url)
	must(t, errors.Join(err1, err2))
	if got != want {
		t.Fatalf("the graph is not that of its %d episodes", len(set))
	}
}

// Whatever was pushed and removed, the graph that a question makes of a project is the one that
// a rebuild makes from its shared episodes, whether a graph of before is brought up to date or
// none is there; private ones are not in it.
func TestGraphOfPushes(t *testing.T) {
	store := pgtest.Store(t)
	url := pgtest.Login(t, store, "ada", "episodes_writer")
	ada := open(t, url, "")
	few.Checks(t, 6)
	check(t, func(rt *rapid.T, next func() string) {
		s, set := in(ada, next()), bodies{}
		kept, fresh := "mem:kept "+s.Name(), "mem:fresh "+s.Name()
		for range rapid.IntRange(1, 3).Draw(rt, "pushes") {
			var put []Episode
			var remove []string
			for i := range 6 {
				e := real(i, rapid.IntRange(0, 3).Draw(rt, "version"))
				switch rapid.IntRange(0, 4).Draw(rt, "what") {
				case 0:
					remove = append(remove, e.ID)
					delete(set, e.ID)
				case 1:
					e.Private = true
					put = append(put, e)
				case 2, 3:
					put, set[e.ID] = append(put, e), e
				}
			}
			must(rt, s.Write(t.Context(), put, remove))
			r, err := graphOf(t.Context(), kept, s)
			if err != nil || len(r.Skipped) > 0 {
				rt.Fatal(err, r.Skipped)
			}
		}
		isGraphOf(rt, kept, set)
		if _, err := graphOf(t.Context(), fresh, s); err != nil {
			rt.Fatal(err)
		}
		isGraphOf(rt, fresh, set)
	})
}

// A graph that is up to date fetches nothing, and one that is behind only what changed.
func TestFetchesWhatChanged(t *testing.T) {
	s := open(t, pgtest.Store(t), "p")
	src := &counted{Source: &Source{Store: s, Context: t.Context(), Parse: parse}}
	for i, want := range []int{2, 0, 1} {
		put := []Episode{real(1, 1), real(2, 1+i/2)}
		must(t, s.Write(t.Context(), put, nil))
		src.fetched = 0
		if _, err := graph.Update(t.Context(), "mem:counted in "+s.db.URL, src, graph.Options{}); err != nil || src.fetched != want {
			t.Errorf("question %d fetched %d, want %d: %v", i+1, src.fetched, want, err)
		}
	}
}

// counted counts what is fetched.
type counted struct {
	*Source
	fetched int
}

func (c *counted) Fetch(next []graph.Entry) error {
	c.fetched += len(next)
	return c.Source.Fetch(next)
}

// Somebody pushes an episode after it was listed and before it is read: the graph has what the
// store has.
func TestPushedMeanwhile(t *testing.T) {
	url := named(t, pgtest.Store(t), "p")
	s := open(t, url, "p")
	old := real(1, 1)
	must(t, s.Write(t.Context(), []Episode{old, real(2, 1)}, nil))
	src := &meanwhile{Source: &Source{Store: s, Context: t.Context(), Parse: parse}}
	latest := real(1, 3)
	src.act = func() {
		if err := open(t, url, "p").Write(context.Background(), []Episode{latest}, nil); err != nil {
			t.Error(err)
		}
	}
	if r, err := graph.Update(t.Context(), "mem:meanwhile", src, graph.Options{}); err != nil || len(r.Skipped) > 0 {
		t.Fatal(err, r.Skipped)
	}
	isGraphOf(t, "mem:meanwhile", bodies{old.ID: latest, real(2, 1).ID: real(2, 1)})
}

// A connection that breaks while episodes are read is no reason to leave them out.
func TestCutWhileLoading(t *testing.T) {
	store := pgtest.Store(t)
	url := named(t, store, "p")
	s := open(t, url, "p")
	set := bodies{}
	for i := range 8 {
		e := real(i, 1)
		set[e.ID] = e
		must(t, s.Write(t.Context(), []Episode{e}, nil))
	}
	conn := pgtest.Connect(t, store)
	for round, how := range []func(context.Context, string, graph.Source, graph.Options) (graph.Report, error){graph.Update, graph.Rebuild, graph.Update} {
		src := &meanwhile{Source: &Source{Store: s, Context: t.Context(), Parse: parse}}
		src.act = func() {
			count(t, conn, "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'episodes a test'")
		}
		if round == 2 {
			e := real(3, 2)
			set[e.ID] = e
			must(t, s.Write(t.Context(), []Episode{e}, nil))
		}
		r, err := how(t.Context(), "mem:cut", src, graph.Options{})
		if err != nil || len(r.Skipped)+r.Removed > 0 {
			t.Fatalf("round %d: %v %+v", round, err, r)
		}
		isGraphOf(t, "mem:cut", set)
	}
}

// meanwhile is a source at which something happens, once, between its list and its reading.
type meanwhile struct {
	*Source
	once sync.Once
	act  func()
}

func (m *meanwhile) Fetch(next []graph.Entry) error {
	m.once.Do(m.act)
	return m.Source.Fetch(next)
}

// A store goes on after its connection was lost: what was under way says so, what comes next
// connects again.
func TestConnectsAgain(t *testing.T) {
	store := pgtest.Store(t)
	s := open(t, store, "p")
	must(t, s.Write(t.Context(), []Episode{text("episode-1", "x")}, nil))
	conn := pgtest.Connect(t, store)
	cut := func() {
		count(t, conn, "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'episodes a test'")
	}
	cut()
	if _, err := s.Versions(t.Context()); !errors.Is(err, engine.ErrLost) {
		t.Errorf("cut off: %v", err)
	}
	if v, err := s.Versions(t.Context()); err != nil || len(v) != 1 {
		t.Errorf("then: %v, %v", v, err)
	}
	cut()
	if err := s.Write(t.Context(), []Episode{text("episode-2", "x")}, nil); !errors.Is(err, engine.ErrLost) {
		t.Errorf("cut off: %v", err)
	}
	if err := s.Write(t.Context(), []Episode{text("episode-2", "x")}, nil); err != nil {
		t.Errorf("then: %v", err)
	}
}
