package graphtest

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"episodes/graph"
	"episodes/graph/engine"
	"episodes/graph/stores"
	"episodes/internal/testing/wild"
)

func isTheDefinition(t *testing.T, e Engine) {
	s, done := e.store(t)
	defer done()
	set := NewSet(some(0, 40)...)
	s.update(set, graph.Options{})
	s.check(set)
	for i := 40; i < 44; i++ {
		set.Put(some(i, i+1)[0])
		s.update(set, graph.Options{})
	}
	s.check(set)
	g := s.open()
	defer g.Close()
	if i := g.Info(); i.Digest != set.digest() {
		t.Errorf("the digest is %s, of the set it is %s", i.Digest, set.digest())
	}
}

// One set, taken in whole, by and by in another order, and with others that go
// again, is one graph.
func anyOrder(t *testing.T, e Engine) {
	want := ""
	for seed := range uint64(3) {
		s, done := e.store(t)
		defer done()
		r := rand.New(rand.NewPCG(seed, 0))
		eps := some(0, 24)
		r.Shuffle(len(eps), func(i, j int) { eps[i], eps[j] = eps[j], eps[i] })
		set := NewSet()
		for len(eps) > 0 {
			n := 1 + r.IntN(len(eps))
			for _, ep := range eps[:n] {
				set.Put(ep)
			}
			eps = eps[n:]
			guest := some(100+len(eps), 101+len(eps))[0]
			set.Put(guest)
			s.update(set, graph.Options{BatchSize: r.IntN(5)})
			set.Remove(guest.ID)
		}
		s.update(set, graph.Options{})
		if got := s.exports(); want == "" {
			want = got
		} else if got != want {
			t.Fatalf("order %d gives another graph", seed)
		}
		s.check(set)
	}
}

func anySequence(t *testing.T, e Engine) {
	if e.Checks > 0 {
		f := flag.Lookup("rapid.checks")
		defer f.Value.Set(f.Value.String())
		_ = f.Value.Set(strconv.Itoa(e.Checks))
	}
	rapid.Check(t, func(rt *rapid.T) {
		s, done := e.store(rt)
		defer done()
		set := NewSet()
		for range rapid.IntRange(1, 4).Draw(rt, "updates") {
			for range rapid.IntRange(0, 5).Draw(rt, "changes") {
				id := fmt.Sprintf("episode-%d", rapid.IntRange(0, 7).Draw(rt, "id"))
				if rapid.IntRange(0, 3).Draw(rt, "act") == 0 {
					set.Remove(id)
				} else {
					set.Put(wild.Episode(rt, id))
				}
			}
			s.update(set, graph.Options{BatchSize: rapid.IntRange(0, 3).Draw(rt, "batch")})
		}
		s.check(set)
		updated := s.exports()
		if r := s.update(set, graph.Options{}); r.Added+r.Changed+r.Removed+r.NodesAdded+r.NodesRemoved+r.EdgesAdded+r.EdgesRemoved > 0 {
			rt.Fatalf("a second update did something: %+v", r)
		}
		s.rebuild(set)
		if s.exports() != updated {
			rt.Fatal("a rebuild gives another graph")
		}
	})
}

func readingChangesNothing(t *testing.T, e Engine) {
	s, done := e.store(t)
	defer done()
	set := NewSet(some(0, 30)...)
	s.update(set, graph.Options{})
	before := s.look(e)
	s.check(set)
	s.exports()
	if r := s.update(set, graph.Options{}); r.Unchanged != 30 {
		t.Errorf("an update with nothing to do: %+v", r)
	}
	if s.look(e) != before {
		t.Error("reading changed the store")
	}
}

// look describes all that is kept, as far as it can be seen.
func (s store) look(e Engine) string {
	s.Helper()
	if e.Snapshot == nil {
		return s.exports()
	}
	text, err := e.Snapshot(s.url)
	if err != nil {
		s.Fatal(err)
	}
	return text
}

func readersGoOn(t *testing.T, e Engine) {
	s, done := e.store(t)
	defer done()
	s.update(NewSet(some(0, 10)...), graph.Options{})
	g := s.open()
	defer g.Close()
	s.rebuild(NewSet(some(5, 20)...))
	if set, err := g.Episodes(); err != nil || len(set) != 10 {
		t.Errorf("the reader now sees %d episodes, %v", len(set), err)
	}
	if tt, err := g.Totals(); err != nil || tt.Episodes != 10 {
		t.Errorf("the reader now counts %d episodes, %v", tt.Episodes, err)
	}
	s.check(NewSet(some(5, 20)...))
}

func missing(t *testing.T, e Engine) {
	s, done := e.store(t)
	defer done()
	if _, err := graph.Open(background, s.url, graph.Options{}); !errors.Is(err, graph.ErrMissing) {
		t.Errorf("open: %v", err)
	}
	if _, err := graph.Verify(background, s.url, nil, graph.Options{}); !errors.Is(err, graph.ErrMissing) {
		t.Errorf("verify: %v", err)
	}
	s.update(NewSet(), graph.Options{}) // an empty set is a graph too
	s.check(NewSet())
}

func newer(t *testing.T, e Engine) {
	s, done := e.store(t)
	defer done()
	set := NewSet(some(0, 10)...)
	s.publishEmpty(graph.Format + 1)
	if _, err := graph.Open(background, s.url, graph.Options{}); !errors.Is(err, graph.ErrVersion) {
		t.Errorf("open: %v", err)
	}
	_, err := graph.Update(background, s.url, set, graph.Options{})
	if other := (*graph.FormatError)(nil); !errors.As(err, &other) || !other.Newer() {
		t.Errorf("update: %v", err)
	}
	s.rebuild(set)
	s.check(set)
}

func skipped(t *testing.T, e Engine) {
	s, done := e.store(t)
	defer done()
	set := NewSet(some(0, 10)...)
	s.update(set, graph.Options{})
	id := some(3, 4)[0].ID
	set.PutBytes(id, []byte("{"))
	var before string
	for i := range 2 { // it is reported every time
		if r := s.update(set, graph.Options{}); len(r.Skipped) != 1 || r.Skipped[0].ID != id || r.Skipped[0].Err == nil {
			t.Errorf("%+v", r)
		}
		s.check(set)
		if after := s.look(e); i == 0 {
			before = after
		} else if after != before {
			t.Error("an update with nothing to write changed the store")
		}
	}
}

// publishEmpty publishes an empty generation of a format.
func (s store) publishEmpty(format int) {
	s.Helper()
	st, err := stores.Open(s.url, format, "")
	if err != nil {
		s.Fatal(err)
	}
	release, err := st.Lock(background, engine.Wait{Timeout: time.Minute})
	if err != nil {
		s.Fatal(err)
	}
	defer release()
	g, err := st.Create()
	if err != nil {
		s.Fatal(err)
	}
	if err := errors.Join(g.Close(), st.Publish(g.Name())); err != nil {
		s.Fatal(err)
	}
}

func older(t *testing.T, e Engine) {
	s, done := e.store(t)
	defer done()
	set := NewSet(some(0, 10)...)
	s.publishEmpty(graph.Format - 1)
	if _, err := graph.Open(background, s.url, graph.Options{}); !errors.Is(err, graph.ErrVersion) {
		t.Errorf("open: %v", err)
	}
	if r := s.update(set, graph.Options{}); !r.Rebuilt || r.Added != 10 {
		t.Errorf("%+v", r)
	}
	s.check(set)
}
