package validate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"episodes/episode"
)

// A whole episode that is right, one field a line, so that problems have lines.
const good = `{
  "id": "episode-s",
  "session": "s",
  "timestamp": "2026-01-31T12:00:00Z",
  "outcome": "success",
  "task": "mend the cache",
  "decisions": [
    {
      "id": "d001",
      "type": "design",
      "chosen": "content hash",
      "outcome": "unknown"
    }
  ],
  "events": [
    {"id": "e001", "type": "commit", "content": "abc1234"}
  ],
  "metrics": {"commits": 1},
  "lessons": ["hash first"],
  "links": [{"source": "d001", "target": "e001", "type": "causes", "explicit": true}],
  "provenance": {
    "source": {"path": "s.md", "sha256": "0000000000000000000000000000000000000000000000000000000000000000", "format": "markdown"},
    "spans": {"d001": [1, 2]}
  }
}`

// Each problem is found, on its line, with a message that says what to fix.
func TestFile(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"right", "", "", ""},
		{"wrong type", `"task": "mend the cache"`, `"task": null`, `6: task: is null, must be a string`},
		{"wrong enum", `"outcome": "success"`, `"outcome": "done"`, `5: outcome: is "done", must be one of success, partial, failure, unknown`},
		{"missing", `      "chosen": "content hash",`, ``, `8: decisions[0]: missing properties: ["chosen"]`},
		{"bad id", `"d001",`, `"x1",`, `9: decisions[0].id: is "x1", which does not match ^d[0-9]{3,}$; ` +
			`20: link source "d001" does not exist; 20: span "d001" belongs to nothing in this episode`},
		{"below minimum", `{"commits": 1}`, `{"commits": -1}`, `18: metrics.commits: is -1, must be at least 0`},
		{"no integer", `{"commits": 1}`, `{"commits": 1.5}`, `18: metrics.commits: is 1.5, must be an integer`},
		{"short span", `[1, 2]`, `[1]`, `9: span "d001" is [1, 0], which is no range of lines; 23: provenance.spans.d001: array length 1 is less than 2`},
		{"hidden", `"mend the cache"`, `"mend\u202e the cache\u001b[1m"`, `6: task: has U+202E, which cannot be seen or is obeyed; it is taken out when it is read`},
		{"dangling link", `"target": "e001"`, `"target": "e009"`, `20: link target "e009" does not exist`},
		{"truncated", good[strings.Index(good, `  "metrics"`):], ``, `18: unexpected end of JSON input`},
		{"not UTF-8", `mend`, "me\xffnd", `6: not valid UTF-8`},
		{"nothing", good, ``, `1: the file is empty`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := good
			if tt.old != "" {
				data = strings.Replace(good, tt.old, tt.new, 1)
			}
			ps, err := File([]byte(data), "episode-s")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range ps {
				got = append(got, fmt.Sprintf("%d: %s", p.Line, p.Message))
			}
			if s := strings.Join(got, "; "); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

// oracle is a full implementation of JSON Schema.
func oracle(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("urn:episodes:schema:episode:1", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("urn:episodes:schema:episode:1")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// On any mutation of an episode, this checker and a full one agree on where the
// schema is broken.
//
// Rows A4 A5 A6 A26.
func TestAgreesWithAFullImplementation(t *testing.T) {
	full := oracle(t)
	ours, err := Compile(source)
	if err != nil {
		t.Fatal(err)
	}
	values := []string{`null`, `true`, `0`, `-1`, `1.0`, `1.5`, `1e2`, `""`, `"x"`, `"success"`, `"d001"`, `"e01"`, `"causes"`, `"episode-x"`,
		`"2026-01-31T12:00:00.5+01:00"`, `"2026-13-31T12:00:00Z"`, `"2026-01-31"`, `[]`, `[1]`, `[1,2]`, `[0,2,3]`, `["a"]`, `{}`, `{"id":"d001"}`}
	rapid.Check(t, func(t *rapid.T) {
		var doc any
		if doc, err = decode([]byte(good)); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 3).Draw(t, "mutations") {
			value, err := decode([]byte(rapid.SampledFrom(values).Draw(t, "value")))
			if err != nil {
				t.Fatal(err)
			}
			doc = mutate(t, doc, value)
		}
		var got []string
		ours.check(ours.root, doc, "", func(ptr, _ string) { got = append(got, ptr) })
		var want []string
		if err := full.Validate(doc); err != nil {
			want = placesOf(err.(*jsonschema.ValidationError), nil)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(slices.Compact(got), slices.Compact(want)) {
			text, _ := json.Marshal(doc)
			t.Fatalf("ours %q\nfull %q\n%s", got, want, text)
		}
	})
}

// mutate replaces or removes a value somewhere in doc.
func mutate(t *rapid.T, doc, value any) any {
	if rapid.IntRange(0, 3).Draw(t, "here") == 0 {
		return value
	}
	switch d := doc.(type) {
	case map[string]any:
		keys := sortedNames(d)
		if len(keys) == 0 {
			return value
		}
		k := rapid.SampledFrom(keys).Draw(t, "field")
		if rapid.IntRange(0, 5).Draw(t, "drop") == 0 {
			delete(d, k)
		} else {
			d[k] = mutate(t, d[k], value)
		}
		return d
	case []any:
		if len(d) == 0 {
			return []any{value}
		}
		i := rapid.IntRange(0, len(d)-1).Draw(t, "item")
		d[i] = mutate(t, d[i], value)
		return d
	}
	return value
}

func sortedNames(m map[string]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func placesOf(e *jsonschema.ValidationError, out []string) []string {
	if len(e.Causes) > 0 {
		for _, c := range e.Causes {
			out = placesOf(c, out)
		}
		return out
	}
	ptr := ""
	for _, t := range e.InstanceLocation {
		ptr += "/" + escaper.Replace(t)
	}
	return append(out, ptr)
}

// What the program can write is what the schema allows, and nothing else.
func TestVocabularyIsTheSchemas(t *testing.T) {
	type object = map[string]any
	var root object
	if err := json.Unmarshal(source, &root); err != nil {
		t.Fatal(err)
	}
	enum := func(path ...string) (out []string) {
		at := root
		for _, step := range path {
			next, ok := at[step].(object)
			if !ok {
				t.Fatalf("the schema has no %q of %q", step, path)
			}
			at = next
		}
		for _, v := range at["enum"].([]any) {
			out = append(out, v.(string))
		}
		return out
	}
	for name, c := range map[string]struct{ schema, program []string }{
		"outcome":        {enum("properties", "outcome"), texts(episode.Outcomes()...)},
		"own outcome":    {enum("$defs", "outcome"), texts(episode.Outcomes()...)},
		"outcome source": {enum("properties", "outcome_source"), texts(episode.Measured, episode.Stated, episode.Default)},
		"decision type":  {enum("$defs", "decision", "properties", "type"), texts(episode.Design, episode.Implementation, episode.Testing, episode.Recovery, episode.Routing)},
		"event type":     {enum("$defs", "event", "properties", "type"), texts(episode.EventTypes()...)},
		"type of a link": {enum("$defs", "link", "properties", "type"), texts(episode.LinkTypes()...)},
	} {
		if !slices.Equal(c.schema, c.program) {
			t.Errorf("%s: the schema has %q, the program %q", name, c.schema, c.program)
		}
	}
}

func texts[T ~string](list ...T) (out []string) {
	for _, v := range list {
		out = append(out, string(v))
	}
	return out
}
