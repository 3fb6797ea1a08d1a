package evaluate

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// junitSuite is a <testsuites> or <testsuite> of JUnit XML, the format of Ant's
// JUnit task as most tools write it.
type junitSuite struct {
	Name   string       `xml:"name,attr"`
	Suites []junitSuite `xml:"testsuite"`
	Cases  []junitCase  `xml:"testcase"`
	Errors []junitFail  `xml:"error"`
}

type junitCase struct {
	Name     string      `xml:"name,attr"`
	Class    string      `xml:"classname,attr"`
	File     string      `xml:"file,attr"`
	Line     string      `xml:"line,attr"`
	Failures []junitFail `xml:"failure"`
	Errors   []junitFail `xml:"error"`
	Skipped  *struct{}   `xml:"skipped"`
	Out      string      `xml:"system-out"`
	Err      string      `xml:"system-err"`
}

type junitFail struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

var junitTag = lazy.Pattern(`<testsuites?[\s>/]`)

func parseJUnit(data []byte) (*Report, error) {
	loc := junitTag().FindIndex(data)
	if loc == nil {
		return nil, errors.New("no <testsuite>")
	}
	var s junitSuite
	if err := xml.NewDecoder(bytes.NewReader(data[loc[0]:])).Decode(&s); err != nil {
		return nil, err
	}
	r := &Report{}
	var passed, failed int
	for _, c := range s.cases(0) {
		switch {
		case len(c.Failures)+len(c.Errors) > 0:
			failed++
			if c.Class != "" || len(c.Errors) == 0 { // else it is a file that could not be loaded
				r.name(c.name())
			}
			for i, f := range slices.Concat(c.Failures, c.Errors) {
				typ := reflexion.TestFailure
				if i >= len(c.Failures) {
					typ = reflexion.RuntimeError
				}
				r.add(c.problem(typ, f))
				c.Out, c.Err = "", "" // they are of all of them, and may be long
			}
		case c.Skipped != nil:
			r.Skipped++
		default:
			passed++
			r.name(c.name())
		}
	}
	r.tests(passed, failed)
	return r, nil
}

// cases are the tests of a suite, to a depth of 100, and the errors outside of them.
func (s *junitSuite) cases(depth int) []junitCase {
	out := s.Cases
	for _, f := range s.Errors {
		out = append(out, junitCase{Name: s.Name, Errors: []junitFail{f}})
	}
	for i := range s.Suites {
		if depth < 100 {
			out = append(out, s.Suites[i].cases(depth+1)...)
		}
	}
	return out
}

func (c junitCase) name() string { return strings.TrimPrefix(c.Class+"."+c.Name, ".") }

func (c junitCase) problem(typ reflexion.ErrorType, f junitFail) reflexion.Problem {
	p := reflexion.Problem{Type: typ, Rule: c.name(), File: c.File, Line: atoi(c.Line)}
	t := goTest{name: p.Rule, output: strings.SplitAfter(plain(f.Text), "\n")}
	if said := t.problem(""); said.File != "" && strings.HasSuffix(said.File, ".go") { // by go test
		p.Message, p.File, p.Line, p.StackTrace = said.Message, said.File, said.Line, said.StackTrace
		return p
	}
	text := plain(f.Text)
	p.Message, p.StackTrace = dedent(plain(f.Message)), text+c.Out+c.Err
	name, _, _ := strings.Cut(c.Name, "[")
	explain(&p, text, name, cmp.Or(c.File, c.Class))
	return p
}
