package evaluate

import (
	"errors"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// jestReport is what jest --json and vitest --reporter=json print.
type jestReport struct {
	NumTotalTests                                                 *int
	NumPassedTests, NumFailedTests, NumPendingTests, NumTodoTests int
	TestResults                                                   []struct {
		Name, Status, Message string
		AssertionResults      []struct {
			Status, FullName string
			FailureMessages  []string
			Location         struct{ Line, Column int }
		}
	}
}

func parseJest(data []byte) (*Report, error) {
	var j jestReport
	if err := decodeJSON(data, '{', &j); err != nil {
		return nil, err
	}
	if j.NumTotalTests == nil {
		return nil, errors.New("no numTotalTests")
	}
	r := &Report{Skipped: max(0, j.NumPendingTests+j.NumTodoTests)}
	failed := max(0, j.NumFailedTests)
	for _, f := range j.TestResults {
		broken := f.Status == "failed"
		for _, t := range f.AssertionResults {
			if t.Status != "failed" {
				continue
			}
			broken = false
			p := reflexion.Problem{Type: reflexion.TestFailure, File: f.Name, Rule: t.FullName, Line: t.Location.Line,
				Column: t.Location.Column, StackTrace: plain(strings.Join(t.FailureMessages, "\n"))}
			explain(&p, p.StackTrace, "", f.Name)
			r.add(p)
		}
		if broken { // the file did not even load
			failed++
			p := reflexion.Problem{Type: reflexion.RuntimeError, File: f.Name, StackTrace: f.Message}
			explain(&p, f.Message, "", "")
			r.add(p)
		}
	}
	r.tests(max(0, j.NumPassedTests), failed)
	return r, nil
}

var (
	nodePlace  = lazy.Pattern(`(?m)^test at (\S+?):(\d+):(\d+)\n.*\z`)
	jsFile     = lazy.Pattern(`(?m)^ ?(?:FAIL|❯) +(\S+\.[cm]?[jt]sx?)\b`)
	mochaNames = lazy.Pattern(`^[^\n]+(?:\n +[^\n]+)*$`)
	// jsFailure is a heading: ● of jest, ✖ of node, FAIL of vitest, a number of mocha.
	jsFailure = lazy.Pattern(`(?m)^ *(?:● +|✖ +|FAIL +|\d+\) +)(?<name>\S.*?)(?: \([\d.]+ ?m?s\))?:?$`)
)

// jsFailures are the last n different failures with a message: those without are listed before.
func jsFailures(text string, n int) (out []reflexion.Problem) {
	seen := map[string]bool{}
	for _, s := range slices.Backward(sections(text, jsFailure())) {
		if len(out) >= min(n, maxProblems) {
			break
		}
		p := reflexion.Problem{Type: reflexion.TestFailure, Rule: s.in["name"], StackTrace: strings.Trim(s.body, "\n")}
		p.Message = beforeTrace(s.body)
		if name, rest, ok := strings.Cut(p.Message, ":\n"); ok && !strings.Contains(name, "Error") && mochaNames().MatchString(name) {
			p.Rule += " " + strings.Join(strings.Fields(name), " ") // of mocha, on the lines below
			p.Message = dedent(rest)
		}
		before, _, _ := strings.Cut(text, s.body)
		if m := nodePlace().FindStringSubmatch(before); m != nil {
			p.File, p.Line, p.Column = m[1], atoi(m[2]), atoi(m[3])
		}
		home := p.File
		if all := jsFile().FindAllStringSubmatch(before, -1); home == "" && all != nil {
			home = all[len(all)-1][1]
		}
		locate(&p, s.body, home)
		key := p.Rule + p.Message + reflexion.At(p)
		if p.Message != "" && !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	slices.Reverse(out)
	return out
}
