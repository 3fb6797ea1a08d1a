package evaluate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"episodes/internal/lazy"
)

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
}

// formats in the order in which they are tried: the unmistakable ones first.
var formats = []format{
	{Own, matches(ownHead), parseOwn},
	{JUnit, matches(junitTag), parseJUnit},
	{SARIF, hasJSON('{', `"runs"`, `"driver"`), parseSARIF},
	{Jest, hasJSON('{', `"numTotalTests"`, `"testResults"`), parseJest},
	{ESLint, sniffESLint, parseESLint},
	{GoTest, sniffGoTest, parseGoTest},
	{Cargo, cargo.sniff, cargo.parse},
	{Maven, maven.sniff, maven.parse},
	{GTest, sniffGTest, parseGTest},
	{TAP, sniffTAP, parseTAP},
	{Pytest, pytest.sniff, pytest.parse},
	{Unittest, unittest.sniff, unittest.parse},
	{RSpec, rspec.sniff, rspec.parse},
	{PHPUnit, phpunit.sniff, phpunit.parse},
	{Dotnet, dotnet.sniff, dotnet.parse},
	{JSText, jsText.sniff, jsText.parse},
	{TSC, tsc.sniff, tsc.parse},
}

func matches(p pattern) func([]byte) bool { return func(data []byte) bool { return p().Match(data) } }

// hasJSON finds reports in JSON by their properties.
func hasJSON(bracket byte, properties ...string) func([]byte) bool {
	return func(data []byte) bool {
		start := jsonStart(data, bracket)
		return !slices.ContainsFunc(properties, func(p string) bool { return !bytes.Contains(start, []byte(p)) })
	}
}

// Formats lists the names of all formats.
func Formats() []string {
	out := []string{Auto}
	for _, f := range formats {
		out = append(out, f.name)
	}
	return append(out, Totals, PlainExit)
}

// Parse reads a report in the given format, or in the one detected (Auto): without any as Totals
// where a line counts tests, else as PlainExit. The error is that it has another format.
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

// escapes matches terminal escape sequences (ECMA-48: CSI, OSC, two-byte).
var escapes = lazy.Pattern(`\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])`)

// linesWith returns the lines that contain one of the words, faster than patterns.
func linesWith(data []byte, words ...string) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(line, []byte(w)) }) {
			out = append(out, line...)
		}
	}
	return out
}

type section struct {
	in   map[string]string // groups of its heading
	body string
}

func sections(text string, heading *regexp.Regexp) (out []section) {
	all := heading.FindAllStringSubmatchIndex(text, -1)
	for i, m := range all {
		in, end := map[string]string{}, len(text)
		for n, name := range heading.SubexpNames() {
			if m[2*n] >= 0 {
				in[name] = text[m[2*n]:m[2*n+1]]
			}
		}
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		out = append(out, section{in, text[m[1]:end]})
	}
	return out
}

// decodeJSON reads the first JSON value that starts with a bracket.
func decodeJSON(data []byte, bracket byte, v any) error {
	start := jsonStart(data, bracket)
	if start == nil {
		return fmt.Errorf("no JSON that starts with %c", bracket)
	}
	return json.NewDecoder(bytes.NewReader(start)).Decode(v)
}

// jsonStart returns data from the first line that starts with a bracket, or nil.
func jsonStart(data []byte, bracket byte) []byte {
	for at := 0; at < len(data); {
		line := bytes.TrimLeft(data[at:], " \t\r\n")
		if len(line) > 0 && line[0] == bracket {
			return line
		}
		i := bytes.IndexByte(line, '\n')
		if i < 0 {
			break
		}
		at = len(data) - len(line) + i + 1
	}
	return nil
}
