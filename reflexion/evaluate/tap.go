package evaluate

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

var (
	tapPoint    = lazy.Pattern(`^(\s*)(not ok|ok)\b(?:\s+\d+)?(?:\s*-)?\s*(.*)$`)
	tapPlan     = lazy.Pattern(`^1\.\.(\d+)`)
	tapBail     = lazy.Pattern(`^Bail out!\s*(.*)`)
	tapSkip     = lazy.Pattern(`(?i)#\s*(skip|todo)\b`)
	tapField    = lazy.Pattern(`^\s*(message|error|at|location|stack|file|line):\s*(.*)$`)
	tapLocation = lazy.Pattern(`^(\S+?):(\d+)(?::(\d+))?$`)
	tapFile     = lazy.Pattern(`^\S+\.[cm]?[jt]sx?$`) // a file of tests that could not be loaded
	tapTime     = lazy.Pattern(`\s*#\s*time=\S+\s*\{?\s*$`)
)

func sniffTAP(data []byte) bool {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("TAP version ")) {
		return true
	}
	plan, points := false, false
	for line := range bytes.Lines(data) {
		switch line[0] {
		case '1':
			plan = plan || tapPlan().Match(line)
		case 'o', 'n':
			points = points || tapPoint().Match(bytes.TrimRight(line, "\n"))
		}
	}
	return plan && points
}

// tapTest is a test point with the diagnostics below it.
type tapTest struct {
	depth  int
	ok     bool
	skip   bool // or TODO, whose failure does not count
	name   string
	parent bool // only sums up its subtests
	opens  bool // its subtests follow, in braces
	yaml   []string
}

// parseTAP reads TAP 13 and 14 (testanything.org), and the blocks in braces that
// some tools write. Subtests are counted, not the points that sum them up.
func parseTAP(data []byte) (*Report, error) {
	run := tapRun{planned: -1}
	for raw := range bytes.Lines(data) {
		run.line(strings.TrimRight(string(raw), "\r\n"))
	}
	if len(run.points) == 0 && run.planned < 0 && !run.bailed {
		return nil, errors.New("no test point and no plan")
	}
	r := tapReport(run.points)
	switch {
	case run.bailed:
		r.Broken = strings.TrimSpace("the tests were given up: " + run.bail)
	case run.planned >= 0 && run.planned != run.top:
		r.Broken = "the number of tests is not the one that was planned"
	}
	return r, nil
}

// tapRun collects the lines of a TAP report.
type tapRun struct {
	points  []*tapTest
	top     int // points that are not subtests
	planned int // -1: no plan
	bailed  bool
	bail    string // the reason
	inYAML  bool
}

func (t *tapRun) line(line string) {
	trimmed := strings.TrimSpace(line)
	switch m := tapPoint().FindStringSubmatch(line); {
	case t.inYAML && trimmed == "...":
		t.inYAML = false
	case t.inYAML:
		last := t.points[len(t.points)-1]
		last.yaml = append(last.yaml, line)
	case trimmed == "---" && len(t.points) > 0:
		t.inYAML = true
	case m != nil:
		t.point(m, strings.HasSuffix(trimmed, "{"))
	default:
		if m := tapPlan().FindStringSubmatch(line); m != nil {
			t.planned = atoi(m[1])
		}
		if m := tapBail().FindStringSubmatch(trimmed); m != nil {
			t.bail, t.bailed = m[1], true
		}
	}
}

// point adds a test point. It is a parent when it opens a block, or when deeper points
// that no other point opened precede it.
func (t *tapRun) point(m []string, opens bool) {
	p := &tapTest{depth: len(m[1]), ok: m[2] == "ok", skip: tapSkip().MatchString(m[3]), opens: opens,
		parent: opens, name: tapName(m[3])}
	for i := len(t.points) - 1; i >= 0 && t.points[i].depth > p.depth; i-- {
		p.parent = p.parent || !opened(t.points[:i+1], p.depth)
	}
	t.points = append(t.points, p)
	if p.depth == 0 {
		t.top++
	}
}

// opened reports whether the last block of deeper points was opened by a point
// with a brace at this depth: then the block belongs to that point.
func opened(before []*tapTest, depth int) bool {
	for i := len(before) - 1; i >= 0; i-- {
		if before[i].depth <= depth {
			return before[i].depth == depth && before[i].opens
		}
	}
	return false
}

func tapName(s string) string {
	s = tapTime().ReplaceAllString(s, "")
	if i := strings.Index(s, " #"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(strings.TrimSuffix(s, "{"))
}

func tapReport(points []*tapTest) *Report {
	r := &Report{}
	var passed, failed int
	for i, p := range points {
		if !p.skip && !tapFile().MatchString(p.name) {
			r.name(p.name)
		}
		switch {
		case p.parent:
			if !p.ok && !p.skip && !childFailed(points, i) { // it failed by itself
				failed++
				r.add(p.problem())
			}
		case p.skip:
			r.Skipped++
		case p.ok:
			passed++
		default:
			failed++
			r.add(p.problem())
		}
	}
	r.tests(passed, failed)
	return r
}

// childFailed reports whether a subtest of the point failed. Subtests come before it, or
// after it where it opened a block.
func childFailed(points []*tapTest, at int) bool {
	step := -1
	if points[at].opens {
		step = 1
	}
	for i := at + step; i >= 0 && i < len(points) && points[i].depth > points[at].depth; i += step {
		if c := points[i]; !c.ok && !c.skip {
			return true
		}
	}
	return false
}

func (t *tapTest) problem() reflexion.Problem {
	p := reflexion.Problem{Type: reflexion.TestFailure, Rule: t.name, StackTrace: strings.Join(t.yaml, "\n")}
	for _, line := range t.yaml {
		if m := tapField().FindStringSubmatch(line); m != nil {
			tapDetail(&p, m[1], strings.Trim(m[2], `'" `))
		}
	}
	if p.Message == "" {
		p.Message = t.name
	}
	return p
}

// tapDetail fills in what a field of the diagnostics gives, unless an earlier one did.
func tapDetail(p *reflexion.Problem, field, value string) {
	switch field {
	case "message", "error":
		if p.Message == "" && value != "|-" {
			p.Message = value
		}
	case "file":
		p.File = cmp.Or(p.File, value)
	case "line":
		p.Line = cmp.Or(p.Line, atoi(value))
	case "at", "location":
		if p.File != "" {
			return
		}
		if locate(p, value); p.File == "" {
			if m := tapLocation().FindStringSubmatch(value); m != nil {
				p.File, p.Line, p.Column = m[1], atoi(m[2]), atoi(m[3])
			}
		}
	}
}
