package ask

import (
	"context"
	"encoding/json"
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
			if label[l.Source] == "" || label[l.Target] == "" || l.Sessions < 1 || l.Statistical {
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
	// Where nothing is linked, nothing is drawn.
	none := newMemory(t)
	write(t, none, querytest.Build("a", episode.Success).Event(episode.Error, pumpClosed).Done())
	if a, err := none.Around(context.Background(), AroundRequest{}); err != nil || a.Drawing == nil || len(a.Facts) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// shown says what a drawing is around, how many facts it has, and the kinds of its links.
func shown(d *query.Drawing) (at string, facts int, links []string) {
	labels := map[string]string{}
	for _, f := range d.Facts {
		labels[f.ID] = f.Label
	}
	for _, l := range d.Links {
		kind := "stated"
		if l.Statistical {
			kind = "statistical"
		}
		links = append(links, kind)
	}
	slices.Sort(links)
	return labels[d.At], len(d.Facts), slices.Compact(links)
}

// A drawing is around the fact that is named, by default an error that came back; stated and
// statistical links are told apart.
func TestAround(t *testing.T) {
	m := memoryOf(t, 40)
	for _, c := range []struct {
		what  string
		r     AroundRequest
		at    string
		facts int
		path  int
	}{
		{"an error that came back", AroundRequest{}, "database is locked", 4, 0},
		{"by words", AroundRequest{Ref: "Set a busy timeout"}, "What to do about failing uploads?: Set a busy timeout", 4, 0},
		{"by a record", AroundRequest{Ref: uploads(2).ID + "#e001", Most: 2}, "database is locked", 2, 0},
		{"with the path to another", AroundRequest{Ref: "database is locked", To: "Wrap the upload in a retry loop", Most: 1}, "database is locked", 2, 2},
	} {
		a, err := m.Around(t.Context(), c.r)
		if err != nil || a.NotFound != nil {
			t.Fatalf("%s: %v, %v", c.what, a, err)
		}
		at, facts, links := shown(a.Drawing)
		if at != c.at || facts != c.facts || len(a.Path) != c.path {
			t.Errorf("%s: around %q, %d facts, path %v", c.what, at, facts, a.Path)
		}
		if want := map[bool]string{true: "stated statistical", false: "stated"}[facts > 2]; strings.Join(links, " ") != want {
			t.Errorf("%s: %v, want %s", c.what, links, want)
		}
	}
	all, err := m.Drawing(t.Context())
	if err != nil || len(all.Facts) != 4 || all.At == "" {
		t.Errorf("the whole graph: %+v, %v", all, err)
	}
}

func TestAroundNothing(t *testing.T) {
	m := memoryOf(t, 3)
	a, err := m.Around(t.Context(), AroundRequest{Ref: "zebra"})
	if err != nil || a.NotFound == nil || a.Drawing != nil {
		t.Errorf("%+v, %v", a, err)
	}
	for param, r := range map[string]AroundRequest{"most": {Most: query.MostDrawn + 1}, "fact": {Ref: strings.Repeat("x", 1<<20)}, "to": {To: strings.Repeat("x", 1<<20)}} {
		_, err := m.Around(t.Context(), r)
		refuses(t, param, err, param)
	}
	a, err = newMemory(t).Around(t.Context(), AroundRequest{})
	if data, _ := json.Marshal(a); err != nil || !strings.Contains(string(data), `"facts":[]`) {
		t.Errorf("an empty memory: %s, %v", data, err)
	}
}
