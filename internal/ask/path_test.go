package ask

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"episodes/episode"
)

// refuses expects that a request is refused for its parameters.
func refuses(t *testing.T, what string, err error, params ...string) {
	t.Helper()
	var refused *RequestError
	if !errors.As(err, &refused) || strings.Join(refused.Params, " ") != strings.Join(params, " ") {
		t.Errorf("%s: %v", what, err)
	}
}

func TestPathRefuses(t *testing.T) {
	good := PathRequest{From: "a", To: "b"}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what   string
		change func(*PathRequest)
		params []string
	}{
		{"no beginning", func(r *PathRequest) { r.From = " " }, []string{"from", "to"}},
		{"no end", func(r *PathRequest) { r.To = "" }, []string{"from", "to"}},
		{"an unknown link", func(r *PathRequest) { r.Types = []episode.LinkType{"likes"} }, []string{"types"}},
		{"fewer paths than none", func(r *PathRequest) { r.Paths = -1 }, []string{"k", "max-hops"}},
		{"fewer hops than none", func(r *PathRequest) { r.MaxHops = -1 }, []string{"k", "max-hops"}},
		{"too much weight", func(r *PathRequest) { r.MinWeight = 1.1 }, []string{"min-weight"}},
		{"too little weight", func(r *PathRequest) { r.MinWeight = -0.1 }, []string{"min-weight"}},
	} {
		r := good
		c.change(&r)
		refuses(t, c.what, r.Check(), c.params...)
		if _, err := newMemory(t).Path(context.Background(), r); err == nil {
			t.Errorf("%s: it is answered", c.what)
		}
	}
}

func TestPath(t *testing.T) {
	m := memoryOf(t, 12)
	hidden := uploads(13)
	writePrivate(t, m, hidden)
	for _, c := range []struct {
		what    string
		r       PathRequest
		paths   int
		private bool
	}{
		{"by words", PathRequest{From: "database is locked", To: "Set a busy timeout"}, 1, false},
		{"by a record", PathRequest{From: uploads(2).ID + "#e001", To: uploads(2).ID + "#d001"}, 1, false},
		{"over what a private session says", PathRequest{From: "database is locked", To: "Wrap the upload in a retry loop"}, 1, true},
		{"backwards", PathRequest{From: "Set a busy timeout", To: "database is locked"}, 0, false},
		{"by another link", PathRequest{From: "database is locked", To: "Set a busy timeout", Types: []episode.LinkType{episode.Prevents}}, 0, false},
		{"of more weight than there is", PathRequest{From: "database is locked", To: "Set a busy timeout", MinWeight: 1}, 0, false},
	} {
		a, err := m.Path(context.Background(), c.r)
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if len(a.Paths) != c.paths || (len(a.Private) > 0) != c.private || a.NotFound != nil {
			t.Errorf("%s: %d paths, private %v", c.what, len(a.Paths), a.Private)
		}
		if text := a.Text(60); len(text) > 240 || text == "" {
			t.Errorf("%s: %d bytes of text in a budget of 240", c.what, len(text))
		}
		if c.private != strings.Contains(a.Text(0), "private") {
			t.Errorf("%s: %s", c.what, a.Text(0))
		}
		data, err := json.Marshal(a)
		if err != nil || strings.Contains(string(data), `"private"`) != c.private {
			t.Errorf("%s: %s, %v", c.what, data, err)
		}
	}
}

// What names nothing is an answer, which says what comes closest.
func TestPathFromNothing(t *testing.T) {
	m := memoryOf(t, 3)
	var notes []string
	m.Note = func(text string) { notes = append(notes, text) }
	a, err := m.Path(context.Background(), PathRequest{From: "zebra", To: "database is locked"})
	if err != nil || a.NotFound == nil || a.NotFound.Ref != "zebra" || !a.Empty() || a.Text(0) != "" {
		t.Fatalf("%+v, %v", a, err)
	}
	if len(notes) == 0 || !strings.Contains(strings.Join(notes, "\n"), `like "zebra"`) {
		t.Errorf("noted: %q", notes)
	}
	data, err := json.Marshal(a)
	if err != nil || !strings.Contains(string(data), `"not_found":{`) || !strings.Contains(string(data), `"paths":[]`) {
		t.Errorf("%s, %v", data, err)
	}
}
