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
	FilePath string
	Messages []struct {
		RuleID       string
		Severity     int // 2 error, 1 warning
		Message      string
		Line, Column int
		Fatal        bool
	}
}

// What eslint prints by default, and stylelint much like it: the name of a file, its
// problems indented below it, and the totals at the end.
var (
	stylishTotal = lazy.Pattern(`(?m)^✖ \d+ problems? \((\d+) errors?, (\d+) warnings?\)`)
	stylishLine  = lazy.Pattern(`^\s+(\d+):(\d+)\s+(?:(error|warning)|[✖⚠×‼])\s+(\S.*?)(?:\s{2,}(\S+))?$`)
)

func sniffESLint(data []byte) bool {
	start := jsonStart(data, '[')
	return bytes.Contains(start, []byte(`"filePath"`)) && bytes.Contains(start, []byte(`"messages"`)) ||
		bytes.Contains(data, []byte("✖ ")) && stylishTotal().Match(data)
}

// parseESLint reads what eslint prints as JSON, or by default. Several runs may have printed
// into one output, each with its totals.
func parseESLint(data []byte) (*Report, error) {
	r := &Report{}
	var errs, warnings int
	add := func(p reflexion.Problem, fatal bool) {
		if p.Type = reflexion.LintError; fatal {
			p.Type = reflexion.SyntaxError
		}
		r.add(p)
	}
	if totals := stylishTotal().FindAllStringSubmatch(string(data), -1); totals != nil {
		file := ""
		for line := range strings.Lines(string(data)) {
			line = strings.TrimRight(line, "\r\n")
			if m := stylishLine().FindStringSubmatch(line); m != nil {
				add(reflexion.Problem{File: file, Line: atoi(m[1]), Column: atoi(m[2]), Severity: m[3], Message: m[4], Rule: m[5]},
					strings.HasPrefix(m[4], "Parsing error: "))
			} else if line != "" && !strings.ContainsAny(line[:1], " \t✖") {
				file = line
			}
		}
		for _, m := range totals {
			errs, warnings = errs+atoi(m[1]), warnings+atoi(m[2])
		}
		r.lint(errs, warnings)
		return r, nil
	}
	var files []eslintFile
	if err := decodeJSON(data, '[', &files); err != nil {
		if jsonStart(data, '[') == nil {
			err = errors.New("no JSON list, and no line with totals")
		}
		return nil, err
	}
	for _, f := range files {
		for _, m := range f.Messages {
			severity := "error"
			if m.Severity < 2 {
				severity = "warning"
				warnings++
			} else {
				errs++
			}
			add(reflexion.Problem{File: f.FilePath, Line: m.Line, Column: m.Column, Rule: m.RuleID, Severity: severity,
				Message: m.Message}, m.Fatal)
		}
	}
	r.lint(errs, warnings)
	return r, nil
}
