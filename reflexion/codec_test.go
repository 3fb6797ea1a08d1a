package reflexion

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"episodes/internal/plain"
)

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecord.Draw(t, "record")
		data, err := Marshal(r)
		must(t, err)
		back, err := Load(data)
		if err != nil {
			t.Fatalf("%v in\n%s", err, data)
		}
		plain.All(r) // as it is read
		if diff := cmp.Diff(r, back, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// What the schema can say of a value is refused by name: a property that is missing, a form, a
// bound, a type, a list of words. TestSchemaAgainstLibrary tries all fields.
func TestInvalid(t *testing.T) {
	good, err := Marshal(whole())
	must(t, err)
	for _, tt := range []struct{ name, old, new, want string }{
		{"R1 no memory", `"memory_metadata"`, `"memories"`, `missing properties: ["memory_metadata"]`},
		{"R1 not JSON", `{`, `[`, "invalid"},
		{"R2 loop id", `"ralph-a"`, `"A"`, `loop_id: is "A", which does not match`},
		{"R3 iteration", `"iteration": 2`, `"iteration": -1`, "iteration: is -1, must be at least 0"},
		{"R3 half iteration", `"iteration": 2`, `"iteration": 2.5`, "must be an integer"},
		{"R3 huge iteration", `"iteration": 2`, `"iteration": 1e40`, "cannot unmarshal"},
		{"R4 time", `"2023`, `"in 2023`, "timestamp: is"},
		{"R5 action type", `code_modification`, `edit`, "must be one of code_modification"},
		{"R6 passed", `"passed": false`, `"passed": "no"`, "evaluator_output.passed: "},
		{"R9 reward", `0.3`, `1.3`, "reward_signal: is 1.3, must be at most 1"},
		{"R11 index", "\"failing_action_indices\": [\n        0", "\"failing_action_indices\": [\n        \"0\"", "failing_action_indices[0]: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bad := strings.Replace(string(good), tt.old, tt.new, 1)
			if bad == string(good) {
				t.Fatalf("the record has no %q", tt.old)
			}
			_, err := Parse([]byte(bad))
			var invalid *InvalidError
			if !errors.As(err, &invalid) || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "invalid reflection: ") {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// Contradictions that the schema cannot express (row R16).
func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		edit       func(*Record)
	}{
		{"right", "", func(*Record) {}},
		{"index", "failing_action_indices: 1 is no index into 1 actions", func(r *Record) { r.Reflection.Credit.FailingActions = []int{0, 1} }},
		{"size above omega", "current_memory_size 4 is above omega_capacity 3", func(r *Record) { r.Memory.Size = 4 }},
		{"size and list", "current_memory_size 2, but 1 reflections_in_context", func(r *Record) { r.Memory.Size, r.Memory.InContext = 2, []int{1} }},
		{"total", "total_reflections_generated 1 is below current_memory_size 2", func(r *Record) { r.Memory.Size, r.Memory.Total = 2, new(1) }},
		{"related to itself", "related_reflections: iteration 5 is not before 5", func(r *Record) { r.Reflection.Related = []int{5} }},
		{"uses the future", "previous_reflections_used: iteration 9 is not before 5", func(r *Record) { r.Used = []int{9} }},
		{"sum", "tests_passed 1 and tests_failed 1 do not make tests_total 3", func(r *Record) {
			r.Evaluator.Metrics = &Metrics{TestsPassed: new(1), TestsFailed: new(1), TestsTotal: new(3)}
		}},
		{"pass with a failure", `passed, but "go test" has status fail`, func(r *Record) {
			r.Evaluator.Passed, r.Evaluator.Results = true, []Result{{Tool: "go test", Status: Fail}}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := failed("ralph-a", 5, "text")
			tt.edit(r)
			if got := strings.Join(r.Check(), "; "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if _, err := Marshal(r); (err == nil) != (tt.want == "") {
				t.Errorf("written: %v", err)
			}
		})
	}
}

// compiled is a library's reading of a schema.
func compiled(t *testing.T, source []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	must(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	must(t, c.AddResource("urn:test", doc))
	s, err := c.Compile("urn:test")
	must(t, err)
	return s
}

func agree(t *testing.T, s *jsonschema.Schema, data []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	must(t, err)
	mine, err := recordSchema()
	must(t, err)
	theirs := s.Validate(doc)
	if got := mine.Check(data); (len(got) == 0) != (theirs == nil) {
		t.Fatalf("here: %v; there: %v\n%s", got, theirs, data)
	}
}

// mutate changes one value of a JSON document at random.
func mutate(rng *rand.Rand, v any) any {
	values := []any{nil, "", "x", "fifo", "pass", -1.0, 0.0, 0.5, 1.0, 11.0, true, []any{}, []any{"x"}, map[string]any{}}
	switch v := v.(type) {
	case map[string]any:
		ks := make([]string, 0, len(v))
		for k := range v {
			ks = append(ks, k)
		}
		if len(ks) > 0 && rng.IntN(8) > 0 {
			k := ks[rng.IntN(len(ks))]
			if rng.IntN(6) == 0 {
				delete(v, k)
			} else {
				v[k] = mutate(rng, v[k])
			}
			return v
		}
	case []any:
		if len(v) > 0 && rng.IntN(4) > 0 {
			i := rng.IntN(len(v))
			v[i] = mutate(rng, v[i])
			return v
		}
	}
	return values[rng.IntN(len(values))]
}

// Thousands of records with every field of the schema, right and wrong, get the same verdict from this package,
// from a library reading the same schema, and from the library reading the source
// document's schema.
func TestSchemaAgainstLibrary(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	schemas := []*jsonschema.Schema{compiled(t, schemaSource)}
	if s := sourceSchema(t); s != nil {
		schemas = append(schemas, compiled(t, s))
	}
	full, err := Marshal(drawRecord.Example(int(seed >> 40)))
	must(t, err)
	goods := [][]byte{full}
	if s := sourceSchema(t); s != nil {
		var doc struct{ Examples []json.RawMessage }
		must(t, json.Unmarshal(s, &doc))
		goods = append(goods, doc.Examples[0])
	}
	rounds := 600
	if os.Getenv("EPISODES_HEAVY") != "" {
		rounds = 20_000
	}
	for n := range rounds {
		var doc any
		must(t, json.Unmarshal(goods[n%len(goods)], &doc))
		for range 1 + rng.IntN(3) {
			doc = mutate(rng, doc)
		}
		data, err := json.Marshal(doc)
		must(t, err)
		for _, s := range schemas {
			agree(t, s, data)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// seeds reads a source document, which is not part of the repository; nil when it is missing.
func seeds(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "shared", "seeds", name))
	if err != nil {
		t.Logf("the source document %s is not there, so it is not compared", name)
		return nil
	}
	return data
}

func sourceSchema(t *testing.T) []byte {
	data := seeds(t, "reflection-memory-schema.txt")
	if i := bytes.IndexByte(data, '{'); i >= 0 {
		return data[i:]
	}
	return nil
}

// must ends a test at an error.
func must(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
