package reflexion

import (
	"bytes"
	"cmp"
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
// JSON, contradictions (of line 0) by field.
type InvalidError struct{ Problems []validate.Problem }

func (e *InvalidError) Error() string {
	var all []string
	for _, p := range e.Problems {
		if p.Line > 0 {
			p.Message = fmt.Sprintf("line %d: %s", p.Line, p.Message)
		}
		all = append(all, p.Message)
	}
	return "invalid reflection: " + strings.Join(all, "; ")
}

func invalid(format string, args ...any) error {
	return &InvalidError{[]validate.Problem{{Message: fmt.Sprintf(format, args...)}}}
}

// Parse reads one record and rejects violations of the schema. It does not call
// Record.Check, since records of other tools contain contradictions. Its texts are
// cleaned, whoever wrote them. Errors: *InvalidError.
func Parse(data []byte) (*Record, error) {
	s, err := recordSchema()
	if err != nil {
		return nil, err
	}
	if found := s.Check(data); len(found) > 0 {
		return nil, &InvalidError{found}
	}
	r := &Record{}
	if err := json.Unmarshal(data, r); err != nil { // a number too large for an int
		return nil, invalid("%v", err)
	}
	plain.All(r)
	redact.Default.All(r)
	r.Evaluator.sign()
	if r.Baseline != nil {
		r.Baseline.sign()
	}
	return r, nil
}

// Load is Parse for records of this program: it also rejects contradictions.
func Load(data []byte) (*Record, error) {
	r, err := Parse(data)
	if err != nil {
		return nil, err
	}
	bad := &InvalidError{}
	for _, p := range r.Check() {
		bad.Problems = append(bad.Problems, validate.Problem{Message: p})
	}
	if bad.Problems != nil {
		return r, bad
	}
	return r, nil
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
	_, err = Load(data)
	return data, err
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
func (r *Record) Check() (out []string) {
	must := func(ok bool, format string, args ...any) {
		if !ok {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	if credit := r.Reflection.Credit; credit != nil {
		for _, i := range credit.FailingActions {
			must(i >= 0 && i < len(r.Actor.Actions), "failing_action_indices: %d is no index into %d actions", i, len(r.Actor.Actions))
		}
	}
	for _, i := range r.Memory.InContext {
		must(i >= 0 && i <= r.Iteration, "reflections_in_context: iteration %d is not one up to %d", i, r.Iteration)
	}
	for name, list := range map[string][]int{"related_reflections": r.Reflection.Related, "previous_reflections_used": r.Used} {
		for _, i := range list {
			must(i >= 0 && i < r.Iteration, "%s: iteration %d is not before %d", name, i, r.Iteration)
		}
	}
	w := r.Memory
	must(w.Size <= w.Omega, "current_memory_size %d is above omega_capacity %d", w.Size, w.Omega)
	must(w.InContext == nil || len(w.InContext) == w.Size,
		"current_memory_size %d, but %d reflections_in_context", w.Size, len(w.InContext))
	must(w.Total == nil || *w.Total >= w.Size, "total_reflections_generated %d is below current_memory_size %d", deref(w.Total), w.Size)
	if m := r.Evaluator.Metrics; m != nil {
		must(m.TestsPassed == nil || m.TestsFailed == nil || m.TestsTotal == nil || *m.TestsPassed+*m.TestsFailed == *m.TestsTotal,
			"tests_passed %d and tests_failed %d do not make tests_total %d", deref(m.TestsPassed), deref(m.TestsFailed), deref(m.TestsTotal))
		for name, n := range map[string]*int{"tests_passed": m.TestsPassed, "tests_failed": m.TestsFailed, "tests_total": m.TestsTotal,
			"lint_errors": m.LintErrors, "lint_warnings": m.LintWarnings, "type_errors": m.TypeErrors} {
			must(deref(n) >= 0, "%s %d is below 0", name, deref(n))
		}
	}
	for _, v := range r.Evaluator.Results {
		must(!r.Evaluator.Passed || v.Status != Fail && v.Status != Errored, "passed, but %q has status %s", v.Tool, v.Status)
	}
	slices.Sort(out)
	return out
}

func deref(n *int) int { return *cmp.Or(n, new(int)) }

// Clean cleans the texts of an evaluation made by another program.
func (e *EvaluatorOutput) Clean() {
	plain.All(e)
	redact.Default.All(e)
	e.sign()
}

// sign leaves out signatures that have not the form of one: they are made again.
func (e *EvaluatorOutput) sign() {
	for i := range e.Errors {
		if p := &e.Errors[i]; !signature().MatchString(p.Signature) {
			p.Signature = ""
		}
	}
}

var signature = lazy.Pattern(`^[a-z_]*:[0-9a-f]{12}$`)

// Clean makes text of tools and models safe to store and to show (package plain). Texts
// are stored cleaned, and cleaned again when they are read. Secrets and personal data go
// too (package redact).
func Clean(s string) string { return redact.Default.String(plain.Text(s)) }
