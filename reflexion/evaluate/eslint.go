package evaluate

import (
	"bytes"
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// eslintFile is an element of what eslint -f json prints.
type eslintFile struct {
	Path     string `json:"filePath"`
	Messages []struct {
		Rule     *string `json:"ruleId"`
		Severity int     `json:"severity"` // 2 error, 1 warning
		Message  string  `json:"message"`
		Line     int     `json:"line"`
		Column   int     `json:"column"`
		Fatal    bool    `json:"fatal"`
	} `json:"messages"`
}

// What eslint prints by default, and stylelint much like it: the name of a file, its
// problems indented below it, and the totals at the end.
var (
	stylishTotal = lazy.Pattern(`(?m)^✖ \d+ problems? \((\d+) errors?, (\d+) warnings?\)`)
	stylishLine  = lazy.Pattern(`^\s+(\d+):(\d+)\s+(?:(error|warning)|[✖⚠×‼])\s+(\S.*?)(?:\s{2,}(\S+))?$`)
)

func sniffESLint(data []byte) bool {
	if start := jsonStart(data, "["); start != nil && bytes.Contains(start, []byte(`"filePath"`)) &&
		bytes.Contains(start, []byte(`"messages"`)) {
		return true
	}
	return bytes.Contains(data, []byte("✖ ")) && stylishTotal().Match(data)
}

// parseESLint reads what eslint prints as JSON, or by default.
func parseESLint(data []byte) (*Report, error) {
	if m := stylishTotal().FindAllSubmatch(data, -1); m != nil {
		return parseStylish(string(data), m), nil
	}
	var files []eslintFile
	if err := decodeJSON(data, "[", &files); err != nil {
		if jsonStart(data, "[") == nil {
			err = errors.New("no JSON list, and no line with totals")
		}
		return nil, err
	}
	r := &Report{}
	var errs, warnings int
	for _, f := range files {
		for _, m := range f.Messages {
			p := reflexion.Problem{Type: reflexion.LintError, File: f.Path, Line: m.Line, Column: m.Column,
				Message: m.Message, Severity: "error"}
			if m.Rule != nil {
				p.Rule = *m.Rule
			}
			if m.Fatal {
				p.Type = reflexion.SyntaxError
			}
			if m.Severity < 2 {
				p.Severity = "warning"
				warnings++
			} else {
				errs++
			}
			r.add(p)
		}
	}
	r.lint(errs, warnings)
	return r, nil
}

// parseStylish reads the default form. Several runs may have printed into one output, each
// with its totals.
func parseStylish(text string, totals [][][]byte) *Report {
	r := &Report{}
	file := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		m := stylishLine().FindStringSubmatch(line)
		if m == nil {
			if line != "" && !strings.ContainsAny(line[:1], " \t✖") {
				file = line
			}
			continue
		}
		p := reflexion.Problem{Type: reflexion.LintError, File: file, Line: atoi(m[1]), Column: atoi(m[2]),
			Severity: m[3], Message: m[4], Rule: m[5]}
		if strings.HasPrefix(p.Message, "Parsing error: ") {
			p.Type = reflexion.SyntaxError
		}
		r.add(p)
	}
	var errs, warnings int
	for _, m := range totals {
		errs, warnings = errs+atoi(string(m[1])), warnings+atoi(string(m[2]))
	}
	r.lint(errs, warnings)
	return r
}
