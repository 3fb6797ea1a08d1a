package evaluate

import (
	"bytes"
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// What Python's unittest prints on standard error, and Django's test command with it.
var (
	unitTotal   = lazy.Pattern(`(?m)^Ran (\d+) tests? in [\d.]+s\s+^(OK|FAILED|NO TESTS RAN)(?: \(([^)\n]*)\))?`)
	unitCount   = lazy.Pattern(`(failures|errors|skipped|expected failures|unexpected successes)=(\d+)`)
	unitHeading = lazy.Pattern(`(?m)^((?:FAIL|ERROR|UNEXPECTED SUCCESS): \S.*)$`)
	// unitFixture is a heading of what is no test, and so is not among those that ran.
	unitFixture = lazy.Pattern(`^ERROR: (?:setUp|tearDown)(?:Class|Module) \(`)
)

func sniffUnittest(data []byte) bool {
	return bytes.Contains(data, []byte("Ran ")) && unitTotal().Match(data)
}

func parseUnittest(data []byte) (*Report, error) {
	text := string(data)
	totals := unitTotal().FindAllStringSubmatch(text, -1)
	if totals == nil {
		return nil, errors.New("no line with totals")
	}
	r := &Report{}
	var ran, failed int
	for _, m := range totals {
		ran += atoi(m[1])
		for _, c := range unitCount().FindAllStringSubmatch(m[3], -1) {
			switch n := atoi(c[2]); c[1] {
			case "skipped", "expected failures":
				r.Skipped += n
			default:
				failed += n
			}
		}
	}
	besides := 0
	for _, s := range sections(text, unitHeading()) {
		if unitFixture().MatchString(s.name) {
			besides++
		}
		r.add(unitProblem(s))
	}
	r.tests(max(0, ran-r.Skipped-max(0, failed-besides)), failed)
	return r, nil
}

func unitProblem(s section) reflexion.Problem {
	kind, name, _ := strings.Cut(s.name, ": ")
	body, _, _ := strings.Cut(s.body, "\n====")
	body, _, _ = strings.Cut(body, "\nRan ")
	p := reflexion.Problem{Type: reflexion.TestFailure, Rule: name, StackTrace: strings.Trim(body, "-\n")}
	if kind == "ERROR" {
		p.Type = reflexion.RuntimeError
	}
	p.Message = pyMessage(p.StackTrace)
	if strings.Contains(p.Message, "SyntaxError: ") || strings.Contains(p.Message, "IndentationError: ") {
		p.Type = reflexion.SyntaxError
	}
	locateLast(&p, p.StackTrace, firstWord(name), "")
	if kind == "UNEXPECTED SUCCESS" {
		p.Message = "passed, but was expected to fail"
	}
	return p
}

// pyMessage is what a traceback says below its last frame, without what the test printed.
func pyMessage(trace string) string {
	var message []string
	for line := range strings.Lines(trace) {
		line = strings.TrimRight(line, "\r\n")
		if line == "Stdout:" || line == "Stderr:" {
			break
		}
		switch {
		case strings.HasPrefix(line, "  File \"") || strings.HasPrefix(line, "Traceback (most recent call last)"):
			message = nil
		case len(message) > 0 || line != "" && line[0] != ' ' && strings.Trim(line, "-") != "":
			message = append(message, line)
		}
	}
	return strings.TrimRight(strings.Join(message, "\n"), "-\n ")
}
