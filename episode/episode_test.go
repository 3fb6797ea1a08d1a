package episode

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func minimal() *Episode {
	return &Episode{
		ID: "episode-a", Session: "a", Outcome: Success, OutcomeSource: Stated, Task: "t",
		Decisions: []Decision{{ID: "d001", Type: Design, Chosen: "lock", Context: "how", Options: []string{"lock", "queue"}, OptionKeys: []string{"lock", "queue"}, Outcome: Unknown, Effects: []string{"e001"}}},
		Events:    []Event{{ID: "e001", Type: Error, Content: "it broke", CausedBy: []string{"d001"}}},
		Lessons:   []string{"lock first"},
		Links:     []Link{{Source: "d001", Target: "e001", Type: Causes, Explicit: true}, {Source: "e001", Target: OutcomeRef, Type: Prevents}},
		Provenance: Provenance{Source: Source{Path: "a.md", SHA256: strings.Repeat("0", 64), Format: "markdown"}, Extractor: "1",
			Spans: map[string]Span{"d001": {1, 1}, "e001": {2, 3}, "l001": {4, 4}, "task": {1, 1}, "outcome": {9, 9}, "d001>e001": {1, 3}}},
	}
}

var drawEpisode = rapid.Custom(func(t *rapid.T) *Episode {
	e := minimal()
	text := rapid.String()
	e.Task = valid(text.Draw(t, "task"))
	e.Outcome = rapid.SampledFrom(Outcomes()).Draw(t, "outcome")
	e.Lessons = nil
	for range rapid.IntRange(0, 3).Draw(t, "lessons") {
		e.Lessons = append(e.Lessons, valid(text.Draw(t, "lesson")))
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "decisions") {
		e.Decisions = append(e.Decisions, Decision{ID: DecisionID(i + 2), Type: Routing, Chosen: valid(text.Draw(t, "chosen")), Outcome: Unknown})
	}
	n := rapid.IntRange(0, 1<<40).Draw(t, "errors")
	e.Metrics.Errors = &n
	e.Provenance.Spans["e001"] = Span{rapid.IntRange(1, 9).Draw(t, "from"), rapid.IntRange(9, 99).Draw(t, "to")}
	return e
})

func valid(s string) string { return strings.ToValidUTF8(s, "?") }

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEpisode.Draw(t, "episode")
		b, err := Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseExact(b)
		if err != nil {
			t.Fatalf("%v in\n%s", err, b)
		}
		again, err := Marshal(back)
		if err != nil || !bytes.Equal(b, again) {
			t.Fatalf("%v; bytes differ:\n%s", err, cmp.Diff(string(b), string(again)))
		}
		if !json.Valid(b) || !bytes.HasSuffix(b, []byte("}\n")) || bytes.Contains(b, []byte("\r")) {
			t.Fatalf("not canonical:\n%s", b)
		}
	})
}

// Whoever wrote a file: what is read of it holds nothing hidden, but for the path of
// the log, by which it is found.
func TestParseCleans(t *testing.T) {
	const bad = "a\u202e\u200bb\x1b[1m\U000E0041c"
	e := minimal()
	e.Session, e.Task, e.Lessons, e.Provenance.Source.Path = bad, bad, []string{bad}, bad
	e.Decisions[0].Options, e.Decisions[0].Chosen, e.Decisions[0].Context, e.Decisions[0].Rationale, e.Decisions[0].Key = []string{bad, "x"}, bad, bad, bad, bad
	e.Events[0].Content, e.Events[0].ID, e.Provenance.Spans[bad] = bad, bad, Span{1, 1}
	if err := e.Seal(); err != nil {
		t.Fatal(err)
	}
	b, err := Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := Marshal(got); err != nil || bytes.Count(out, []byte("abc")) != 11 || bytes.Count(out, []byte("\u202e")) != 1 || got.Provenance.Source.Path != bad {
		t.Errorf("%v:\n%s", err, out)
	}
	if exact, err := ParseExact(b); err != nil || !exact.Sealed() || exact.Task != bad {
		t.Errorf("exact: %v, %+v", err, exact)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		name, in string
		line     int
		says     string
	}{
		{"empty", "", 1, "empty"},
		{"truncated", "{\n  \"id\": \"episode-a\",\n  \"task\"", 3, "too early"},
		{"list", "[\n]", 1, "array"},
		{"null", "null", 1, ""},
		{"not json", "{\n  id: 1\n}", 2, "invalid character"},
		{"wrong type", "{\n  \"id\": \"episode-a\",\n  \"lessons\": 3\n}", 3, "lessons"},
		{"not utf-8", "{\n \"id\": \"\xff\"}", 2, "UTF-8"},
		{"trailing text", "{\"id\": \"episode-a\"}\n\nx", 1, "after the end"},
		{"no id", "{\n}", 1, "id"},
		{"bad id", "{\n\n\"id\": \"x\"}", 3, "id"},
		{"id that leaves the folder", "{\"id\": \"episode-../../x\"}", 1, "id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := Parse([]byte(c.in))
			var se *SyntaxError
			if e != nil || !errors.As(err, &se) {
				t.Fatalf("got %v, %v", e, err)
			}
			if se.Line < c.line || se.Line > c.line+2 || !strings.Contains(se.Msg, c.says) {
				t.Errorf("line %d: %s; want line %d, %q", se.Line, se.Msg, c.line, c.says)
			}
		})
	}
}

func TestParseIsLenient(t *testing.T) {
	e, err := Parse([]byte(`{"id": "episode-a", "session": "a", "task": null, "decisions": null, "events": null, "metrics": null, "lessons": null, "extra": {"x": 1}}` + "\n \n"))
	if err != nil || e.Outcome != Unknown {
		t.Fatalf("%+v, %v", e, err)
	}
	if p := e.Validate(); len(p) != 0 {
		t.Errorf("%v", p)
	}
}

func TestSealShowsAnEdit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEpisode.Draw(t, "episode")
		if e.Sealed() {
			t.Fatal("never sealed")
		}
		if err := e.Seal(); err != nil || !e.Sealed() {
			t.Fatal("not sealed", err)
		}
		b, err := Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseExact(b)
		if err != nil || !back.Sealed() {
			t.Fatal("the seal is lost on the way", err)
		}
		if back.Task += "x"; back.Sealed() {
			t.Fatal("an edit is not seen")
		}
	})
}

func TestValidate(t *testing.T) {
	if p := minimal().Validate(); len(p) != 0 {
		t.Fatalf("a good episode is refused: %v", p)
	}
	for _, c := range []struct {
		says string
		edit func(e *Episode)
	}{
		{`id "d001" is used twice`, func(e *Episode) { e.Decisions = append(e.Decisions, e.Decisions[0]) }},
		{"context repeats", func(e *Episode) { e.Decisions[0].Context = " LOCK " }},
		{"1 option keys for 2 options", func(e *Episode) { e.Decisions[0].OptionKeys = []string{"lock"} }},
		{`d001 refers to "e009"`, func(e *Episode) { e.Decisions[0].Effects = []string{"e009"} }},
		{`e001 refers to "d009"`, func(e *Episode) { e.Events[0].CausedBy = []string{"d009"} }},
		{`e001 refers to "x"`, func(e *Episode) { e.Events[0].LeadsTo = []string{"x"} }},
		{`link source "outcome"`, func(e *Episode) { e.Links[0].Source = OutcomeRef }},
		{`link target "e002"`, func(e *Episode) { e.Links[1].Target = "e002" }},
		{"to itself", func(e *Episode) { e.Links[0].Source = "e001" }},
		{"no range of lines", func(e *Episode) { e.Provenance.Spans["d001"] = Span{3, 2} }},
		{`span "l002" belongs to nothing`, func(e *Episode) { e.Provenance.Spans["l002"] = Span{1, 1} }},
		{`span "e001>d001" belongs to nothing`, func(e *Episode) { e.Provenance.Spans["e001>d001"] = Span{1, 1} }},
	} {
		e := minimal()
		c.edit(e)
		var all []string
		for _, p := range e.Validate() {
			all = append(all, p.Msg)
			if p.Needle == "" {
				t.Errorf("%q has nothing to find its line by", p.Msg)
			}
		}
		if !strings.Contains(strings.Join(all, "\n"), c.says) {
			t.Errorf("want %q in %q", c.says, all)
		}
	}
}
