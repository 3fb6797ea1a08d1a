package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"episodes/internal/proc"
	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/evaluate"
	"episodes/reflexion/loop"
)

// evalFlags say how to verify.
type evalFlags struct {
	verify  []string
	format  string
	report  string
	typ     string
	timeout time.Duration
}

func (f *evalFlags) add(cmd *cobra.Command) {
	verifyFlag(cmd, &f.verify)
	fs := cmd.Flags()
	fs.StringVar(&f.format, "format", evaluate.Auto, "`FORMAT` of the reports: "+strings.Join(evaluate.Formats(), ", "))
	fs.StringVar(&f.report, "report", "", "`FILE` that the first verifier writes its report to")
	fs.StringVar(&f.typ, "type", "", "`TYPE` of the verification, such as integration_tests; default: by what is measured")
	fs.DurationVar(&f.timeout, "timeout", evaluate.DefaultTimeout, "end a verifier after `TIME`")
}

// verifyFlag adds --verify.
func verifyFlag(cmd *cobra.Command, lines *[]string) {
	cmd.Flags().StringArrayVar(lines, "verify", nil, "verify with this command `LINE` (may be given several times)")
}

// verifiers are those of the flags and, where args are given, the command they make.
func (f *evalFlags) verifiers(args []string) ([]evaluate.Verifier, error) {
	switch {
	case !slices.Contains(evaluate.Formats(), f.format):
		return nil, usage("", "--format %q: must be one of %s", f.format, strings.Join(evaluate.Formats(), ", "))
	case f.typ != "" && !slices.Contains(reflexion.VerificationTypes(), reflexion.VerificationType(f.typ)):
		return nil, usage("", "--type %q: must be one of %s", f.typ, list(reflexion.VerificationTypes()))
	case f.timeout <= 0:
		return nil, usage("", "--timeout %s: must be above 0", f.timeout)
	}
	var commands []proc.Spec
	if len(args) > 0 {
		commands = append(commands, proc.Spec{Args: args})
	}
	for _, line := range f.verify {
		commands = append(commands, proc.Spec{Shell: line})
	}
	return loop.Verifiers(commands, f.format, f.report, reflexion.VerificationType(f.typ), f.timeout), nil
}

// list writes the legal values of a flag.
func list[T ~string](values []T) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}

func (a *app) evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval [--verify LINE]... [-- CMD ARG...]",
		Short: "Run verifiers and read what they report: passed, errors, reward",
		Example: `  episodes loop eval -- go test -json ./...
  episodes loop eval --verify 'npm test -- --json' --verify 'tsc --noEmit' --verify 'eslint -f json .'
  episodes loop eval --report junit.xml -- mvn -q verify`,
		Long: `Verifies by running the command given, and reads its report: go test -json, JUnit XML, TAP, SARIF, the
JSON and the totals of the common test runners, linters and type checkers, or the exit code alone; those
that print plain lines are known by name, or by --type. It passes when the exit code is 0, the report
names no failure, and at least one test ran where tests are counted. The reward is 0.5 times the share
of passed tests, 0.3 without type errors and 0.2 without lint errors; parts that were not measured add
nothing and are named. Where none is measured it is 1 or 0. No memory is needed.`,
		Annotations: exits(strings.Replace(commonExits, "1    failed", "1    not passed, with the errors on stderr; or failed", 1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			vs, err := f.verifiers(args)
			if err != nil {
				return err
			}
			if len(vs) == 0 {
				return usage(seeHelp(cmd), "eval takes a command after --, or --verify")
			}
			holdLittle()
			e, err := evaluate.Run(cmd.Context(), a.cwd, vs, reflexion.VerificationType(f.typ))
			if err != nil {
				return err
			}
			return a.verdict(cmd, e, e, "")
		},
	}
	f.add(cmd)
	return cmd
}

// verdict prints an evaluation: as the answer when it passed, else as a failure.
func (a *app) verdict(cmd *cobra.Command, e *evaluate.Evaluation, data any, more string) error {
	text := evaluationText(e) + more
	if e.Passed {
		return a.answer(cmd, result{data: data, text: a.budgeted(text)})
	}
	return a.wrong(strings.TrimSuffix(a.budgeted(text), "\n")+"\n", failure{err: errors.New("verification failed"), data: data, reported: true})
}

func evaluationText(e *evaluate.Evaluation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s), reward %.2f", e.Verdict(), e.Type, e.RewardOr())
	switch {
	case e.Parts.Binary:
		b.WriteString(" by exit code alone")
	case len(e.Parts.Absent) > 0:
		fmt.Fprintf(&b, "; not measured: %s", strings.Join(e.Parts.Absent, ", "))
	}
	b.WriteByte('\n')
	for i, r := range e.Results {
		fmt.Fprintf(&b, "  %s: %s", term.Line(r.Tool), r.Status)
		if r.ExitCode != nil {
			fmt.Fprintf(&b, ", exit code %d, read as %s", *r.ExitCode, e.Formats[i])
		}
		b.WriteByte('\n')
	}
	m := e.Metrics
	for _, f := range []struct {
		n    *int
		what string
	}{{m.TestsPassed, "tests passed"}, {m.TestsFailed, "tests failed"}, {m.TypeErrors, "type errors"},
		{m.LintErrors, "lint errors"}, {m.LintWarnings, "lint warnings"}} {
		if f.n != nil {
			fmt.Fprintf(&b, "  %d %s\n", *f.n, f.what)
		}
	}
	for _, p := range e.Errors {
		fmt.Fprintf(&b, "%s\n", term.Line(reflexion.Describe(p)))
	}
	return b.String()
}
