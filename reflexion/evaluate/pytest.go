package evaluate

import (
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

var (
	pyTotals  = lazy.Pattern(`(?m)^(?:=+ )?((?:\d+ (?:failed|passed|skipped|errors?|xfailed|xpassed|warnings?|deselected|rerun)(?:, )?)+|no tests ran) in [\d.]+s`)
	pyCount   = lazy.Pattern(`(\d+) (failed|passed|skipped|errors?|xfailed|xpassed)`)
	pySummary = lazy.Pattern(`(?m)^(FAILED|ERROR) (\S+?\.py)(?:::(\S+(?:\[[^\n]*?\])?))?(?: - (.*))?$`)
	pyHeading = lazy.Pattern(`(?m)^_{3,} (?:ERROR at (?:setup|teardown) of |ERROR collecting )?(.+?) _{3,}$`)
	pyError   = lazy.Pattern(`(?m)^E   (.*)$`)
	pySource  = lazy.Pattern(`(?m)^>   +(\S.*)$`)
)

func sniffPytest(data []byte) bool {
	return pyTotals().Match(linesWith(data, "ed in ", "s in ", "or in ", "un in ", "ng in ", "ran in "))
}

// parsePytest reads pytest's text output.
func parsePytest(data []byte) (*Report, error) {
	text := string(data)
	totals := pyTotals().FindAllString(text, -1)
	if totals == nil {
		return nil, errors.New("no line with totals")
	}
	r := &Report{}
	var passed, failed int
	for _, m := range pyCount().FindAllStringSubmatch(totals[len(totals)-1], -1) {
		switch n := atoi(m[1]); m[2] {
		case "passed", "xpassed":
			passed += n
		case "failed", "error", "errors":
			failed += n
		default: // xfailed: known and accepted
			r.Skipped += n
		}
	}
	r.tests(passed, failed)
	sections := pySections(text)
	for _, m := range pySummary().FindAllStringSubmatch(text, -1) {
		p := reflexion.Problem{Type: reflexion.TestFailure, File: m[2], Rule: m[3], Message: m[4]}
		if m[1] == "ERROR" {
			p.Type = reflexion.RuntimeError
		}
		name := strings.ReplaceAll(m[3], "::", ".")
		if name == "" {
			name = m[2]
		}
		function, _, _ := strings.Cut(name[strings.LastIndexByte(name, '.')+1:], "[")
		pyDetails(&p, sections[name], function, p.File)
		r.add(p)
	}
	return r, nil
}

// pySections returns the text below each heading of a failure.
func pySections(text string) map[string]string {
	out := map[string]string{}
	for _, s := range sections(text, pyHeading()) {
		out[s.name], _, _ = strings.Cut(s.body, "\n====")
	}
	return out
}

// maxSources is how many lines of the source are added to a message.
const maxSources = 3

// pyDetails fills in what the traceback of a test says; name is that of
// its function, home that of its file or module.
func pyDetails(p *reflexion.Problem, section, name, home string) {
	p.StackTrace = section
	var lines []string
	for _, m := range pyError().FindAllStringSubmatch(section, -1) {
		lines = append(lines, m[1])
	}
	if first := strings.TrimSpace(strings.Join(lines[:min(1, len(lines))], "")); first != "" && len(p.Message) <= len(first)+3 { // the summary cuts long messages
		p.Message = dedent(strings.Join(lines, "\n"))
	}
	locateLast(p, section, name, home)
	for _, m := range pySource().FindAllStringSubmatch(section, maxSources) {
		p.Message += "\n> " + m[1]
	}
	if strings.Contains(p.Message, "SyntaxError") || strings.Contains(p.Message, "IndentationError") {
		p.Type = reflexion.SyntaxError
	}
}
