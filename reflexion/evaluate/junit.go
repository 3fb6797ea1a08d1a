package evaluate

import (
	"bytes"
	"encoding/xml"
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// junitSuite is a <testsuites> or <testsuite> of JUnit XML, the format of Ant's
// JUnit task as most tools write it.
type junitSuite struct {
	XMLName xml.Name
	Name    string       `xml:"name,attr"`
	Suites  []junitSuite `xml:"testsuite"`
	Cases   []junitCase  `xml:"testcase"`
	Errors  []junitFail  `xml:"error"`
}

type junitCase struct {
	Name     string      `xml:"name,attr"`
	Class    string      `xml:"classname,attr"`
	File     string      `xml:"file,attr"`
	Line     string      `xml:"line,attr"`
	Failures []junitFail `xml:"failure"`
	Errors   []junitFail `xml:"error"`
	Skipped  *struct{}   `xml:"skipped"`
}

type junitFail struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

var junitTag = lazy.Pattern(`<testsuites?[\s>/]`)

func sniffJUnit(data []byte) bool { return junitTag().Match(data) }

func parseJUnit(data []byte) (*Report, error) {
	loc := junitTag().FindIndex(data)
	if loc == nil {
		return nil, errors.New("no <testsuite>")
	}
	var s junitSuite
	dec := xml.NewDecoder(bytes.NewReader(data[loc[0]:]))
	if err := dec.Decode(&s); err != nil {
		return nil, err
	}
	r := &Report{}
	var passed, failed int
	s.walk(func(c junitCase) {
		switch {
		case len(c.Failures)+len(c.Errors) > 0:
			failed++
			if c.Class != "" || len(c.Errors) == 0 { // else it is a file that could not be loaded
				r.name(c.name())
			}
			for _, f := range c.Failures {
				r.add(c.problem(reflexion.TestFailure, f))
			}
			for _, f := range c.Errors {
				r.add(c.problem(reflexion.RuntimeError, f))
			}
		case c.Skipped != nil:
			r.Skipped++
		default:
			passed++
			r.name(c.name())
		}
	}, func(suite string, f junitFail) {
		failed++
		r.add(junitCase{Name: suite}.problem(reflexion.RuntimeError, f))
	}, 0)
	r.tests(passed, failed)
	return r, nil
}

// walk visits all test cases, up to a nesting depth of 100.
func (s *junitSuite) walk(visit func(junitCase), broken func(string, junitFail), depth int) {
	for _, c := range s.Cases {
		visit(c)
	}
	for _, e := range s.Errors {
		broken(s.Name, e)
	}
	for i := range s.Suites {
		if depth < 100 {
			s.Suites[i].walk(visit, broken, depth+1)
		}
	}
}

// jsLocation and pyLocation match the location of a failure in the text of a report.
var (
	jsLocation = lazy.Pattern(`((?:file://)?(?:[A-Za-z]:)?[\w./\\@-]+\.(?:[cm]?[jt]sx?)):(\d+):(\d+)`)
	pyLocation = lazy.Pattern(`(?m)^([\w./\\-]+\.py):(\d+): (\w+)`)
)

func (c junitCase) name() string { return strings.TrimPrefix(c.Class+"."+c.Name, ".") }

func (c junitCase) problem(typ reflexion.ErrorType, f junitFail) reflexion.Problem {
	p := reflexion.Problem{Type: typ, Message: f.Message, Rule: c.name(), File: c.File, Line: atoi(c.Line), StackTrace: f.Text}
	if p.Message == "" {
		p.Message = reflexion.FirstLine(f.Text)
	}
	if p.File == "" {
		locate(&p, f.Text)
	}
	return p
}

// locate fills in the location of a failure from its stack trace: the first frame that is
// not a library's.
func locate(p *reflexion.Problem, trace string) {
	for _, m := range jsLocation().FindAllStringSubmatch(trace, -1) {
		if !strings.Contains(m[1], "node_modules") && !strings.HasPrefix(m[1], "node:") {
			p.File, p.Line, p.Column = m[1], atoi(m[2]), atoi(m[3])
			return
		}
	}
	if all := pyLocation().FindAllStringSubmatch(trace, -1); len(all) > 0 {
		m := all[len(all)-1]
		p.File, p.Line = m[1], atoi(m[2])
	}
}
