package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/proc"
	"episodes/reflexion"
)

// goEvent is an event of go test -json (go doc test2json).
type goEvent struct {
	Action  string
	Package string
	Test    string
	Output  string
}

func readEvent(line []byte) (e goEvent, ok bool) {
	ok = bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) && json.Unmarshal(line, &e) == nil && e.Action != ""
	return e, ok
}

func sniffGoTest(data []byte) bool {
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte(`{"`)) && bytes.Contains(line, []byte(`"Action":"`)) {
			return true
		}
		if len(line) > 0 && strings.IndexByte(goStarts, line[0]) >= 0 && goPlain().Match(line) {
			return true
		}
	}
	return false
}

// goStarts are the first letters of lines that goPlain matches.
const goStarts = "=-oF?"

var (
	goPlain    = lazy.Pattern(`^(?:=== RUN   (Test\S*)|--- (?:FAIL|PASS|SKIP): \w+ ?.*\(\d+\.\d+s\)|(ok  |FAIL|\?   )\t(\S+)(?:\t| \[(?:build|setup) failed\]))`)
	goResult   = lazy.Pattern(`^\s*--- (FAIL|PASS|SKIP): (\S+) \(\d+\.\d+s\)`)
	goPlace    = lazy.Pattern(`^\s+([\w./\\-]+\.go):(\d+): ?(.*)`)
	goCoverage = lazy.Pattern(`coverage: (\d+(?:\.\d+)?)% of statements`)
	goMeasured = lazy.Pattern(`(?m)^Benchmark\S*\s+\d+\t`) // a benchmark, whose end is no event
	goTestLine = lazy.Pattern(`(^|[;&]\s*)((?:\w+=\S*\s+)*go\s+test)(\s[^;&]*|$)`)
	goNotCount = lazy.Pattern(`[|<>` + "`" + `(]|\s-{1,2}(?:json|c|list|h|help)\b`)
)

// The indented lines below an error are part of it.
var goCompiler = runner{complaints: lazy.Pattern(
	`(?m)^(?:vet: )?(?<file>[\w./\\@-]+\.go):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.+(?:\n\t.+)*)`)}

// counting is the command with -json, without which go test does not name every test. A line
// whose output goes elsewhere is left as it is.
func (v Verifier) counting() proc.Spec {
	s := v.Command
	switch {
	case v.Format != "" && v.Format != Auto, v.Report != "", goNotCount().MatchString(s.Line()):
	case s.Shell != "":
		s.Shell = goTestLine().ReplaceAllString(s.Shell, "$1$2 -json$3")
	case len(s.Args) > 1 && s.Args[0] == "go" && s.Args[1] == "test":
		s.Args = slices.Insert(slices.Clone(s.Args), 2, "-json")
	}
	return s
}

// goSaid is the output of go test without the events of -json around it.
func goSaid(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if e, ok := readEvent(line); ok {
			line = []byte(e.Output)
		}
		out = append(out, line...)
	}
	return out
}

type goTest struct {
	pkg, name, result string
	output            []string
	parent            bool // has subtests, which are counted instead
	childFailed       bool
}

type goRun struct {
	tests   map[string]*goTest
	order   []*goTest
	builds  []string            // lines of failed builds that name a place
	pkgs    map[string][]string // the last output of packages, outside tests; "": of the one under way
	failed  []string            // packages that failed
	percent []float64
	events  int
	listed  bool       // every test is named, as with -json and -v
	races   [][]string // reports of the race detector that were printed before the results of tests
	ok      int        // packages that passed
}

func parseGoTest(data []byte) (*Report, error) {
	run := &goRun{tests: map[string]*goTest{}, pkgs: map[string][]string{}}
	at := ""
	if bytes.Contains(data, []byte(raceHead)) {
		for _, m := range raceBlock().FindAllSubmatch(data, -1) {
			run.races = append(run.races, slices.Collect(strings.Lines(string(m[1]))))
		}
		data = raceBlock().ReplaceAll(data, nil)
	}
	for line := range bytes.Lines(data) {
		if e, ok := readEvent(line); ok {
			run.event(e)
		} else {
			at = run.plainLine(strings.TrimRight(string(line), "\r\n"), at)
		}
	}
	if run.events == 0 {
		return nil, errors.New("no event of a test run")
	}
	return run.report(), nil
}

func packageSays(output []string) string {
	if i := slices.IndexFunc(output, panics); i >= 0 {
		return strings.TrimSpace(strings.Join(output[i:], ""))
	}
	return lastLines(output, lastShown)
}

func panics(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

const lastShown = 20 // lines of an output in which nothing is known better

func (g *goRun) test(pkg, name string) *goTest {
	key := pkg + "\x00" + name
	t := g.tests[key]
	if t == nil {
		t = &goTest{pkg: pkg, name: name}
		g.tests[key] = t
		g.order = append(g.order, t)
	}
	return t
}

// parentOf is the test of which another is a subtest, or nil: that with the longest name that
// begins its name, since the names of subtests may have slashes of their own.
func (g *goRun) parentOf(t *goTest) *goTest {
	for i := strings.LastIndexByte(t.name, '/'); i > 0; i = strings.LastIndexByte(t.name[:i], '/') {
		if p := g.tests[t.pkg+"\x00"+t.name[:i]]; p != nil {
			return p
		}
	}
	return nil
}

func (g *goRun) event(e goEvent) {
	g.events++
	g.listed = true
	switch {
	case e.Action == "build-output":
		g.build(e.Output)
	case e.Test == "" && e.Action == "output":
		g.pkgOutput(e.Package, e.Output)
	case e.Test == "" && e.Action == "fail":
		g.failed = append(g.failed, e.Package)
	case e.Test != "":
		switch t := g.test(e.Package, e.Test); e.Action {
		case "output":
			t.said(e.Output)
		case "pass", "fail", "skip":
			t.result = e.Action
		}
	}
}

func (g *goRun) pkgOutput(pkg, text string) {
	if m := goCoverage().FindStringSubmatch(text); m != nil {
		if p := percent(m[1]); p != nil {
			g.percent = append(g.percent, *p)
		}
	}
	if g.pkgs[pkg] = append(g.pkgs[pkg], text); len(g.pkgs[pkg]) > maxLines {
		g.pkgs[pkg] = slices.Clone(g.pkgs[pkg][maxLines/2:])
	}
}

// build keeps the lines that can be errors of a compiler, with the lines below them.
func (g *goRun) build(text string) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, ".go:") || strings.HasPrefix(line, "\t") && len(g.builds) > 0 {
			g.builds = append(g.builds, strings.TrimRight(line, "\r\n")+"\n")
		}
	}
}

const maxLines = 2000 // that are held of a test, or a package

// said keeps a line of a test: of very many the first and the last.
func (t *goTest) said(line string) {
	if t.output = append(t.output, line); len(t.output) > maxLines {
		t.output = slices.Delete(t.output, maxLines/4, maxLines/2)
	}
}

// plainLine reads a line without -json, and returns the test to which the next lines belong.
func (g *goRun) plainLine(line, at string) string {
	var result, m []string
	if strings.Contains(line, "--- ") {
		result = goResult().FindStringSubmatch(line)
	}
	if line != "" && strings.IndexByte(goStarts, line[0]) >= 0 {
		m = goPlain().FindStringSubmatch(line)
	}
	switch {
	case result != nil:
		g.events++
		g.test("", result[2]).result = strings.ToLower(result[1])
		return result[2]
	case m != nil:
		g.events++
		g.listed = g.listed || m[1] != ""
		g.pkgOutput("", line+"\n")
		if pkg := m[3]; pkg != "" { // what was printed is of this package
			g.pkgs[pkg] = g.pkgs[""]
			delete(g.pkgs, "")
			if m[2] == "FAIL" {
				g.failed = append(g.failed, pkg)
			} else if m[2] == "ok  " && !strings.Contains(line, "[no tests to run]") {
				g.ok++
			}
		}
		return m[1]
	case at != "" && (g.listed || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "panic: ")):
		g.test("", at).said(line + "\n")
		return at
	}
	g.build(line)
	g.pkgOutput("", line+"\n")
	return at
}

const raceHead = "WARNING: DATA RACE"

var (
	raceBlock = lazy.Pattern(`(?m)^=+\n(` + raceHead + `\n(?:.*\n)*?)=+$\n?`)
	// raceReport matches what was accessed where, without where the goroutines were created.
	raceReport = lazy.Pattern(`(?m)^\s*` + raceHead + `\n(?:.*\n)*?(?:Goroutine |={10}|\z)`)
)

func (g *goRun) report() *Report {
	r := &Report{}
	g.countTests(r)
	if errs, _ := goCompiler.complain(r, strings.Join(g.builds, "")); errs > 0 {
		r.TypeErrors = &errs
	}
	if len(g.percent) == 1 { // several packages have no mean without sizes
		r.Coverage = &g.percent[0]
	}
	if len(r.Problems) == 0 {
		for _, pkg := range g.failed {
			r.add(reflexion.Problem{Type: reflexion.RuntimeError, Message: "package " + pkg + " failed: " + packageSays(g.pkgs[pkg])})
		}
	}
	return r
}

// countTests counts tests: one with subtests only if it failed by itself.
func (g *goRun) countTests(r *Report) {
	for _, t := range g.order {
		if p := g.parentOf(t); p != nil {
			p.parent = true
			p.childFailed = p.childFailed || t.result == "fail"
		}
	}
	g.shareRaces()
	var passed, failed int
	for _, t := range g.order {
		if t.result == "" && goMeasured().MatchString(strings.Join(t.output, "")) {
			continue
		}
		if t.result != "skip" {
			r.name(t.name)
		}
		switch {
		case t.result == "fail" && !t.childFailed:
			failed++
			r.add(t.problem("failed"))
		case t.result == "" && !t.parent:
			failed++
			r.add(t.problem("did not end"))
		case t.parent:
		case t.result == "pass":
			passed++
		case t.result == "skip":
			r.Skipped++
		}
	}
	if !g.listed { // without -v or -json a package that passed is one test
		passed += g.ok
		r.Partial = true
	}
	r.tests(passed, failed)
}

// shareRaces gives the reports that came before results to the tests that failed by them.
func (g *goRun) shareRaces() {
	for _, t := range g.order {
		of := strings.Join(t.output, "")
		if len(g.races) > 0 && strings.Contains(of, raceFound) && !strings.Contains(of, raceHead) {
			t.output, g.races = slices.Concat(g.races[0], t.output), g.races[1:]
		}
	}
}

// atoi reads a number; 0 for anything else, and 2³¹-1 for more, so that sums do not overflow.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return min(n, math.MaxInt32)
}

func percent(s string) *float64 {
	p, err := strconv.ParseFloat(s, 64)
	if err != nil || !(p >= 0 && p <= 100) {
		return nil
	}
	return &p
}
