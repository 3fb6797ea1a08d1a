package evaluate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// jestReport is what jest --json and vitest --reporter=json print.
type jestReport struct {
	NumTotalTests                                                 *int
	NumPassedTests, NumFailedTests, NumPendingTests, NumTodoTests int
	TestResults                                                   []struct {
		Name, Status, Message string
		AssertionResults      []struct {
			Status, FullName string
			FailureMessages  []string
			Location         struct{ Line, Column int }
		}
	}
}

func parseJest(data []byte) (*Report, error) {
	var j jestReport
	if err := decodeJSON(data, '{', &j); err != nil {
		return nil, err
	}
	if j.NumTotalTests == nil {
		return nil, errors.New("no numTotalTests")
	}
	r := &Report{Skipped: max(0, j.NumPendingTests+j.NumTodoTests)}
	failed := max(0, j.NumFailedTests)
	for _, f := range j.TestResults {
		broken := f.Status == "failed"
		for _, t := range f.AssertionResults {
			if t.Status != "failed" {
				continue
			}
			broken = false
			p := reflexion.Problem{Type: reflexion.TestFailure, File: f.Name, Rule: t.FullName, Line: t.Location.Line,
				Column: t.Location.Column, StackTrace: plain(strings.Join(t.FailureMessages, "\n"))}
			explain(&p, p.StackTrace, "", f.Name)
			r.add(p)
		}
		if broken { // the file did not even load
			failed++
			p := reflexion.Problem{Type: reflexion.RuntimeError, File: f.Name, StackTrace: f.Message}
			explain(&p, f.Message, "", "")
			r.add(p)
		}
	}
	r.tests(max(0, j.NumPassedTests), failed)
	return r, nil
}

var (
	nodePlace  = lazy.Pattern(`(?m)^test at (\S+?):(\d+):(\d+)\n.*\z`)
	jsFile     = lazy.Pattern(`(?m)^ ?(?:FAIL|❯) +(\S+\.[cm]?[jt]sx?)\b`)
	mochaNames = lazy.Pattern(`^[^\n]+(?:\n +[^\n]+)*$`)
	// jsFailure is a heading: ● of jest, ✖ of node, FAIL of vitest, a number of mocha.
	jsFailure = lazy.Pattern(`(?m)^ *(?:● +|✖ +|FAIL +|\d+\) +)(?<name>\S.*?)(?: \([\d.]+ ?m?s\))?:?$`)
)

// jsFailures are the last n different failures with a message.
func jsFailures(text string, n int) (out []reflexion.Problem) {
	seen := map[string]bool{}
	for _, s := range slices.Backward(sections(text, jsFailure())) {
		if len(out) >= min(n, maxProblems) {
			break
		}
		p := reflexion.Problem{Type: reflexion.TestFailure, Rule: s.in["name"], StackTrace: strings.Trim(s.body, "\n")}
		p.Message = beforeTrace(s.body)
		if name, rest, ok := strings.Cut(p.Message, ":\n"); ok && !strings.Contains(name, "Error") && mochaNames().MatchString(name) {
			p.Rule += " " + strings.Join(strings.Fields(name), " ") // of mocha, on the lines below
			p.Message = dedent(rest)
		}
		before, _, _ := strings.Cut(text, s.body)
		if m := nodePlace().FindStringSubmatch(before); m != nil {
			p.File, p.Line, p.Column = m[1], atoi(m[2]), atoi(m[3])
		}
		home := p.File
		if all := jsFile().FindAllStringSubmatch(before, -1); home == "" && all != nil {
			home = all[len(all)-1][1]
		}
		locate(&p, s.body, home)
		key := p.Rule + p.Message + reflexion.At(p)
		if p.Message != "" && !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	slices.Reverse(out)
	return out
}

var (
	pySummary = lazy.Pattern(`(?m)^(FAILED|ERROR) (\S+?\.py)(?:::(\S+(?:\[[^\n]*?\])?))?(?: - (.*))?$`)
	pyHeading = lazy.Pattern(`(?m)^_{3,} (?:ERROR at (?:setup|teardown) of |ERROR collecting )?(?<name>.+?) _{3,}$`)
	pyError   = lazy.Pattern(`(?m)^E   (.*)$`)
	pySource  = lazy.Pattern(`(?m)^>   +(\S.*)$`)
)

func pytestFailures(text string, _ int) (out []reflexion.Problem) {
	bodies := map[string]string{}
	for _, s := range sections(text, pyHeading()) {
		bodies[s.in["name"]], _, _ = strings.Cut(s.body, "\n====")
	}
	for _, m := range pySummary().FindAllStringSubmatch(text, -1) {
		p := reflexion.Problem{Type: reflexion.TestFailure, File: m[2], Rule: m[3], Message: m[4]}
		if m[1] == "ERROR" {
			p.Type = reflexion.RuntimeError
		}
		name := cmp.Or(strings.ReplaceAll(m[3], "::", "."), m[2])
		function, _, _ := strings.Cut(name[strings.LastIndexByte(name, '.')+1:], "[")
		p.StackTrace = bodies[name]
		explain(&p, p.StackTrace, function, p.File)
		out = append(out, p)
	}
	return out
}

const maxSources = 3 // lines of the source that are added to a message

func pyDetails(p *reflexion.Problem, section, name, home string) {
	var lines []string
	for _, m := range pyError().FindAllStringSubmatch(section, -1) {
		lines = append(lines, m[1])
	}
	if first := strings.TrimSpace(lines[0]); first != "" && len(p.Message) <= len(first)+3 { // the summary cuts long messages
		p.Message = dedent(strings.Join(lines, "\n"))
	}
	locateLast(p, section, name, home)
	for _, m := range pySource().FindAllStringSubmatch(section, maxSources) {
		p.Message += "\n> " + m[1]
	}
}

// pyMessage is what a traceback says below its last frame, without what the test printed.
func pyMessage(trace string) string {
	trace, _, _ = strings.Cut(trace, "\nStdout:\n")
	trace, _, _ = strings.Cut(trace, "\nStderr:\n")
	lines := strings.Split(trace, "\n")
	at := len(lines) - 1
	for at > 0 && !strings.HasPrefix(lines[at], `  File "`) && !strings.HasPrefix(lines[at], "Traceback (most recent call last)") {
		at--
	}
	for at++; at < len(lines) && (strings.Trim(lines[at], "-") == "" || lines[at][0] == ' '); at++ { // the source
	}
	return strings.TrimRight(strings.Join(lines[min(at, len(lines)):], "\n"), "-\n ")
}

var (
	cargoFailed = lazy.Pattern(`(?m)^test (.+?)(?: - should panic)? \.\.\. FAILED\b`)
	cargoSaid   = lazy.Pattern(`(?m)^(?:---- (?<name>.+?) stdout ----|failures:)$`)
	cargoPanic  = lazy.Pattern(`(?m)^thread '.+?'(?: \(\d+\))? panicked at (.+?):(\d+):(\d+):$`)
	cargoTrace  = lazy.Pattern(`(?m)^(?:note: |stack backtrace:$)`)
	cargoFrame  = lazy.Pattern(`(?m)(::\S+)\n\s+at (?:\./)?(\S+?):(\d+):(\d+)$`)
)

// cargoText is the output of cargo with its JSON as text.
func cargoText(data []byte) string {
	var b strings.Builder
	for line := range bytes.Lines(data) {
		var m struct {
			Message struct {
				Level, Message string
				Code           struct{ Code string }
				Spans          []struct {
					File    string `json:"file_name"`
					Line    int    `json:"line_start"`
					Column  int    `json:"column_start"`
					Primary bool   `json:"is_primary"`
				}
			}
		}
		d := &m.Message
		if line[0] != '{' || json.Unmarshal(line, &m) != nil || d.Level == "" {
			b.Write(line)
			continue
		}
		fmt.Fprintf(&b, "%s[%s]: %s\n", d.Level, d.Code.Code, strings.Join(strings.Fields(plain(d.Message)), " "))
		for _, s := range d.Spans {
			if s.Primary {
				fmt.Fprintf(&b, " --> %s:%d:%d\n", plain(s.File), s.Line, s.Column)
			}
		}
	}
	return b.String()
}

func cargoFailures(text string, _ int) (out []reflexion.Problem) {
	said := map[string]string{}
	for _, s := range sections(text, cargoSaid()) {
		said[s.in["name"]] += s.body
	}
	for _, m := range cargoFailed().FindAllStringSubmatch(text, -1) {
		out = append(out, cargoProblem(m[1], said[m[1]]))
	}
	return out
}

// cargoProblem is the failure of a test: what it panicked with, or all that it printed. Of an
// assertion in a helper, the backtrace has the place in the test.
func cargoProblem(name, said string) reflexion.Problem {
	p := reflexion.Problem{Type: reflexion.TestFailure, Rule: name, Message: name + " failed"}
	before, text, trace := "", said, ""
	if m := cargoPanic().FindStringSubmatchIndex(said); m != nil {
		before, text = said[:m[0]], said[m[1]:]
		p.File, p.Line, p.Column = said[m[2]:m[3]], atoi(said[m[4]:m[5]]), atoi(said[m[6]:m[7]])
	}
	if at := cargoTrace().FindStringIndex(text); at != nil {
		text, trace = text[:at[0]], text[at[0]:]
	}
	if text = strings.TrimSpace(text); text != "" {
		p.Message = text
	}
	for _, m := range cargoFrame().FindAllStringSubmatch(trace, -1) {
		if strings.HasSuffix(m[1], "::"+name) {
			p.File, p.Line, p.Column = m[2], atoi(m[3]), atoi(m[4])
		}
	}
	p.StackTrace = strings.TrimSpace(before + trace)
	return p
}
