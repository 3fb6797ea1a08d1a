package evaluate

import (
	"cmp"
	"path/filepath"
	"strings"

	text "episodes/internal/plain"
	"episodes/reflexion"
)

// Report is the report of one verifier. Nil means that it does not give the number.
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

// maxProblems bounds the errors of one verifier; the other limits are bytes of a text.
const (
	maxProblems = 200
	maxMessage  = 8000
	maxStack    = 8000
	maxName     = 2000
)

func (r *Report) add(p reflexion.Problem) {
	if len(r.Problems) >= maxProblems {
		return
	}
	p.Message = reflexion.Middle(strings.TrimSpace(plain(p.Message)), maxMessage)
	p.StackTrace = reflexion.Middle(strings.TrimRight(strings.TrimLeft(plain(p.StackTrace), "\n"), "\n "), maxStack)
	p.Rule = reflexion.Shorten(plain(p.Rule), maxName)
	p.File = reflexion.Shorten(plain(strings.TrimPrefix(p.File, "file://")), maxName)
	p.Line, p.Column = max(p.Line, 0), max(p.Column, 0)
	if p.Message == "" {
		p.Message = "failed without a message"
	}
	if p.Severity == "" {
		p.Severity = "error"
	}
	r.Problems = append(r.Problems, p)
}

// located makes file names relative to the verified folder and computes the signature of
// every error.
func (r *Report) located(dir string) {
	for i := range r.Problems {
		p := &r.Problems[i]
		if rel, err := filepath.Rel(dir, p.File); err == nil && filepath.IsAbs(p.File) && rel != ".." &&
			!strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
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

// linted is the report of a linter: its problems have no type, or that of an error of syntax.
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

// plain removes terminal escape sequences and control characters. Secrets are kept, since
// paths have to be recognised first; an evaluation is redacted as a whole.
func plain(s string) string {
	if strings.Contains(s, "\x1b") {
		s = escapes().ReplaceAllString(s, "")
	}
	return text.Text(s)
}
