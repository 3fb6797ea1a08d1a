package query_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/query"
)

// drawn writes a drawing down: its facts, then its links.
func drawn(d *query.Drawing) string {
	labels, lines := map[string]string{}, []string{}
	for _, f := range d.Facts {
		labels[f.ID] = f.Label
		lines = append(lines, f.Label)
	}
	for _, l := range d.Links {
		lines = append(lines, labels[l.Source]+" "+string(l.Type)+" "+labels[l.Target])
	}
	return strings.Join(lines, "\n")
}

// A drawing holds the nearest facts, as many as are asked for, and all links between them.
func TestAround(t *testing.T) {
	chain := graphOf(5, [][]link{{{0, 1, episode.Causes, true}, {1, 2, episode.Causes, true}, {2, 3, episode.Enables, true}, {3, 1, episode.Prevents, true}, {3, 4, episode.Causes, true}}}, []int{0})
	for _, c := range []struct {
		what, ref string
		o         query.DrawOptions
		want      string
		more      []int
	}{
		{"two steps away", place(0), query.DrawOptions{Most: 3}, "place a\nplace b\nplace c\nplace a causes place b\nplace b causes place c", []int{0, 1, 1}},
		{"everything", "", query.DrawOptions{}, "place d\nplace b\nplace e\nplace c\nplace a\n" +
			"place d prevents place b\nplace d causes place e\nplace b causes place c\nplace c enables place d\nplace a causes place b", []int{0, 0, 0, 0, 0}},
		{"with a path that is longer", place(0), query.DrawOptions{Most: 2, To: place(4)}, "place a\nplace b\nplace c\nplace d\nplace e\n" +
			"place a causes place b\nplace b causes place c\nplace c enables place d\nplace d prevents place b\nplace d causes place e", []int{0, 0, 0, 0, 0}},
	} {
		d, err := query.Around(chain, c.ref, c.o)
		check(t, err)
		var more []int
		for _, f := range d.Facts {
			more = append(more, f.More)
		}
		if diff := cmp.Diff(c.want, drawn(d)) + cmp.Diff(c.more, more); diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
	}
	if _, err := query.Around(chain, "nothing of that kind", query.DrawOptions{}); !errors.As(err, new(*query.NotFoundError)) {
		t.Errorf("words that name nothing: %v", err)
	}
	if d, err := query.Around(graphOf(2, nil, nil), "", query.DrawOptions{}); err != nil || len(d.Facts) != 0 {
		t.Errorf("no links: %v, %v", d, err)
	}
}

// The path leads from the first fact to the other or, where there is none, back.
func TestAroundWithPath(t *testing.T) {
	g := sample()
	timeout, green := labelled(t, g, "migrate: acquire advisory lock: canceling statement due to lock timeout").ID, labelled(t, g, "pipeline 9012 green with three replicas").ID
	lone := labelled(t, g, "upload tests run in CI").ID
	for _, c := range []struct {
		what, from, to string
		steps          int
		back           bool
	}{{"onwards", timeout, green, 2, false}, {"back", green, timeout, 2, true}, {"no path", timeout, lone, 0, false}} {
		d, err := query.Around(g, c.from, query.DrawOptions{To: c.to})
		check(t, err)
		if max(0, len(d.Path)-1) != c.steps || d.Back != c.back || d.To != c.to || !strings.Contains(drawn(d), labelOf(t, g, c.to)) {
			t.Errorf("%s: %d steps, back %v, to %s:\n%s", c.what, len(d.Path)-1, d.Back, d.To, drawn(d))
		}
	}
}

func labelOf(t *testing.T, g query.Reader, id string) string {
	n, ok, err := g.Node(id)
	if err != nil || !ok {
		t.Fatal(id, err)
	}
	return n.Label
}

// A link without a direction is on no path.
func TestAroundWithNoPath(t *testing.T) {
	g := graphOf(3, [][]link{{{0, 1, episode.Causes, true}, {1, 2, episode.Correlates, true}}}, []int{0})
	d, err := query.Around(g, place(0), query.DrawOptions{To: place(2)})
	check(t, err)
	if len(d.Path) != 0 {
		t.Errorf("a path over a link without a direction: %v", d.Path)
	}
}

// An outcome is drawn, but what else is linked to it is not.
func TestWhatIsDrawn(t *testing.T) {
	g := sample()
	d, err := query.Around(g, "SQLITE_BUSY: database is locked", query.DrawOptions{})
	check(t, err)
	kinds := map[string]int{}
	for _, f := range d.Facts {
		kinds[f.Kind]++
	}
	if diff := cmp.Diff(map[string]int{"error": 1, "choice": 3, "outcome": 2, "milestone": 1}, kinds); diff != "" {
		t.Errorf("%s in\n%s", diff, drawn(d))
	}
	full, err := query.DrawAll(g)
	check(t, err)
	linked := map[string]bool{}
	for _, l := range full.Links {
		linked[l.Source], linked[l.Target] = true, true
	}
	if len(linked) != len(full.Facts) {
		t.Errorf("%d facts, %d of them linked:\n%s", len(full.Facts), len(linked), drawn(full))
	}
}
