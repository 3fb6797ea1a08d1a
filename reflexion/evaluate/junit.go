package evaluate

import (
	"bytes"
	"cmp"
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
	Out      string      `xml:"system-out"`
	Err      string      `xml:"system-err"`
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

func (c junitCase) name() string { return strings.TrimPrefix(c.Class+"."+c.Name, ".") }

func (c junitCase) problem(typ reflexion.ErrorType, f junitFail) reflexion.Problem {
	p := reflexion.Problem{Type: typ, Rule: c.name(), File: c.File, Line: atoi(c.Line)}
	t := goTest{name: p.Rule, output: strings.SplitAfter(plain(f.Text), "\n")}
	if said := t.problem(""); said.File != "" && strings.HasSuffix(said.File, ".go") { // by go test
		p.Message, p.File, p.Line, p.StackTrace = said.Message, said.File, said.Line, said.StackTrace
		return p
	}
	text, said := plain(f.Text), dedent(plain(f.Message))
	p.StackTrace = text + c.Out + c.Err
	name, _, _ := strings.Cut(c.Name, "[")
	switch {
	case pyError().MatchString(text):
		p.Message = said
		pyDetails(&p, text, name, cmp.Or(c.File, c.Class))
	case strings.Contains(text, "Traceback (most recent call last)"):
		p.Message = pyMessage(text)
		locateLast(&p, text, name, c.File)
	default:
		p.Message = whole(said, beforeTrace(text))
		locate(&p, text, cmp.Or(c.File, c.Class))
	}
	return p
}

// whole is a message that a report gives in an attribute, and in a text before the trace: the text
// where the attribute says nothing, or is the text without its line ends.
func whole(attribute, text string) string {
	squeezed := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if len(strings.Fields(attribute)) <= 2 && text != "" ||
		strings.Contains(text, "\n") && strings.Contains(squeezed(text), squeezed(attribute)) {
		return text
	}
	return attribute
}
