package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/testing/few"
)

// hubEpisode uses a label of its own, of twenty, for an event that all share.
func hubEpisode(i int) *episode.Episode {
	ep := &episode.Episode{ID: fmt.Sprintf("episode-%04d", i), Session: "s", Outcome: episode.Success, OutcomeSource: episode.Measured}
	ep.Events = []episode.Event{{ID: "e001", Type: episode.Error, Key: "error: hub", Content: fmt.Sprintf("label %d of the hub", i%20)}}
	ep.Decisions = []episode.Decision{{ID: "d001", Key: "point: hub", Context: fmt.Sprintf("question %d", i), Options: []string{"yes", "no"}, OptionKeys: []string{"yes", "no"}, Chosen: "yes", Outcome: episode.Success}}
	ep.Links = []episode.Link{{Source: "e001", Target: "d001", Type: episode.Causes, Explicit: true}}
	return ep
}

// A node with many labels is shown by the commonest, on the way up and on the way
// down.
func TestManyLabels(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		src := newSource()
		for i := range 30 {
			src.put(hubEpisode(i))
			if i%7 == 6 {
				mustUpdate(t, url, src)
			}
		}
		mustUpdate(t, url, src)
		checkStore(t, url, src)
		for _, left := range []int{27, 15, 9, 8, 3, 0} {
			for i := left; i < 30; i++ {
				src.drop(fmt.Sprintf("episode-%04d", i))
			}
			mustUpdate(t, url, src)
			checkStore(t, url, src)
		}
	})
}

// fanEpisode states edges from one node to some of many.
func fanEpisode(i, from, to int) *episode.Episode {
	ep := &episode.Episode{ID: fmt.Sprintf("episode-%04d", i), Session: "s", Outcome: episode.Success, OutcomeSource: episode.Measured}
	ep.Events = []episode.Event{{ID: "e000", Type: episode.Error, Key: "error: source", Content: "the source"}}
	for n := from; n < to; n++ {
		id := episode.EventID(1 + n)
		ep.Events = append(ep.Events, episode.Event{ID: id, Type: episode.Milestone, Key: fmt.Sprintf("target %d", n), Content: "a target"})
		ep.Links = append(ep.Links, episode.Link{Source: "e000", Target: id, Type: episode.LinkTypes()[n%4], Explicit: n%3 > 0})
	}
	return ep
}

// Edges carry the frequency of their source while it has few edges, and not when
// it has many, on the way up and on the way down.
func TestCarriedFrequencies(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		src := newSource()
		step := func() {
			t.Helper()
			mustUpdate(t, url, src)
			checkStore(t, url, src)
		}
		for i, fan := range [][2]int{{0, 10}, {0, 0}, {5, 31}, {3, 4}, {0, 33}, {2, 3}, {30, 60}, {0, 0}} {
			src.put(fanEpisode(i, fan[0], fan[1]))
			step()
		}
		for _, i := range []int{6, 4, 1, 7, 2, 0} {
			src.drop(fmt.Sprintf("episode-%04d", i))
			step()
		}
	})
}

// An episode that no transaction of a store can hold comes in by way of a new
// generation.
func TestLargeEpisode(t *testing.T)     { testLargeEpisode(t, 600, false) }
func TestVeryLargeEpisode(t *testing.T) { testLargeEpisode(t, 5000, true) }

func testLargeEpisode(t *testing.T, events int, rebuilt bool) {
	onEach(t, func(t *testing.T, url string) {
		src := generated(5, 20)
		was := mustUpdate(t, url, src).Generation
		ep := generator{5}.episode(100)
		for i := range events {
			text := "tool number " + strings.Repeat("z", i%5)
			for n := range 6 { // a word is a key of its own, and a transaction has a limit of keys too
				text += " " + wordNumber(i+n*events)
			}
			ep.Events = append(ep.Events, episode.Event{ID: episode.EventID(100 + i), Type: episode.ToolCall, Content: text})
		}
		src.put(ep)
		before := countSet(src.all()[:20])
		r := mustUpdate(t, url, src)
		checkReport(t, r, before, countSet(src.all()))
		if strings.HasPrefix(url, "badger:") && (r.Generation != was) != rebuilt {
			t.Errorf("generation %s after %s", r.Generation, was)
		}
		mustVerify(t, url, src)
		src.drop(ep.ID)
		mustUpdate(t, url, src)
		checkStore(t, url, src)
	})
}

// wordNumber is a word for a number, since digits are not part of a key.
func wordNumber(i int) string {
	var b strings.Builder
	for i++; i > 0; i /= 20 {
		b.WriteByte("bcdfghjklmnpqrstvwxz"[i%20])
		b.WriteByte('u')
	}
	return b.String()
}

// What the store cannot hold, and what says it is another, is skipped and named;
// the rest is done, and nothing of it stays.
func TestSkipped(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		src := generated(5, 5)
		huge := generator{5}.episode(50)
		huge.Events[0].Content = strings.Repeat("long ", maxText)
		src.put(huge)
		liar := generator{5}.episode(51)
		src.put(liar)
		src.files["episode-other"] = src.files[liar.ID]
		src.drop(liar.ID)
		src.files["../escape"] = []byte("{}")
		src.files["episode-broken"] = []byte("{")
		r := mustUpdate(t, url, src)
		if r.Added != 5 || len(r.Skipped) != 4 || !errors.Is(r.Skipped[slices.IndexFunc(r.Skipped, func(s Skipped) bool { return s.ID == huge.ID })].Err, ErrTooLarge) {
			t.Fatalf("%+v", r)
		}
		good := generated(5, 5)
		mem := "mem:" + t.Name() + "-good"
		mustUpdate(t, mem, good)
		if exported(t, url) != exported(t, mem) {
			t.Error("something of the skipped ones is in the graph")
		}

		ids, _ := good.List()
		src.bad[ids[0].ID] = errors.New("broken now")
		src.files[ids[0].ID] = append(src.files[ids[0].ID], ' ')
		if r := mustUpdate(t, url, src); r.Removed != 1 || r.Unchanged != 4 || len(r.Skipped) != 5 {
			t.Errorf("%+v", r)
		}
		good.drop(ids[0].ID)
		mustUpdate(t, mem, good)
		if exported(t, url) != exported(t, mem) {
			t.Error("something of what broke is still in the graph")
		}
	})
}

// A store that has deleted more than it holds is rewritten.
func TestDeadWeightIsShed(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		src := newSource()
		for i := range 6 {
			ep := hubEpisode(i)
			for n := range 900 {
				ep.Events = append(ep.Events, episode.Event{ID: episode.EventID(10 + n), Type: episode.ToolCall, Content: "tool " + wordNumber(n) + " of " + wordNumber(i)})
			}
			src.put(ep)
		}
		mustUpdate(t, url, src)
		rebuilt := false
		for round := 0; round < 12 && (few.Heavy() || !rebuilt); round++ {
			for i := range 6 {
				id := fmt.Sprintf("episode-%04d", i)
				ep, _ := src.Load(id)
				for n := range ep.Events {
					if n%2 == round%2 {
						ep.Events[n].ID = fmt.Sprintf("e%d-%d", n, round)
					}
				}
				src.put(ep)
			}
			rebuilt = mustUpdate(t, url, src).Rebuilt || rebuilt
		}
		if !rebuilt {
			t.Error("it never was")
		}
		mustVerify(t, url, src)
		mem := "mem:" + t.Name() + "-copy"
		mustRebuild(t, mem, src)
		if exported(t, url) != exported(t, mem) {
			t.Error("it lost something")
		}
	})
}

// badList is a source whose list is wrong.
type badList struct {
	*memorySource
	list []Entry
	err  error
}

func (s badList) List() ([]Entry, error) { return s.list, s.err }

func TestBadLists(t *testing.T) {
	url := "mem:" + t.Name()
	src := generated(5, 2)
	list, _ := src.List()
	for _, bad := range []badList{{src, append(list, list[0]), nil}, {src, nil, errors.New("no disk")}} {
		if _, err := Update(background, url, bad, Options{}); err == nil {
			t.Error("accepted")
		}
	}
	slices.Reverse(list)
	mustUpdate(t, url, badList{src, list, nil})
	checkStore(t, url, src)
}

func TestProgressEndsAtTheTotal(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		src := generated(5, 30)
		src.files["episode-broken"] = []byte("{")
		for name, do := range map[string]func(context.Context, string, Source, Options) (Report, error){"update": Update, "rebuild": Rebuild} {
			last, total := 0, -1
			_, err := do(background, url, src, Options{BatchSize: 7, Progress: func(d, n int) {
				if d < last || d > n {
					t.Errorf("%s: %d of %d after %d", name, d, n, last)
				}
				last, total = d, n
			}})
			if err != nil || total >= 0 && last != total {
				t.Errorf("%s: %v, ends at %d of %d", name, err, last, total)
			}
			src.put(generator{5}.episode(200))
		}
	})
}
