package evaluate

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

var (
	tapPoint = lazy.Pattern(`^(\s*)(not ok|ok)\b(?:\s+\d+)?(?:\s*-)?\s*(.*)$`)
	tapPlan  = lazy.Pattern(`^1\.\.(\d+)`)
	tapBail  = lazy.Pattern(`^Bail out!\s*(.*)`)
	tapSkip  = lazy.Pattern(`(?i)#\s*(skip|todo)\b`)
	tapField = lazy.Pattern(`^(\s*)(?:- )?([A-Za-z]\w*):(?: (.*))?$`)
	tapPlace = lazy.Pattern(`(?:^|\()(\S+?):(\d+)(?::(\d+))?\)?$`)
	tapAbout = lazy.Pattern(`^(\s*)# (Subtest: )?(\S.*?)\s*$`)
	tapTime  = lazy.Pattern(`\s*#\s*time=\S+\s*\{?\s*$`)
	tapFile  = lazy.Pattern(`^\S+\.[cm]?[jt]sx?$`) // a file of tests that could not be loaded
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
	run := tapRun{planned: -1, yaml: -1}
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
	bail    string       // the reason
	yaml    int          // the indentation of the diagnostics under way; -1: none
	about   []tapHeading // the subtests, and in a report without any the comments, that are open
	named   bool         // subtests are announced
}

// tapHeading is a comment with the name of what follows, and its indentation.
type tapHeading struct {
	depth int
	name  string
}

func (t *tapRun) line(line string) {
	trimmed := strings.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeft(line, " "))
	switch m := tapPoint().FindStringSubmatch(line); {
	case t.yaml >= 0 && trimmed == "..." && indent <= t.yaml+2:
		t.yaml = -1
	case t.yaml >= 0:
		last := t.points[len(t.points)-1]
		last.yaml = append(last.yaml, line)
	case trimmed == "---" && len(t.points) > 0:
		t.yaml = indent
	case m != nil:
		t.point(m, strings.HasSuffix(trimmed, "{"))
	default:
		if m := tapAbout().FindStringSubmatch(line); m != nil {
			t.heading(len(m[1]), m[2] != "", m[3])
		}
		if m := tapPlan().FindStringSubmatch(line); m != nil {
			t.planned = atoi(m[1])
		}
		if m := tapBail().FindStringSubmatch(trimmed); m != nil {
			t.bail, t.bailed = m[1], true
		}
	}
}

// heading reads a comment. Where subtests are announced no other comment is a name.
func (t *tapRun) heading(depth int, subtest bool, name string) {
	if subtest && !t.named {
		t.named, t.about = true, nil
	}
	if subtest == t.named && (subtest || depth == 0) {
		t.close(depth)
		t.about = append(t.about, tapHeading{depth, name})
	}
}

// close drops the headings from a depth on.
func (t *tapRun) close(depth int) {
	t.about = slices.DeleteFunc(t.about, func(h tapHeading) bool { return h.depth >= depth })
}

// fullName is the name of a point below those of the subtests around it.
func (t *tapRun) fullName(depth int, name string) string {
	var path []string
	for _, h := range t.about {
		if h.depth < depth || !t.named && h.name != name {
			path = append(path, h.name)
		}
	}
	return strings.Join(append(path, name), " > ")
}

// point adds a test point. It is a parent when it opens a block, or when deeper points
// that no other point opened precede it.
func (t *tapRun) point(m []string, opens bool) {
	p := &tapTest{depth: len(m[1]), ok: m[2] == "ok", skip: tapSkip().MatchString(m[3]), opens: opens,
		parent: opens, name: t.fullName(len(m[1]), tapName(m[3]))}
	for i := len(t.points) - 1; i >= 0 && t.points[i].depth > p.depth; i-- {
		p.parent = p.parent || !opened(t.points[:i+1], p.depth)
	}
	t.points = append(t.points, p)
	if p.depth == 0 {
		t.top++
	}
	switch {
	case opens:
		t.named = true
		t.close(p.depth)
		t.about = append(t.about, tapHeading{p.depth, tapName(m[3])})
	case t.named:
		t.close(p.depth)
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

// problem is the failure of a test, by its diagnostics.
func (t *tapTest) problem() reflexion.Problem {
	p := reflexion.Problem{Type: reflexion.TestFailure, Rule: t.name}
	all := tapFields(t.yaml)
	p.StackTrace = strings.TrimSpace(all["source"] + "\n" + all["stack"])
	first := func(names ...string) string {
		for _, name := range names {
			if all[name] != "" {
				return all[name]
			}
		}
		return ""
	}
	own := strings.Split(t.name, " > ")
	p.Message = cmp.Or(first("message", "error.message", "error"), own[len(own)-1])
	if all["diff"] != "" {
		p.Message += "\n" + all["diff"]
	}
	p.Message = withDifference(p.Message, first("expected", "wanted", "want"), first("actual", "found", "received", "got"))
	t.locate(&p, all, first)
	return p
}

// locate finds the place of the assertion: the first frame of the stack in the file of the test,
// or else where the diagnostics say.
func (t *tapTest) locate(p *reflexion.Problem, all map[string]string, first func(...string) string) {
	var at reflexion.Problem
	for _, place := range []string{all["at"], all["location"]} {
		if m := tapPlace().FindStringSubmatch(place); m != nil && at.File == "" {
			at.File, at.Line, at.Column = m[1], atoi(m[2]), atoi(m[3])
		}
	}
	if at.File == "" {
		at.File, at.Line = first("at.fileName", "at.file", "file"), atoi(first("at.lineNumber", "at.line", "line"))
		at.Column = atoi(first("at.columnNumber", "at.column"))
	}
	p.File, p.Line, p.Column = at.File, at.Line, at.Column
	locate(p, all["stack"], at.File)
}

// tapFields are the fields of diagnostics by their names, those of an object below its name and a
// dot. A block of lines, or an object, is also the value of its field.
func tapFields(yaml []string) map[string]string {
	out := map[string]string{}
	outer, base, in := "", -1, -1
	var block []string
	end := func() {
		if outer != "" && out[outer] == "" {
			out[outer] = dedent(strings.Join(block, "\n"))
		}
		block = nil
	}
	for _, line := range yaml {
		m := tapField().FindStringSubmatch(line)
		if m != nil && base < 0 {
			base = len(m[1])
		}
		switch {
		case m != nil && len(m[1]) <= base:
			end()
			outer, in = m[2], -1
			out[outer] = unquoted(m[3])
			if strings.HasPrefix(m[3], "|") || strings.HasPrefix(m[3], ">") {
				out[outer] = ""
			}
		case m != nil && (in < 0 || len(m[1]) == in) && outer != "" && out[outer] == "":
			in = len(m[1])
			out[outer+"."+m[2]] = unquoted(m[3])
			block = append(block, line)
		default:
			block = append(block, line)
		}
	}
	end()
	return out
}

// unquoted is a value without the quotation marks around it.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s); n > 1 && s[0] == '\'' && s[n-1] == '\'' {
		return strings.ReplaceAll(s[1:n-1], "''", "'")
	}
	if value, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		return value
	}
	return s
}
