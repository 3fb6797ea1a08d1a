package reflexion

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/validate"
	"episodes/redact"
)

//go:embed reflection.schema.json
var schemaSource []byte

var recordSchema = sync.OnceValues(func() (*validate.Schema, error) { return validate.Compile(schemaSource) })

// InvalidError lists the problems of a record: violations of the schema by line of its
// JSON, contradictions by field.
type InvalidError struct{ Problems []string }

func (e *InvalidError) Error() string { return "invalid reflection: " + strings.Join(e.Problems, "; ") }

// Parse reads one record and rejects violations of the schema. It does not call
// Record.Check, since records of other tools contain contradictions. Its texts are
// cleaned, whoever wrote them. Errors: *InvalidError.
func Parse(data []byte) (*Record, error) {
	s, err := recordSchema()
	if err != nil {
		return nil, err
	}
	if found := s.Check(data); len(found) > 0 {
		bad := &InvalidError{}
		for _, p := range found {
			bad.Problems = append(bad.Problems, fmt.Sprintf("line %d: %s", p.Line, p.Message))
		}
		return nil, bad
	}
	r := &Record{}
	if err := json.Unmarshal(data, r); err != nil { // a number too large for an int
		return nil, &InvalidError{Problems: []string{err.Error()}}
	}
	plain.All(r)
	redact.Default.All(r)
	r.Evaluator.Clean()
	if r.Baseline != nil {
		r.Baseline.Clean()
	}
	return r, nil
}

// Load is Parse for records of this program: it also rejects contradictions.
func Load(data []byte) (*Record, error) {
	r, err := Parse(data)
	if err != nil {
		return nil, err
	}
	return r, r.invalid()
}

func (r *Record) invalid() error {
	if problems := r.Check(); len(problems) > 0 {
		return &InvalidError{Problems: problems}
	}
	return nil
}

// Marshal returns the canonical bytes of a record and rejects an invalid one
// (guide, "Validate reflection structure before saving"). Errors: *InvalidError.
func Marshal(r *Record) ([]byte, error) {
	c := *r
	if c.Actor.Actions == nil {
		c.Actor.Actions = []Action{}
	}
	data, err := Encode(&c, "  ")
	if err != nil {
		return nil, fmt.Errorf("encode iteration %d of %q: %w", r.Iteration, r.LoopID, err)
	}
	if _, err := Load(data); err != nil {
		return nil, err
	}
	return data, nil
}

// Encode returns the JSON of a record as it is stored in files: without HTML escapes, with a
// line end, and on one line if indent is "".
func Encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// Check returns the contradictions that the schema cannot express: invalid indices and
// references, a window larger than its capacity, counts that do not add up, a pass with
// a failing result (row R16 of TestRows). Absent fields are not checked.
func (r *Record) Check() []string {
	c := &checker{}
	c.indices(r)
	c.window(r)
	c.metrics(r.Evaluator.Metrics)
	if r.Evaluator.Passed {
		for _, v := range r.Evaluator.Results {
			if v.Status == Fail || v.Status == Errored {
				c.add("passed, but %q has status %s", v.Tool, v.Status)
			}
		}
	}
	slices.Sort(c.out)
	return c.out
}

// checker collects the contradictions of a record.
type checker struct{ out []string }

func (c *checker) add(format string, args ...any) {
	c.out = append(c.out, fmt.Sprintf(format, args...))
}

func (c *checker) indices(r *Record) {
	if credit := r.Reflection.Credit; credit != nil {
		for _, i := range credit.FailingActions {
			if i < 0 || i >= len(r.Actor.Actions) {
				c.add("failing_action_indices: %d is no index into %d actions", i, len(r.Actor.Actions))
			}
		}
	}
	for _, i := range r.Memory.InContext {
		if i < 0 || i > r.Iteration {
			c.add("reflections_in_context: iteration %d is not one up to %d", i, r.Iteration)
		}
	}
	for name, list := range map[string][]int{"related_reflections": r.Reflection.Related, "previous_reflections_used": r.Used} {
		for _, i := range list {
			if i < 0 || i >= r.Iteration {
				c.add("%s: iteration %d is not before %d", name, i, r.Iteration)
			}
		}
	}
}

func (c *checker) window(r *Record) {
	m := r.Memory
	if m.Size > m.Omega {
		c.add("current_memory_size %d is above omega_capacity %d", m.Size, m.Omega)
	}
	if m.InContext != nil && len(m.InContext) != m.Size {
		c.add("current_memory_size %d, but %d reflections_in_context", m.Size, len(m.InContext))
	}
	if m.Total != nil && *m.Total < m.Size {
		c.add("total_reflections_generated %d is below current_memory_size %d", *m.Total, m.Size)
	}
}

func (c *checker) metrics(m *Metrics) {
	if m == nil {
		return
	}
	if m.TestsPassed != nil && m.TestsFailed != nil && m.TestsTotal != nil && *m.TestsPassed+*m.TestsFailed != *m.TestsTotal {
		c.add("tests_passed %d and tests_failed %d do not make tests_total %d", *m.TestsPassed, *m.TestsFailed, *m.TestsTotal)
	}
	for name, n := range map[string]*int{"tests_passed": m.TestsPassed, "tests_failed": m.TestsFailed, "tests_total": m.TestsTotal,
		"lint_errors": m.LintErrors, "lint_warnings": m.LintWarnings, "type_errors": m.TypeErrors} {
		if n != nil && *n < 0 {
			c.add("%s %d is below 0", name, *n)
		}
	}
}

// Clean cleans the texts of an evaluation made by another program.
func (e *EvaluatorOutput) Clean() {
	plain.All(e)
	redact.Default.All(e)
	for i := range e.Errors {
		if p := &e.Errors[i]; !signature().MatchString(p.Signature) {
			p.Signature = "" // it is made again
		}
	}
}

// signature matches what SignatureOf makes.
var signature = lazy.Pattern(`^[a-z_]*:[0-9a-f]{12}$`)

// Clean makes text of tools and models safe to store and to show (package plain). Texts
// are stored cleaned, and cleaned again when they are read. Secrets and personal data go
// too (package redact).
func Clean(s string) string { return redact.Default.String(plain.Text(s)) }
