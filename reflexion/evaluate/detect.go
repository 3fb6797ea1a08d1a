package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/proc"
)

// Formats of reports.
const (
	Auto      = "auto"
	GoTest    = "go-test" // go test -json, and its plain output
	JUnit     = "junit"
	TAP       = "tap"
	Pytest    = "pytest"
	Jest      = "jest"    // jest --json, vitest --reporter=json
	JSText    = "js-text" // the text output of jest, vitest, mocha and node
	TSC       = "tsc"
	ESLint    = "eslint" // eslint -f json, and its default form
	SARIF     = "sarif"
	Cargo     = "cargo"
	Maven     = "maven"
	Dotnet    = "dotnet"
	GTest     = "gtest"
	Unittest  = "unittest" // of Python
	RSpec     = "rspec"
	PHPUnit   = "phpunit"
	Own       = "episodes" // what episodes loop eval --json prints
	Totals    = "totals"   // a runner without a format counts its tests
	PlainExit = "exit"     // the exit code, and lines of file:line: message
)

type format struct {
	name  string
	sniff func(data []byte) bool
	parse func(data []byte) (*Report, error)
	tools []string // programs whose empty output has this format
}

// formats in the order in which they are tried: the unmistakable ones first.
var formats = []format{
	{Own, sniffOwn, parseOwn, nil},
	{JUnit, sniffJUnit, parseJUnit, nil},
	{SARIF, sniffSARIF, parseSARIF, nil},
	{Jest, sniffJest, parseJest, nil},
	{ESLint, sniffESLint, parseESLint, nil},
	{GoTest, sniffGoTest, parseGoTest, nil},
	{Cargo, sniffCargo, parseCargo, nil},
	{Maven, sniffMaven, parseMaven, nil},
	{GTest, sniffGTest, parseGTest, nil},
	{TAP, sniffTAP, parseTAP, nil},
	{Pytest, sniffPytest, parsePytest, nil},
	{Unittest, sniffUnittest, parseUnittest, nil},
	{RSpec, sniffRSpec, parseRSpec, nil},
	{PHPUnit, sniffPHPUnit, parsePHPUnit, nil},
	{Dotnet, sniffDotnet, parseDotnet, nil},
	{JSText, sniffSummary, parseSummary, nil},
	{TSC, sniffTSC, parseTSC, []string{"tsc"}},
}

// Formats lists the names of all formats.
func Formats() []string {
	out := []string{Auto}
	for _, f := range formats {
		out = append(out, f.name)
	}
	return append(out, Totals, PlainExit)
}

// Parse reads a report in the given format, or in the one detected (Auto). A report in no
// known format is read as Totals where a line counts tests, else as PlainExit. It is an error
// if the text does not have the given format.
func Parse(name string, data []byte) (*Report, error) {
	if name != Auto && !slices.Contains(Formats(), name) {
		return nil, fmt.Errorf("no format %q: one of %s", name, strings.Join(Formats(), ", "))
	}
	if bytes.IndexByte(data, '\x1b') >= 0 {
		data = escapes().ReplaceAll(data, nil)
	}
	for _, f := range formats {
		if f.name != name && (name != Auto || !f.sniff(data)) {
			continue
		}
		r, err := f.parse(data)
		if err == nil {
			r.Format = f.name
			if name == Auto && r.Passed == nil {
				r.summedUp(data)
			}
			return r, nil
		}
		if name != Auto {
			return nil, fmt.Errorf("not a report of format %s: %w", name, err)
		}
	}
	r := parsePlain(data)
	r.Format = PlainExit
	if name != PlainExit && r.summedUp(data) {
		r.Format = Totals
	} else if name == Totals {
		return nil, fmt.Errorf("not a report of format %s: no line with totals", name)
	}
	return r, nil
}

// forTool names the format of a command that prints nothing on success.
func forTool(s proc.Spec) string {
	for _, f := range formats {
		if slices.ContainsFunc(programs(s), func(p string) bool { return slices.Contains(f.tools, p) }) {
			return f.name
		}
	}
	return Auto
}

// escapes matches terminal escape sequences (ECMA-48: CSI, OSC, two-byte).
var escapes = lazy.Pattern(`\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])`)

// linesWith returns the lines that contain one of the words: a verifier may print
// millions of lines, for which regular expressions are too slow.
func linesWith(data []byte, words ...string) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		for _, w := range words {
			if bytes.Contains(line, []byte(w)) {
				out = append(out, line...)
				break
			}
		}
	}
	return out
}

// section is the text between a heading and the next one.
type section struct{ name, body string }

// sections splits a text at its headings; the first group of the expression is the name.
func sections(text string, heading *regexp.Regexp) (out []section) {
	end := len(text)
	for _, m := range slices.Backward(heading.FindAllStringSubmatchIndex(text, -1)) {
		out = append(out, section{text[m[2]:m[3]], text[m[1]:end]})
		end = m[0]
	}
	slices.Reverse(out)
	return out
}

// decodeJSON reads the first JSON value that starts with one of the brackets.
func decodeJSON(data []byte, brackets string, v any) error {
	start := jsonStart(data, brackets)
	if start == nil {
		return errors.New(map[string]string{"{": "no JSON object", "[": "no JSON list"}[brackets])
	}
	return json.NewDecoder(bytes.NewReader(start)).Decode(v)
}

// jsonStart returns data from the first line that starts with one of the brackets, since
// tools print other lines before their report.
func jsonStart(data []byte, brackets string) []byte {
	for rest := data; len(rest) > 0; {
		line := bytes.TrimLeft(rest, " \t\r\n")
		if len(line) == 0 {
			return nil
		}
		if strings.IndexByte(brackets, line[0]) >= 0 {
			return line
		}
		i := bytes.IndexByte(line, '\n')
		if i < 0 {
			return nil
		}
		rest = line[i+1:]
	}
	return nil
}
