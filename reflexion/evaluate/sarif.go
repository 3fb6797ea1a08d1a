package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"

	"episodes/reflexion"
)

// sarifLog is what is needed of a SARIF 2.1.0 log (OASIS, sections 3.13 to 3.30).
type sarifLog struct {
	Runs *[]struct {
		Tool struct {
			Driver struct {
				Name  string `json:"name"`
				Rules []struct {
					ID      string `json:"id"`
					Default struct {
						Level string `json:"level"`
					} `json:"defaultConfiguration"`
				} `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Results []struct {
			RuleID  string `json:"ruleId"`
			Level   string `json:"level"`
			Kind    string `json:"kind"`
			Message struct {
				Text string `json:"text"`
			} `json:"message"`
			Locations []struct {
				Physical struct {
					Artifact struct {
						URI string `json:"uri"`
					} `json:"artifactLocation"`
					Region struct {
						Line   int `json:"startLine"`
						Column int `json:"startColumn"`
					} `json:"region"`
				} `json:"physicalLocation"`
			} `json:"locations"`
			Suppressions []json.RawMessage `json:"suppressions"`
		} `json:"results"`
	} `json:"runs"`
}

func sniffSARIF(data []byte) bool {
	start := jsonStart(data, "{")
	return start != nil && bytes.Contains(start, []byte(`"runs"`)) &&
		(bytes.Contains(start, []byte("sarif")) || bytes.Contains(start, []byte(`"driver"`)))
}

func parseSARIF(data []byte) (*Report, error) {
	var log sarifLog
	if err := decodeJSON(data, "{", &log); err != nil {
		return nil, err
	}
	if log.Runs == nil {
		return nil, errors.New("no runs")
	}
	r := &Report{}
	var errs, warnings int
	for _, run := range *log.Runs {
		levels := map[string]string{}
		for _, rule := range run.Tool.Driver.Rules {
			levels[rule.ID] = rule.Default.Level
		}
		for _, res := range run.Results {
			if len(res.Suppressions) > 0 || res.Kind != "" && res.Kind != "fail" {
				continue
			}
			p := reflexion.Problem{Type: reflexion.LintError, Rule: res.RuleID, Message: res.Message.Text}
			if len(res.Locations) > 0 {
				l := res.Locations[0].Physical
				p.File, p.Line, p.Column = l.Artifact.URI, l.Region.Line, l.Region.Column
			}
			level := res.Level
			if level == "" {
				level = levels[res.RuleID]
			}
			switch level { // section 3.27.10: warning where nothing says otherwise
			case "error":
				p.Severity = "error"
				errs++
			case "note", "none":
				p.Severity = "info"
			default:
				p.Severity = "warning"
				warnings++
			}
			r.add(p)
		}
	}
	r.lint(errs, warnings)
	return r, nil
}
