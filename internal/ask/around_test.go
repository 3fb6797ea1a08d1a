package ask

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"episodes/query"
)

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
	whole, err := m.Drawing(t.Context())
	if err != nil || len(whole.Facts) != 4 || whole.At == "" {
		t.Errorf("the whole graph: %+v, %v", whole, err)
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
