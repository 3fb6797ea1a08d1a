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
	tapStart = lazy.Pattern(`(?m)^(?:not )?ok\b`)
	tapPlan  = lazy.Pattern(`(?m)^1\.\.(\d+)`)
	tapBail  = lazy.Pattern(`^Bail out!\s*(.*)`)
	tapSkip  = lazy.Pattern(`(?i)#\s*(skip|todo)\b`)
	tapField = lazy.Pattern(`(?m)^(?:- )?(?<name>[A-Za-z]\w*):(?: (?<value>.*))?$`)
	tapPlace = lazy.Pattern(`(?:^|\()(\S+?):(\d+)(?::(\d+))?\)?$`)
	tapAbout = lazy.Pattern(`^(\s*)# (Subtest: )?(\S.*?)\s*$`)
	tapFile  = lazy.Pattern(`^\S+\.[cm]?[jt]sx?$`) // a file of tests that could not be loaded
)

func sniffTAP(data []byte) bool {
	lines := linesWith(data, "1..", "ok")
	return bytes.HasPrefix(bytes.TrimSpace(data), []byte("TAP version ")) || tapPlan().Match(lines) && tapStart().Match(lines)
}

type tapTest struct {
	depth         int
	failed        bool
	skip          bool // or TODO, whose failure does not count
	name          string
	child, parent bool
	childFailed   bool
	yaml          []string
}

// parseTAP reads TAP 13 and 14 (testanything.org), and blocks in braces. Subtests are counted, not
// the points that sum them up.
func parseTAP(data []byte) (*Report, error) {
	run := tapRun{planned: -1, yaml: -1}
	for raw := range bytes.Lines(data) {
		run.line(strings.TrimRight(string(raw), "\r\n"))
	}
	run.yaml = -1 // it may be cut off
	for len(run.blocks) > 0 {
		run.line("}")
	}
	if len(run.points) == 0 && run.planned < 0 && run.bail == "" {
		return nil, errors.New("no test point and no plan")
	}
	r := run.report()
	switch {
	case run.bail != "":
		r.Broken = run.bail
	case run.planned >= 0 && run.planned != run.top:
		r.Broken = "the number of tests is not the one that was planned"
	}
	return r, nil
}

type tapRun struct {
	points  []*tapTest
	blocks  [][]string // points with a brace that is open
	top     int        // points that are not subtests
	planned int        // -1: no plan
	bail    string     // that the tests were given up, with the reason
	yaml    int        // the indentation of the diagnostics under way; -1: none
	about   []heading  // the subtests, and in a report without any the comments, that are open
	named   bool       // subtests are announced
	opened  bool       // by the line before: a block
}

type heading struct {
	depth int
	name  string
}

func (t *tapRun) line(line string) {
	trimmed := strings.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeft(line, " "))
	opened := t.opened
	t.opened = false
	switch m := tapPoint().FindStringSubmatch(line); {
	case t.yaml >= 0 && trimmed == "..." && indent <= t.yaml+2:
		t.yaml = -1
	case t.yaml >= 0:
		last := t.points[len(t.points)-1]
		last.yaml = append(last.yaml, line)
	case trimmed == "---" && (opened || len(t.points) > 0):
		if opened { // no block: the name of a test ends in a brace
			t.line("}")
		}
		t.yaml = indent
	case m != nil && strings.HasSuffix(trimmed, "{"): // its subtests follow
		t.blocks, t.opened = append(t.blocks, m), true
		t.heading(len(m[1]), true, tapName(m[3]))
	case m != nil:
		t.point(m)
	case trimmed == "}" && len(t.blocks) > 0:
		last := len(t.blocks) - 1
		t.point(t.blocks[last])
		t.blocks = t.blocks[:last]
	default:
		if m := tapAbout().FindStringSubmatch(line); m != nil {
			t.heading(len(m[1]), m[2] != "", m[3])
		}
		if m := tapPlan().FindStringSubmatch(line); m != nil {
			t.planned = atoi(m[1])
		}
		if m := tapBail().FindStringSubmatch(trimmed); m != nil {
			t.bail = strings.TrimSpace("the tests were given up: " + m[1])
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
		t.about = append(t.about, heading{depth, name})
	}
}

func (t *tapRun) close(depth int) {
	t.about = slices.DeleteFunc(t.about, func(h heading) bool { return h.depth >= depth })
}

// point adds a test point. Its subtests are the deeper points before it.
func (t *tapRun) point(m []string) {
	depth, name := len(m[1]), tapName(m[3])
	var path []string
	for _, h := range t.about {
		if h.depth < depth || !t.named && h.name != name {
			path = append(path, h.name)
		}
	}
	p := &tapTest{depth: depth, skip: tapSkip().MatchString(m[3]), name: strings.Join(append(path, name), " > ")}
	p.failed = m[2] != "ok" && !p.skip
	for _, c := range slices.Backward(t.points) {
		if c.depth <= depth {
			break
		}
		if !c.child {
			c.child, p.parent = true, true
			p.childFailed = p.childFailed || c.failed || c.childFailed
		}
	}
	t.points = append(t.points, p)
	if depth == 0 {
		t.top++
	}
	if t.named {
		t.close(depth)
	}
}

func tapName(s string) string {
	s, _, _ = strings.Cut(" "+s, " #")
	return strings.TrimSpace(strings.TrimSuffix(s, "{"))
}

func (t *tapRun) report() *Report {
	r := &Report{}
	var passed, failed int
	for _, p := range t.points {
		if !p.skip && !tapFile().MatchString(p.name) {
			r.name(p.name)
		}
		switch {
		case p.failed && !p.childFailed:
			failed++
			r.add(p.problem())
		case p.parent:
		case p.skip:
			r.Skipped++
		default:
			passed++
		}
	}
	r.tests(passed, failed)
	return r
}

// problem is the failure of a test, by its diagnostics.
func (t *tapTest) problem() reflexion.Problem {
	all := tapFields(strings.Join(t.yaml, "\n"))
	p := reflexion.Problem{Type: reflexion.TestFailure, Rule: t.name, StackTrace: strings.TrimSpace(all["source"] + "\n" + all["stack"])}
	own := t.name[strings.LastIndex(" > "+t.name, " > "):]
	p.Message = strings.TrimSpace(cmp.Or(all["message"], all["error.message"], all["error"], own) + "\n" + all["diff"])
	p.Message = withDifference(p.Message, cmp.Or(all["expected"], all["wanted"], all["want"]),
		cmp.Or(all["actual"], all["found"], all["received"], all["got"]))
	if at := tapPlace().FindStringSubmatch(cmp.Or(all["at"], all["location"])); at != nil {
		p.File, p.Line, p.Column = at[1], atoi(at[2]), atoi(at[3])
	} else {
		p.File = cmp.Or(all["at.fileName"], all["at.file"], all["file"])
		p.Line = atoi(cmp.Or(all["at.lineNumber"], all["at.line"], all["line"]))
		p.Column = atoi(cmp.Or(all["at.columnNumber"], all["at.column"]))
	}
	locate(&p, all["stack"], p.File)
	return p
}

// tapFields are the fields of diagnostics, those of an object below its name and a dot. A block of
// lines, or an object, is also the value of its field.
func tapFields(yaml string) map[string]string {
	out := map[string]string{}
	for _, field := range sections(outdent(yaml), tapField()) {
		name, value := field.in["name"], unquoted(field.in["value"])
		if value == "" || strings.ContainsAny(value[:1], "|>") {
			value = dedent(field.body)
			for _, inner := range sections(outdent(field.body), tapField()) {
				out[name+"."+inner.in["name"]] = unquoted(inner.in["value"])
			}
		}
		out[name] = value
	}
	return out
}

// outdent removes the indentation of the first line from all: a value may go on without any.
func outdent(s string) string {
	s = strings.Trim(s, "\n")
	lines := strings.Split(s, "\n")
	indent := len(s) - len(strings.TrimLeft(s, " "))
	for i, l := range lines {
		lines[i] = l[min(indent, len(l)-len(strings.TrimLeft(l, " "))):]
	}
	return strings.Join(lines, "\n")
}

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
