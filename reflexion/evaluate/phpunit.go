package evaluate

import (
	"bytes"
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// What PHPUnit prints.
var (
	phpOK      = lazy.Pattern(`(?m)^OK \((\d+) tests?, \d+ assertions?\)`)
	phpTotal   = lazy.Pattern(`(?m)^Tests: (\d+), Assertions: \d+(.*)$`)
	phpCount   = lazy.Pattern(`(Errors|Failures|Skipped|Incomplete): (\d+)`)
	phpNone    = lazy.Pattern(`(?m)^No tests executed!`)
	phpPart    = lazy.Pattern(`(?m)^There (?:was|were) \d+ (\S.*?):$`)
	phpHeading = lazy.Pattern(`(?m)^\d+\) (\S+::\S.*)$`)
	phpPlace   = lazy.Pattern(`(?m)^(\S.*?\.php):(\d+)$`)
)

func sniffPHPUnit(data []byte) bool {
	return bytes.Contains(data, []byte("ssertion")) && (phpOK().Match(data) || phpTotal().Match(data)) ||
		bytes.Contains(data, []byte("PHPUnit ")) && phpNone().Match(data)
}

func parsePHPUnit(data []byte) (*Report, error) {
	text := string(data)
	r := &Report{}
	var ran, failed int
	known := phpNone().MatchString(text)
	for _, m := range phpOK().FindAllStringSubmatch(text, -1) {
		known = true
		ran += atoi(m[1])
	}
	for _, m := range phpTotal().FindAllStringSubmatch(text, -1) {
		known = true
		ran += atoi(m[1])
		for _, c := range phpCount().FindAllStringSubmatch(m[2], -1) {
			switch n := atoi(c[2]); c[1] {
			case "Errors", "Failures":
				failed += n
			default:
				r.Skipped += n
			}
		}
	}
	if !known {
		return nil, errors.New("no line with totals")
	}
	r.tests(max(0, ran-failed-r.Skipped), failed)
	for _, part := range sections(text, phpPart()) {
		typ := reflexion.TestFailure
		switch strings.TrimSuffix(part.name, "s") {
		case "error", "PHPUnit error":
			typ = reflexion.RuntimeError
		case "failure":
		default: // warnings, and tests that are risky, skipped or incomplete
			continue
		}
		body, _, _ := strings.Cut(part.body, "\n--\n")
		for _, s := range sections(body, phpHeading()) {
			r.add(phpProblem(typ, s))
		}
	}
	return r, nil
}

func phpProblem(typ reflexion.ErrorType, s section) reflexion.Problem {
	body := strings.Trim(s.body, "\n")
	for _, end := range []string{"\nFAILURES!", "\nERRORS!", "\nTests: "} {
		body, _, _ = strings.Cut(body, end)
	}
	p := reflexion.Problem{Type: typ, Rule: s.name, StackTrace: body}
	at := phpPlace().FindAllStringSubmatchIndex(body, -1)
	p.Message = body
	if at != nil {
		p.Message = body[:at[0][0]]
	}
	for _, m := range at {
		if file := body[m[2]:m[3]]; !strings.Contains(file, "/vendor/") {
			p.File, p.Line = file, atoi(body[m[4]:m[5]])
			break
		}
	}
	return p
}
