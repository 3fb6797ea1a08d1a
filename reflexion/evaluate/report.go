package evaluate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"episodes/internal/lazy"
	text "episodes/internal/plain"
	"episodes/reflexion"
)

// Report is that of one verifier. Nil means that it does not give the number.
type Report struct {
	Format       string
	Passed       *int // tests
	Failed       *int
	Skipped      int
	Partial      bool     `json:",omitempty"` // of the tests that passed not all are counted
	Names        []string `json:"-"`          // of tests that passed or failed, also those that only have subtests
	TypeErrors   *int
	LintErrors   *int
	LintWarnings *int
	Coverage     *float64 // percent
	Problems     []reflexion.Problem
	Broken       string // why the report cannot be trusted: tests that never ran
}

const (
	maxProblems = 200 // of a verifier; the others are bytes
	maxMessage  = 8000
	maxStack    = 8000
	maxName     = 2000
)

func (r *Report) add(problems ...reflexion.Problem) {
	for _, p := range problems[:min(len(problems), maxProblems-len(r.Problems))] {
		p.Message = reflexion.Middle(strings.TrimSpace(plain(p.Message)), maxMessage)
		p.Message = cmp.Or(p.Message, "failed without a message")
		p.Severity = cmp.Or(p.Severity, "error")
		p.StackTrace = reflexion.Middle(strings.TrimRight(strings.TrimLeft(plain(p.StackTrace), "\n"), "\n "), maxStack)
		p.Rule = reflexion.Shorten(plain(p.Rule), maxName)
		p.File = reflexion.Shorten(plain(strings.TrimPrefix(p.File, "file://")), maxName)
		p.Line, p.Column = max(p.Line, 0), max(p.Column, 0)
		r.Problems = append(r.Problems, p)
	}
}

// located makes file names relative to the verified folder, and computes signatures.
func (r *Report) located(dir string) {
	for i := range r.Problems {
		p := &r.Problems[i]
		if rel, err := filepath.Rel(dir, p.File); err == nil && filepath.IsAbs(p.File) && filepath.IsLocal(rel) {
			p.File = filepath.ToSlash(rel)
		}
		p.Signature = reflexion.SignatureOf(*p)
	}
}

func (r *Report) name(test string) {
	r.Names = append(r.Names, reflexion.Shorten(plain(test), maxName))
}

func (r *Report) tests(passed, failed int) { r.Passed, r.Failed = &passed, &failed }

func (r *Report) lint(errors, warnings int) { r.LintErrors, r.LintWarnings = &errors, &warnings }

// linted is the report of a linter, whose problems need no type.
func linted(problems []reflexion.Problem) *Report {
	r, n := &Report{}, map[string]int{}
	for _, p := range problems {
		p.Type = cmp.Or(p.Type, reflexion.LintError)
		n[p.Severity]++
		r.add(p)
	}
	r.lint(n["error"], n["warning"])
	return r
}

// plain removes terminal escape sequences and control characters. An evaluation is redacted as a
// whole, since paths have to be recognised first.
func plain(s string) string {
	if strings.Contains(s, "\x1b") {
		s = escapes().ReplaceAllString(s, "")
	}
	return text.Text(s)
}

var ownHead = lazy.Pattern(`^\s*\{"schema_version":1,"command":"loop eval",`)

// parseOwn reads what episodes loop eval --json prints.
func parseOwn(data []byte) (*Report, error) {
	var read struct{ Data *reflexion.EvaluatorOutput }
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&read); err != nil {
		return nil, err
	}
	if read.Data == nil {
		return nil, errors.New("it has no evaluation")
	}
	r := &Report{}
	r.add(read.Data.Errors...)
	if m := read.Data.Metrics; m != nil {
		r.Passed, r.Failed, r.Partial, r.Names = m.TestsPassed, m.TestsFailed, m.TestsPartial, m.Tests
		r.TypeErrors, r.LintErrors, r.LintWarnings, r.Coverage = m.TypeErrors, m.LintErrors, m.LintWarnings, m.Coverage
		r.Skipped = or0(m.TestsSkipped)
	}
	return r, nil
}

// The weights of the parts of the reward. Source: reflection-memory guide,
// "Reward Signal Calculation".
const (
	testsWeight = 0.5
	typesWeight = 0.3
	lintWeight  = 0.2
)

// Reward returns the scalar reward, 0 to 1, and its parts. It is 1 for what passed, whatever was
// not measured; for anything else:
//
//	0.5 · tests_passed/tests_total + 0.3 if type_errors = 0 + 0.2 if lint_errors = 0
//
// Without any test the first part is 0; the guide's formula has no value then.
func Reward(m *reflexion.Metrics, passed bool) (sum float64, p reflexion.RewardParts) {
	part := func(name string, n *int, value float64) *float64 {
		if n == nil {
			p.Absent = append(p.Absent, name)
			return nil
		}
		sum += value
		return &value
	}
	p.Absent = []string{}
	p.Tests = part("tests", m.TestsTotal, testsWeight*float64(or0(m.TestsPassed))/float64(max(1, or0(m.TestsTotal))))
	p.Types = part("types", m.TypeErrors, typesWeight*float64(max(0, 1-or0(m.TypeErrors))))
	p.Lint = part("lint", m.LintErrors, lintWeight*float64(max(0, 1-or0(m.LintErrors))))
	p.Binary = len(p.Absent) == 3
	if passed {
		sum = 1
	}
	return sum, p
}

func or0(n *int) int { return *cmp.Or(n, new(int)) }

// ReviewTool is the tool name of a manual review among the results.
const ReviewTool = "manual_review"

// Review adds the verdict of a manual review. A refusal overrules verifiers that passed,
// which analyze counts as a false pass.
func Review(e *reflexion.EvaluatorOutput, verdict reflexion.Status) {
	e.Results = append(e.Results, reflexion.Result{Tool: ReviewTool, Status: verdict})
	e.Type = reflexion.Combined
	if len(e.Results) == 1 {
		e.Type = reflexion.ManualReview
	}
	if verdict == reflexion.Pass {
		return
	}
	if e.Passed {
		p := reflexion.Problem{Type: reflexion.LogicError,
			Message: "a manual review refused what the verifiers passed", Severity: "error", Rule: ReviewTool}
		p.Signature = reflexion.SignatureOf(p)
		e.Errors = append(e.Errors, p)
	}
	e.Passed = false
}
