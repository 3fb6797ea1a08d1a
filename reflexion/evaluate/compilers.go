package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

var (
	tscLine   = lazy.Pattern(`(?m)^(.+?)\((\d+),(\d+)\): (error|warning) (TS\d+): (.*)$`)
	tscPretty = lazy.Pattern(`(?m)^(.+?):(\d+):(\d+) - (error|warning) (TS\d+): (.*)$`)
	tscBare   = lazy.Pattern(`(?m)^(error) (TS\d+): (.*)$`)
)

func sniffTSC(data []byte) bool {
	data = linesWith(data, "error TS", "warning TS")
	return tscLine().Match(data) || tscPretty().Match(data) || tscBare().Match(data)
}

// parseTSC reads the output of the TypeScript compiler, plain or pretty. Without errors
// it is empty.
func parseTSC(data []byte) (*Report, error) {
	r := &Report{}
	n := 0
	all := data
	data = linesWith(data, "error TS", "warning TS")
	add := func(m []string) {
		p := reflexion.Problem{Type: reflexion.TypeError, File: m[1], Line: atoi(m[2]), Column: atoi(m[3]),
			Severity: m[4], Rule: m[5], Message: m[6]}
		if strings.HasPrefix(m[5], "TS1") && len(m[5]) == 6 { // TS1xxx are the scanner's and the parser's
			p.Type = reflexion.SyntaxError
		}
		if p.Severity == "error" {
			n++
		}
		r.add(p)
	}
	for _, re := range []*regexp.Regexp{tscLine(), tscPretty()} {
		for _, m := range re.FindAllStringSubmatch(string(data), -1) {
			add(m)
		}
	}
	for _, m := range tscBare().FindAllStringSubmatch(string(data), -1) {
		add([]string{"", "", "", "", m[1], m[2], m[3]})
	}
	if n == 0 && len(bytes.TrimSpace(all)) > 0 && len(r.Problems) == 0 && !bytes.Contains(all, []byte("Found 0 errors")) {
		return nil, errors.New("no diagnostics")
	}
	r.TypeErrors = &n
	return r, nil
}

var (
	cargoHead   = lazy.Pattern(`^(error|warning)(?:\[([A-Z]\d+)\])?: (.*)$`)
	cargoArrow  = lazy.Pattern(`^\s*--> (.+?):(\d+):(\d+)$`)
	cargoTest   = lazy.Pattern(`^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b`)
	cargoTotal  = lazy.Pattern(`^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored`)
	cargoStdout = lazy.Pattern(`^---- (.+?) stdout ----$`)
	cargoPanic  = lazy.Pattern(`^thread '(.+?)'(?: \(\d+\))? panicked at (.+?):(\d+):(\d+):$`)
	cargoFrame  = lazy.Pattern(`^\s+at (\S+?):(\d+):(\d+)$`)
	cargoSum    = lazy.Pattern("^(?:could not compile|aborting due to|test failed, to rerun|`.*` \\(.*\\) generated|.* targets? failed)")
)

// cargoStarts are how the lines begin by which cargo is known; those of the first row are
// looked at further.
var cargoStarts = []string{"test result: ", "error[", "warning[",
	`{"reason":"`, `{"reason": "`, "   Compiling ", "    Finished `", "error: could not compile `"}

func sniffCargo(data []byte) bool {
	for line := range bytes.Lines(data) {
		if !slices.ContainsFunc(cargoStarts, func(start string) bool { return bytes.HasPrefix(line, []byte(start)) }) {
			continue
		}
		switch line := strings.TrimRight(string(line), "\r\n"); {
		case strings.HasPrefix(line, "test "):
			if cargoTotal().MatchString(line) {
				return true
			}
		case strings.HasPrefix(line, "error[") || strings.HasPrefix(line, "warning["):
			if m := cargoHead().FindStringSubmatch(line); m != nil && m[2] != "" {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// cargoMessage is a line of cargo --message-format=json.
type cargoMessage struct {
	Reason  string `json:"reason"`
	Message *struct {
		Level   string `json:"level"`
		Message string `json:"message"`
		Code    *struct {
			Code string `json:"code"`
		} `json:"code"`
		Spans []struct {
			File    string `json:"file_name"`
			Line    int    `json:"line_start"`
			Column  int    `json:"column_start"`
			Primary bool   `json:"is_primary"`
		} `json:"spans"`
	} `json:"message"`
}

// cargoRun collects what cargo build and cargo test print.
type cargoRun struct {
	r              *Report
	passed, failed int
	tested         bool
	compiled       bool
	errs           int
	at             *reflexion.Problem  // the diagnostic that waits for its location
	said           map[string][]string // by failed tests
	names          []string            // of failed tests
	section        string
}

func parseCargo(data []byte) (*Report, error) {
	c := &cargoRun{r: &Report{}, said: map[string][]string{}}
	for raw := range bytes.Lines(data) {
		line := strings.TrimRight(string(raw), "\r\n")
		var m cargoMessage
		if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &m) == nil && m.Reason != "" {
			c.json(m)
			continue
		}
		c.line(line)
	}
	c.flush()
	if !c.tested && !c.compiled {
		return nil, errors.New("no line of a build or a test run")
	}
	for _, name := range c.names {
		c.r.add(cargoProblem(name, c.said[name]))
	}
	if c.tested {
		c.r.tests(c.passed, c.failed)
	}
	if c.errs > 0 || !c.tested {
		c.r.TypeErrors = &c.errs
	}
	return c.r, nil
}

// cargoProblem is the failure of a test: what it panicked with, or all that it printed. Of an
// assertion in a helper, the backtrace has the place in the test.
func cargoProblem(name string, said []string) reflexion.Problem {
	p := reflexion.Problem{Type: reflexion.TestFailure, Rule: name, Message: name + " failed"}
	at := slices.IndexFunc(said, func(line string) bool { return cargoPanic().MatchString(line) })
	text, before := said, []string(nil)
	if at >= 0 {
		m := cargoPanic().FindStringSubmatch(said[at])
		p.File, p.Line, p.Column = m[2], atoi(m[3]), atoi(m[4])
		text, before = said[at+1:], said[:at]
	}
	end := slices.IndexFunc(text, func(line string) bool {
		return strings.HasPrefix(line, "note: ") || line == "stack backtrace:"
	})
	if end < 0 {
		end = len(text)
	}
	if message := strings.TrimSpace(strings.Join(text[:end], "\n")); message != "" {
		p.Message = message
	}
	for i, line := range text[end:] {
		if m := cargoFrame().FindStringSubmatch(line); m != nil && i > 0 && strings.HasSuffix(text[end+i-1], "::"+name) {
			p.File, p.Line, p.Column = strings.TrimPrefix(m[1], "./"), atoi(m[2]), atoi(m[3])
		}
	}
	p.StackTrace = strings.TrimSpace(strings.Join(slices.Concat(before, text[end:]), "\n"))
	return p
}

func (c *cargoRun) json(m cargoMessage) {
	c.compiled = true
	d := m.Message
	if m.Reason != "compiler-message" || d == nil || d.Level != "error" && d.Level != "warning" || cargoSum().MatchString(d.Message) {
		return
	}
	p := reflexion.Problem{Type: reflexion.TypeError, Message: d.Message, Severity: d.Level}
	if d.Code != nil {
		p.Rule = d.Code.Code
	}
	for _, s := range d.Spans {
		if s.Primary {
			p.File, p.Line, p.Column = s.File, s.Line, s.Column
		}
	}
	c.diagnostic(p)
}

func (c *cargoRun) diagnostic(p reflexion.Problem) {
	switch {
	case p.Severity == "warning":
		p.Type = reflexion.LintError
	case p.Rule == "":
		p.Type = reflexion.SyntaxError // the parser's errors have no code
	}
	if p.Severity == "error" {
		c.errs++
	}
	c.r.add(p)
}

func (c *cargoRun) flush() {
	if c.at != nil {
		c.diagnostic(*c.at)
		c.at = nil
	}
}

func (c *cargoRun) line(line string) {
	if !c.testLine(line) {
		c.compilerLine(line)
	}
}

// testLine reads a line of cargo test. It returns false for any other line.
func (c *cargoRun) testLine(line string) bool {
	switch {
	case cargoTotal().MatchString(line):
		m := cargoTotal().FindStringSubmatch(line)
		c.tested = true
		c.passed, c.failed, c.r.Skipped = c.passed+atoi(m[1]), c.failed+atoi(m[2]), c.r.Skipped+atoi(m[3])
	case cargoTest().MatchString(line):
		if m := cargoTest().FindStringSubmatch(line); m[2] == "FAILED" {
			c.names = append(c.names, m[1])
		}
	case cargoStdout().MatchString(line):
		c.section = cargoStdout().FindStringSubmatch(line)[1]
	case line == "failures:":
		c.section = ""
	case c.section != "":
		c.said[c.section] = append(c.said[c.section], line)
	default:
		return false
	}
	return true
}

// compilerLine reads a line of the compiler.
func (c *cargoRun) compilerLine(line string) {
	switch {
	case cargoHead().MatchString(line):
		c.flush()
		c.compiled = true
		if m := cargoHead().FindStringSubmatch(line); !cargoSum().MatchString(m[3]) {
			c.at = &reflexion.Problem{Type: reflexion.TypeError, Severity: m[1], Rule: m[2], Message: m[3]}
		}
	case cargoArrow().MatchString(line) && c.at != nil:
		m := cargoArrow().FindStringSubmatch(line)
		c.at.File, c.at.Line, c.at.Column = m[1], atoi(m[2]), atoi(m[3])
		c.flush()
	case strings.HasPrefix(line, "   Compiling ") || strings.HasPrefix(line, "    Finished "):
		c.compiled = true
	}
}

// plainLine matches what most compilers and linters print: file:line:column: message.
var plainLine = lazy.Pattern(`^(?:vet: |\./)?([\w./\\@+-]*[\w-]\.[A-Za-z]\w{0,7}|[\w./-]*(?:Makefile|Dockerfile)):(\d+)(?::(\d+))?:? +(?:(error|warning|note|info|fatal error)\b:? *)?(.+)$`)

// matchLocation matches a line with a location. Most lines have none, which a look at
// their colons shows faster than the expression.
func matchLocation(line []byte) []string {
	for i, c := range line {
		if c == ':' && i+1 < len(line) && line[i+1] >= '0' && line[i+1] <= '9' {
			return plainLine().FindStringSubmatch(string(bytes.TrimSuffix(line, []byte("\n"))))
		}
	}
	return nil
}

// parsePlain finds errors with a location in output of no known format. Their type
// follows from their words; else it is other.
func parsePlain(data []byte) *Report {
	r := &Report{}
	for line := range bytes.Lines(data) {
		if len(r.Problems) == maxProblems {
			break
		}
		m := matchLocation(line)
		if m == nil {
			continue
		}
		p := reflexion.Problem{Type: reflexion.OtherError, File: m[1], Line: atoi(m[2]), Column: atoi(m[3]), Message: m[5]}
		switch m[4] {
		case "warning":
			p.Severity = "warning"
		case "note", "info":
			p.Severity = "info"
		}
		lower := strings.ToLower(m[5])
		switch {
		case strings.Contains(lower, "syntax error") || strings.Contains(lower, "syntaxerror"):
			p.Type = reflexion.SyntaxError
		case strings.Contains(lower, "undefined: ") || strings.Contains(lower, "cannot use ") ||
			strings.Contains(lower, "incompatible type") || strings.Contains(lower, "undeclared"):
			p.Type = reflexion.TypeError
		}
		r.add(p)
	}
	if n := len(r.Problems); n > 0 {
		r.Problems[n-1].StackTrace = lastLines([]string{plain(string(data[max(0, len(data)-maxStack):]))}, lastShown)
	}
	return r
}
