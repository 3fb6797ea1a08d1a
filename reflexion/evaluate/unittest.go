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
	pyTraced    = lazy.Pattern(`(?m)^ +File "([^"\n]+)", line (\d+)`)
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
	pyTraceback(&p)
	if kind == "UNEXPECTED SUCCESS" {
		p.Message = "passed, but was expected to fail"
	}
	return p
}

// pyTraceback takes the message and the location of an error from its traceback: the
// lines after the last frame, and that of the last frame outside of libraries.
func pyTraceback(p *reflexion.Problem) {
	for _, m := range pyTraced().FindAllStringSubmatch(p.StackTrace, -1) {
		if !strings.Contains(m[1], "/lib/") && !strings.Contains(m[1], "site-packages") && !strings.HasPrefix(m[1], "<") {
			p.File, p.Line = m[1], atoi(m[2])
		}
	}
	var message []string
	for line := range strings.Lines(p.StackTrace) {
		switch line = strings.TrimRight(line, "\r\n"); {
		case strings.HasPrefix(line, "  File \"") || strings.HasPrefix(line, "Traceback (most recent call last)"):
			message = nil
		case len(message) > 0 || line != "" && line[0] != ' ' && strings.Trim(line, "-") != "":
			message = append(message, line)
		}
	}
	p.Message = strings.TrimRight(strings.Join(message, "\n"), "-\n ")
	if strings.Contains(p.Message, "SyntaxError: ") || strings.Contains(p.Message, "IndentationError: ") {
		p.Type = reflexion.SyntaxError
	}
}
