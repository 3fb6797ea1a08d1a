package evaluate

import (
	"errors"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// The lines with totals in the text output of JavaScript test runners: jest's
// "Tests: 1 failed, 2 total", vitest's "Tests  1 failed | 1 passed (2)", mocha's
// "2 passing", and those of node's spec reporter.
var (
	jestTotal   = lazy.Pattern(`(?m)^Tests: +(.*\d+ total)$`)
	vitestTotal = lazy.Pattern(`(?m)^ +Tests +(.*) \(\d+\)$`)
	mochaPass   = lazy.Pattern(`(?m)^ +(\d+) passing\b`)
	mochaFail   = lazy.Pattern(`(?m)^ +(\d+) failing$`)
	nodePass    = lazy.Pattern(`(?m)^ℹ pass (\d+)$`)
	nodeFail    = lazy.Pattern(`(?m)^ℹ (?:fail|cancelled) (\d+)$`)
	jsCount     = lazy.Pattern(`(\d+) (failed|passed)`)
	nodePlace   = lazy.Pattern(`(?m)^test at (\S+?):(\d+):(\d+)\n.*\z`)
	jsFile      = lazy.Pattern(`(?m)^ ?(?:FAIL|❯) +(\S+\.[cm]?[jt]sx?)\b`)
	mochaNames  = lazy.Pattern(`^[^\n]+(?:\n +[^\n]+)*$`)
	// jsFailure is the heading of a failure: ● of jest, ✖ of node, FAIL of vitest, a
	// number of mocha.
	jsFailure = lazy.Pattern(`(?m)^ *(?:● +|✖ +|FAIL +|\d+\) +)(\S.*?)(?: \([\d.]+ ?m?s\))?:?$`)
)

// totals are words that the lines with totals contain.
var totals = []string{"Tests", " passing", " failing", "ℹ "}

func sniffSummary(data []byte) bool {
	text := string(linesWith(data, totals...))
	return jestTotal().MatchString(text) || vitestTotal().MatchString(text) || mochaPass().MatchString(text) ||
		nodePass().MatchString(text)
}

// parseSummary reads the text output of a JavaScript test runner: the counts, and as many
// failures as were counted.
func parseSummary(data []byte) (*Report, error) {
	text := string(data)
	passed, failed, ok := summaryCounts(string(linesWith(data, totals...)))
	if !ok {
		return nil, errors.New("no line with totals")
	}
	r := &Report{}
	r.tests(passed, failed)
	for _, p := range summaryFailures(text, failed) {
		r.add(p)
	}
	return r, nil
}

func summaryCounts(text string) (passed, failed int, ok bool) {
	for _, m := range [][]string{jestTotal().FindStringSubmatch(text), vitestTotal().FindStringSubmatch(text)} {
		if m == nil {
			continue
		}
		for _, c := range jsCount().FindAllStringSubmatch(m[1], -1) {
			if c[2] == "failed" {
				failed += atoi(c[1])
			} else {
				passed += atoi(c[1])
			}
		}
		return passed, failed, true
	}
	if m := nodePass().FindStringSubmatch(text); m != nil {
		for _, f := range nodeFail().FindAllStringSubmatch(text, -1) {
			failed += atoi(f[1])
		}
		return atoi(m[1]), failed, true
	}
	if m := mochaPass().FindStringSubmatch(text); m != nil {
		passed, ok = atoi(m[1]), true
	}
	if m := mochaFail().FindStringSubmatch(text); m != nil {
		failed = atoi(m[1])
	}
	return passed, failed, ok
}

// summaryFailures are the last n different failures with a message; lists of names without one
// come before them.
func summaryFailures(text string, n int) []reflexion.Problem {
	if n == 0 {
		return nil
	}
	seen := map[string]bool{}
	var out []reflexion.Problem
	for _, s := range slices.Backward(sections(text, jsFailure())) {
		p := reflexion.Problem{Type: reflexion.TestFailure, Rule: s.name, StackTrace: strings.Trim(s.body, "\n")}
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
		if p.Message == "" || seen[key] || len(out) >= min(n, maxProblems) {
			continue
		}
		seen[key] = true
		out = append(out, p)
	}
	slices.Reverse(out)
	return out
}
