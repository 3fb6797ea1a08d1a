package evaluate

import (
	"bytes"
	"cmp"
	"encoding/json"
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
	return hasJSON('[', `"filePath"`, `"messages"`)(data) || bytes.Contains(data, []byte("✖ ")) && stylishTotal().Match(data)
}

// parseESLint reads what eslint prints as JSON, or by default.
func parseESLint(data []byte) (*Report, error) {
	if stylishTotal().Match(data) {
		return parseStylish(string(data)), nil
	}
	var files []eslintFile
	if err := decodeJSON(data, '[', &files); err != nil {
		return nil, err
	}
	var found []reflexion.Problem
	for _, f := range files {
		for _, m := range f.Messages {
			p := reflexion.Problem{File: f.FilePath, Line: m.Line, Column: m.Column, Rule: m.RuleID, Message: m.Message, Severity: "error"}
			if m.Severity < 2 {
				p.Severity = "warning"
			}
			if m.Fatal {
				p.Type = reflexion.SyntaxError
			}
			found = append(found, p)
		}
	}
	return linted(found), nil
}

func parseStylish(text string) *Report {
	var found []reflexion.Problem
	file := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := stylishLine().FindStringSubmatch(line); m != nil {
			p := reflexion.Problem{File: file, Line: atoi(m[1]), Column: atoi(m[2]), Severity: m[3], Message: m[4], Rule: m[5]}
			if strings.HasPrefix(m[4], "Parsing error: ") {
				p.Type = reflexion.SyntaxError
			}
			found = append(found, p)
		} else if line != "" && !strings.ContainsAny(line[:1], " \t✖") {
			file = line
		}
	}
	r := linted(found)
	var errs, warnings int
	for _, m := range stylishTotal().FindAllStringSubmatch(text, -1) { // there may be more than are listed
		errs, warnings = errs+atoi(m[1]), warnings+atoi(m[2])
	}
	r.lint(errs, warnings)
	return r
}

// sarifLog is what is needed of a SARIF 2.1.0 log (OASIS, sections 3.13 to 3.30).
type sarifLog struct {
	Runs *[]struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID                   string
					DefaultConfiguration struct{ Level string }
				}
			}
		}
		Results []struct {
			RuleID, Level, Kind string
			Message             struct{ Text string }
			Locations           []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           struct{ StartLine, StartColumn int }
				}
			}
			Suppressions []json.RawMessage
		}
	}
}

func parseSARIF(data []byte) (*Report, error) {
	var log sarifLog
	if err := decodeJSON(data, '{', &log); err != nil {
		return nil, err
	}
	if log.Runs == nil {
		return nil, errors.New("no runs")
	}
	var found []reflexion.Problem
	for _, run := range *log.Runs {
		levels := map[string]string{}
		for _, rule := range run.Tool.Driver.Rules {
			levels[rule.ID] = rule.DefaultConfiguration.Level
		}
		for _, res := range run.Results {
			if len(res.Suppressions) > 0 || res.Kind != "" && res.Kind != "fail" {
				continue
			}
			p := reflexion.Problem{Rule: res.RuleID, Message: res.Message.Text}
			if len(res.Locations) > 0 {
				l := res.Locations[0].PhysicalLocation
				p.File, p.Line, p.Column = l.ArtifactLocation.URI, l.Region.StartLine, l.Region.StartColumn
			}
			severity := map[string]string{"error": "error", "note": "info", "none": "info"}[cmp.Or(res.Level, levels[res.RuleID])]
			p.Severity = cmp.Or(severity, "warning") // section 3.27.10
			found = append(found, p)
		}
	}
	return linted(found), nil
}
