package evaluate

import (
	"bytes"
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// What programs made with GoogleTest print.
var (
	gtestBegin = lazy.Pattern(`^\[==========\] Running (\d+) tests? from \d+ `)
	gtestRun   = lazy.Pattern(`^\[ RUN      \] (\S+)`)
	gtestEnd   = lazy.Pattern(`^\[(       OK |  FAILED  |  SKIPPED )\] (\S+?)(?:, where .*)? \(\d+ ms\)$`)
	gtestSum   = lazy.Pattern(`^\[  PASSED  \] (\d+) tests?\.`)
	gtestBad   = lazy.Pattern(`^\[  FAILED  \] (\d+) tests?, listed below`)
	gtestPlace = lazy.Pattern(`^(\S.*?)(?::(\d+)|\((\d+)\)): (?:Failure|error)\b:? ?(.*)$`)
)

func sniffGTest(data []byte) bool {
	return bytes.Contains(data, []byte("[==========] ")) || bytes.Contains(data, []byte("[  PASSED  ] "))
}

// gtestOutput collects the lines of one or several programs.
type gtestOutput struct {
	r               *Report
	begun           bool
	ok, sum, failed int
	bad             int      // as summed up
	name            string   // of the test under way
	output          []string // of it
}

func parseGTest(data []byte) (*Report, error) {
	g := &gtestOutput{r: &Report{}}
	for line := range bytes.Lines(data) {
		g.line(strings.TrimRight(string(line), "\r\n"))
	}
	g.end("crashed")
	if !g.begun {
		return nil, errors.New("no beginning of a run")
	}
	g.r.tests(max(g.ok, g.sum), max(g.failed, g.bad))
	return g.r, nil
}

func (g *gtestOutput) line(line string) {
	if !strings.HasPrefix(line, "[") {
		if g.name != "" || gtestPlace().MatchString(line) || len(g.output) > 0 { // a brief run does not name what it begins
			g.output = append(g.output, line)
		}
		return
	}
	switch {
	case gtestBegin().MatchString(line):
		g.end("crashed")
		g.begun = true
	case gtestRun().MatchString(line):
		g.end("did not end")
		g.name = gtestRun().FindStringSubmatch(line)[1]
	case gtestEnd().MatchString(line):
		m := gtestEnd().FindStringSubmatch(line)
		switch strings.TrimSpace(m[1]) {
		case "OK":
			g.ok++
		case "SKIPPED":
			g.r.Skipped++
		default:
			g.name = m[2]
			g.end("failed")
		}
		g.name, g.output = "", nil
	case gtestBad().MatchString(line):
		g.bad += atoi(gtestBad().FindStringSubmatch(line)[1])
	case gtestSum().MatchString(line):
		g.begun = true // the lines before it may be cut off
		g.sum += atoi(gtestSum().FindStringSubmatch(line)[1])
	}
}

// end ends the test under way, if any, as one that failed.
func (g *gtestOutput) end(how string) {
	if g.name != "" {
		g.failed++
		p := reflexion.Problem{Type: reflexion.TestFailure, Rule: g.name, StackTrace: strings.Join(g.output, "\n")}
		var message []string
		for _, line := range g.output {
			m := gtestPlace().FindStringSubmatch(line)
			switch {
			case m == nil:
				message = append(message, line)
			case p.File == "":
				p.File, p.Line = m[1], atoi(m[2]+m[3])
				message = append(message[:0], m[4]) // what it printed before
			}
		}
		if p.Message = strings.TrimSpace(strings.Join(message, "\n")); p.File == "" {
			p.Message = strings.TrimSpace(g.name + " " + how + "\n" + p.Message)
		}
		g.r.add(p)
	}
	g.name, g.output = "", nil
}
