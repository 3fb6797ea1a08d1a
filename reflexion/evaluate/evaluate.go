// Package evaluate runs verifiers, parses their reports, and evaluates an attempt with errors,
// counts and a reward.
//
// A verifier passes when its exit code is 0, its report names no failure, and it verified
// something: a run without tests does not pass. The formats of reports are in detect.go, and those
// of runners that print for people in runners.go.
package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"episodes/internal/fsstore"
	"episodes/internal/proc"
	"episodes/internal/telling"
	"episodes/redact"
	"episodes/reflexion"
)

// DefaultTimeout is that of a verifier.
const DefaultTimeout = 10 * time.Minute

const (
	maxReport = 32 << 20 // bytes of a report file
	excerpt   = 4000     // bytes from the end of an output that a record keeps
	tail      = 64 << 10 // bytes from the end of an output in which the line is that says what went wrong
	maxNamed  = 5000     // tests that an evaluation names
)

// Verifier is a command of the user that verifies an attempt.
type Verifier struct {
	Command proc.Spec
	Format  string // of its report; Auto
	Report  string // file that it writes its report to; "": its output
	// Type is what it verifies; "": derived from the names of its programs.
	Type reflexion.VerificationType
	// Hidden returns the line by which a failure is known that the exit code 0 hides, or "". Nil:
	// the exit code and the report decide alone.
	Hidden func(line, output string) string
}

// Evaluation is the combined result of the verifiers.
type Evaluation struct {
	reflexion.EvaluatorOutput
	Formats []string `json:"formats"` // of the reports, in the order of the results
	// Without is what the verifiers of an attempt that passed find where what decides the verdict
	// is as it was when its loop began, and Changed says what is not.
	Without *reflexion.EvaluatorOutput `json:"without,omitempty"`
	Changed string                     `json:"changed,omitempty"`
}

// Run runs the verifiers in dir and combines their reports. A typ of "" is derived from what was
// measured. A verifier that cannot be started fails the evaluation. Errors: that of ctx.
func Run(ctx context.Context, dir string, verifiers []Verifier, typ reflexion.VerificationType) (*Evaluation, error) {
	return RunWith(dir, verifiers, typ, func(_ int, v Verifier) (Finished, error) {
		v.Command.Dir = dir
		before := v.Stamp(dir)
		f := Finished{}
		f.Result, f.Err = proc.Run(ctx, v.Command)
		if f.Err == nil && v.Report != "" {
			f.Report, f.ReportErr = v.ReadReport(dir, before)
		}
		return f, ctx.Err()
	})
}

// RunWith is Run with another way to run the n-th verifier, from 0. Errors: those of run.
func RunWith(dir string, verifiers []Verifier, typ reflexion.VerificationType,
	run func(n int, v Verifier) (Finished, error)) (*Evaluation, error) {
	var reports []*Report
	var results []reflexion.Result
	for n, v := range verifiers {
		runs := v
		runs.Command = v.counting()
		f, err := run(n, runs)
		if err != nil {
			return nil, err
		}
		r, result := judge(v, dir, f)
		reports, results = append(reports, r), append(results, result)
	}
	e := Combine(reports, results, typ)
	redact.Default.All(e)
	return e, nil
}

// Finished is how a verifier's command ended.
type Finished struct {
	*proc.Result
	Err       error  // it could not be run
	Report    []byte // its report file
	ReportErr error
}

// Stamp identifies the version of the report file, or is "" if the file does not exist.
func (v Verifier) Stamp(dir string) string {
	info, err := os.Stat(v.reportPath(dir))
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

func (v Verifier) reportPath(dir string) string {
	if filepath.IsAbs(v.Report) {
		return v.Report
	}
	return filepath.Join(dir, v.Report)
}

// ReadReport reads the report file, which must have changed since the stamp. It may be a link,
// since the user named it, but no pipe or device, and no larger than maxReport.
func (v Verifier) ReadReport(dir, before string) ([]byte, error) {
	if after := v.Stamp(dir); after == "" || after == before {
		return nil, fmt.Errorf("the report %q was not written by this run", v.Report)
	}
	data, err := fsstore.ReadInput(v.reportPath(dir), maxReport)
	if err != nil {
		return nil, fmt.Errorf("read the report %q: %w", v.Report, fsstore.Cause(err))
	}
	return data, nil
}

func judge(v Verifier, dir string, f Finished) (*Report, reflexion.Result) {
	res := reflexion.Result{Tool: reflexion.Shorten(plain(v.Command.Line()), 200), Status: reflexion.Pass}
	program := reflexion.Program(v.Command.Line()) // errors are kept, command lines are not
	r := &Report{Format: PlainExit}
	fail := func(status reflexion.Status, typ reflexion.ErrorType, message string) {
		res.Status = status
		r.add(reflexion.Problem{Type: typ, Message: message, Rule: program})
	}
	defer func() { r.located(dir) }()
	if f.Err != nil {
		fail(reflexion.Errored, reflexion.RuntimeError, fmt.Sprintf("the verifier could not be run: %v", f.Err))
		return r, res
	}
	ms := int(f.Duration.Milliseconds())
	res.ExitCode, res.DurationMS = &f.Exit, &ms
	found, readErr := read(v, f)
	if readErr == nil {
		r = found
	}
	if r.Format == GoTest {
		said := *f.Result
		said.Stdout = goSaid(f.Stdout)
		f.Result = &said
	}
	res.Stdout, res.Stderr = lastBytes(f.Stdout, excerpt), lastBytes(f.Stderr, excerpt)
	r.Coverage = cmp.Or(r.Coverage, coverage(f.Stdout))
	if r.Format == PlainExit && readErr == nil && !f.TimedOut {
		r.measure(v.subject(), f.Exit)
	}
	switch hidden := v.hidden(f); {
	case f.TimedOut:
		fail(reflexion.Errored, reflexion.Timeout, fmt.Sprintf("the verifier did not end within %s", v.Command.Timeout))
	case f.ReportErr != nil || readErr != nil:
		fail(reflexion.Errored, reflexion.RuntimeError, cmp.Or(f.ReportErr, readErr).Error())
	case r.Broken != "":
		fail(reflexion.Fail, reflexion.RuntimeError, r.Broken)
	case (f.Exit != 0 || r.bad()) && r.hasError():
		res.Status = reflexion.Fail
	case f.Exit != 0 || r.bad():
		fail(reflexion.Fail, reflexion.OtherError, exitMessage(f, r))
	case hidden != "":
		fail(reflexion.Fail, reflexion.OtherError,
			"the exit code is that of another command of the line, and the output shows a failure: "+hidden)
	case r.untested():
		fail(reflexion.Fail, reflexion.OtherError, noTest)
	case r.Passed == nil && v.Format != PlainExit && runsTests(v.Command):
		fail(reflexion.Fail, reflexion.OtherError, noTestSeen)
	}
	if f.Cut && f.Report == nil && res.Status != reflexion.Pass {
		r.add(reflexion.Problem{Type: reflexion.OtherError, Severity: "warning", Message: cutOutput, Rule: program})
	}
	return r, res
}

// read parses a report: a file, else standard output, else standard error. Of two outputs in no
// format the places are put together.
func read(v Verifier, f Finished) (*Report, error) {
	format := cmp.Or(v.Format, Auto)
	if f.Report != nil {
		return Parse(format, f.Report)
	}
	r, err := Parse(format, f.Stdout)
	if err == nil && r.Format != PlainExit || len(f.Stderr) == 0 {
		return r, err
	}
	other, otherErr := Parse(format, f.Stderr)
	if err != nil || otherErr == nil && other.Format != PlainExit {
		return other, otherErr
	}
	r.add(other.Problems...)
	return r, nil
}

// bad reports whether a report names a failure: a pipe may hide the exit code.
func (r *Report) bad() bool { return or0(r.Failed)+or0(r.TypeErrors)+or0(r.LintErrors) > 0 }

func (r *Report) hasError() bool {
	return slices.ContainsFunc(r.Problems, func(p reflexion.Problem) bool { return p.Severity == "error" })
}

func (v Verifier) hidden(f Finished) string {
	if v.Hidden == nil || v.Format == PlainExit || v.Command.Shell == "" {
		return ""
	}
	return v.Hidden(v.Command.Shell, lastBytes(f.Stdout, tail)+"\n"+lastBytes(f.Stderr, tail))
}

// exitMessage describes a failure of which only the exit code is known. Standard error follows,
// since tools that start others end with messages of their own there.
func exitMessage(f Finished, r *Report) string {
	message := fmt.Sprintf("exit code %d", f.Exit)
	if r.untested() {
		message = noTest + ", " + message
	}
	line := telling.In(lastBytes(f.Stdout, tail) + "\n" + lastBytes(f.Stderr, tail))
	if line != "" {
		message += ": " + line
	}
	for _, output := range [][]byte{f.Stdout, f.Stderr} {
		if text := lastLines([]string{lastBytes(output, excerpt)}, lastShown); text != "" && text != line {
			message += "\n" + text
		}
	}
	return message
}

const (
	noTest     = "no test ran, which is no pass"
	noTestSeen = noTest + ": a program that runs tests said of none; its report may be in a file, and the format exit takes its word"
)

var cutOutput = fmt.Sprintf("the output was longer than %d MB: its middle was left out, so counts may be too low; a report in a file is read whole",
	proc.Limit>>20)

func (r *Report) untested() bool { return r.Passed != nil && *r.Passed+*r.Failed == 0 }

func lastBytes(b []byte, n int) string { return plain(string(b[max(0, len(b)-n):])) }

// Combine combines the reports of all verifiers, of which there is one at least in a pass.
func Combine(reports []*Report, results []reflexion.Result, typ reflexion.VerificationType) *Evaluation {
	e := &Evaluation{Formats: []string{}}
	e.Results, e.Metrics = results, &reflexion.Metrics{}
	m := e.Metrics
	named := true
	e.Passed = len(results) > 0
	for i, r := range reports {
		e.Passed = e.Passed && results[i].Status == reflexion.Pass
		e.Formats = append(e.Formats, r.Format)
		add(&m.TestsPassed, r.Passed)
		add(&m.TestsFailed, r.Failed)
		m.Tests = append(m.Tests, r.Names...)
		named = named && (r.Passed == nil || r.untested() || len(r.Names) > 0) && !r.Partial
		if r.Skipped > 0 {
			add(&m.TestsSkipped, &r.Skipped)
		}
		m.TestsPartial = m.TestsPartial || r.Partial
		add(&m.TypeErrors, r.TypeErrors)
		add(&m.LintErrors, r.LintErrors)
		add(&m.LintWarnings, r.LintWarnings)
		m.Coverage = cmp.Or(r.Coverage, m.Coverage)
		for _, p := range r.Problems {
			if p.Severity == "error" || results[i].Status != reflexion.Pass {
				e.Errors = append(e.Errors, p)
			}
		}
	}
	if len(m.Tests) > maxNamed || !named {
		m.Tests = nil
	}
	if m.TestsPassed != nil {
		m.TestsTotal = new(*m.TestsPassed + *m.TestsFailed)
	}
	if e.Type = typ; typ == "" {
		e.Type = derive(m, len(reports))
	}
	reward, parts := Reward(m, e.Passed)
	e.Reward, e.Parts = &reward, &parts
	return e
}

func add(sum **int, n *int) {
	if n != nil {
		*sum = new(or0(*sum) + *n)
	}
}

func derive(m *reflexion.Metrics, verifiers int) reflexion.VerificationType {
	switch {
	case verifiers > 1:
		return reflexion.Combined
	case m.TestsTotal != nil:
		return reflexion.UnitTests
	case m.TypeErrors != nil:
		return reflexion.TypeCheck
	case m.LintErrors != nil:
		return reflexion.Lint
	}
	return reflexion.Heuristic // only an exit code
}
