package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

// star is a memory in which an error of two sessions led to many things, and the first of them to one more;
// what a private session says is not shared.
func star(t *testing.T) *Memory {
	t.Helper()
	m := newMemory(t)
	b := pump("a", "2026-02-01", episode.Success)
	for i := range 40 {
		b.Event(episode.Milestone, fmt.Sprintf("the wheel q%c%cq moves", 'a'+i/26, 'a'+i%26)).
			Link("e001", episode.EventID(i+3), episode.Causes)
	}
	b.Decide("", "sell the pump", episode.Unknown).Link("e003", "d001", episode.Causes)
	write(t, m, b.Done(), pump("b", "2026-02-02", episode.Failure).Event(episode.Milestone, "the fence is green").Done())
	writePrivate(t, m, pump("p", "2026-02-03", episode.Failure).Decide("", "hide the key", episode.Unknown).Link("e001", "d001", episode.Causes).Done())
	return m
}

func TestAroundAFact(t *testing.T) {
	ctx := context.Background()
	m := star(t)
	for _, c := range []struct {
		what    string
		r       AroundRequest
		private bool
		at      string
		facts   int
		path    []string
		missing bool
	}{
		{what: "an error", r: AroundRequest{Ref: pumpClosed}, at: pumpClosed, facts: query.MostDrawn},
		{what: "a record", r: AroundRequest{Ref: "a#e001", Most: 5}, at: pumpClosed, facts: 5},
		{what: "one fact", r: AroundRequest{Ref: pumpClosed, Most: 1}, at: pumpClosed, facts: 1},
		{what: "nothing named: the error that came back", r: AroundRequest{Most: 10}, at: pumpClosed, facts: 10},
		{what: "a path", r: AroundRequest{Ref: pumpClosed, To: "sell the pump"}, at: pumpClosed, facts: query.MostDrawn,
			path: []string{pumpClosed, "the wheel qaaq moves", "sell the pump"}},
		{what: "a path longer than what is asked for", r: AroundRequest{Ref: pumpClosed, To: "sell the pump", Most: 1}, at: pumpClosed, facts: 3,
			path: []string{pumpClosed, "the wheel qaaq moves", "sell the pump"}},
		{what: "no path", r: AroundRequest{Ref: "sell the pump", To: "the fence is green", Most: 2}, at: "sell the pump", facts: 2},
		{what: "what is private", r: AroundRequest{Ref: "hide the key"}, missing: true},
		{what: "what is private, asked by its owner", r: AroundRequest{Ref: "hide the key", Most: 2}, private: true, at: "hide the key", facts: 2},
		{what: "a path to what is private", r: AroundRequest{Ref: pumpClosed, To: "hide the key"}, missing: true},
		{what: "nothing of the kind", r: AroundRequest{Ref: "zebra"}, missing: true},
	} {
		a, err := opened(t, Options{Location: m.Location, Shared: !c.private}).Around(ctx, c.r)
		if err != nil || c.missing != (a.NotFound != nil) || c.missing != (a.Drawing == nil) {
			t.Errorf("%s: %+v, %v", c.what, a, err)
			continue
		}
		if c.missing {
			continue
		}
		label, linked := map[string]string{}, map[string]bool{}
		for _, f := range a.Facts {
			label[f.ID] = f.Label
			if f.Label == "hide the key" && !c.private {
				t.Errorf("%s: a private fact is drawn", c.what)
			}
		}
		for _, l := range a.Links {
			linked[l.Source+l.Target] = true
			if label[l.Source] == "" || label[l.Target] == "" || l.Sessions < 1 {
				t.Errorf("%s: %+v", c.what, l)
			}
		}
		var path []string
		for i, id := range a.Path {
			path = append(path, label[id])
			if i > 0 && !linked[a.Path[i-1]+id] {
				t.Errorf("%s: no link to %s on the path", c.what, label[id])
			}
		}
		if label[a.At] != c.at || len(a.Facts) != c.facts || !slices.Equal(path, c.path) || a.Back {
			t.Errorf("%s: %d facts around %q, path %q, back %v", c.what, len(a.Facts), label[a.At], path, a.Back)
		}
		if f := a.Facts[0]; f.Label == pumpClosed && f.More != 40-(len(a.Links)-min(1, len(c.path))) {
			t.Errorf("%s: %d more with %d links", c.what, f.More, len(a.Links))
		}
	}
}

func TestAroundRefuses(t *testing.T) {
	m := memoryOf(t, 1)
	for what, c := range map[string]struct {
		r     AroundRequest
		param string
	}{
		"too many":           {AroundRequest{Most: query.MostDrawn + 1}, "most"},
		"fewer than nothing": {AroundRequest{Most: -1}, "most"},
		"a long fact":        {AroundRequest{Ref: strings.Repeat("x", 1<<20)}, "fact"},
		"a long end":         {AroundRequest{Ref: "x", To: strings.Repeat("x", 1<<20)}, "to"},
	} {
		_, err := m.Around(context.Background(), c.r)
		refuses(t, what, err, c.param)
	}
	// All that is linked is in a drawing of the whole.
	if all, err := memoryOf(t, 40).Drawing(context.Background()); err != nil || len(all.Facts) == 0 || len(all.Links) == 0 {
		t.Errorf("%+v, %v", all, err)
	}
	// Where nothing is linked, nothing is drawn.
	none := newMemory(t)
	write(t, none, querytest.Build("a", episode.Success).Event(episode.Error, pumpClosed).Done())
	if a, err := none.Around(context.Background(), AroundRequest{}); err != nil || a.Drawing == nil || len(a.Facts) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}
