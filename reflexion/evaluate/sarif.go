package evaluate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"

	"episodes/reflexion"
)

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

func sniffSARIF(data []byte) bool {
	start := jsonStart(data, '{')
	return bytes.Contains(start, []byte(`"runs"`)) &&
		(bytes.Contains(start, []byte("sarif")) || bytes.Contains(start, []byte(`"driver"`)))
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
			switch level := cmp.Or(res.Level, levels[res.RuleID]); level { // section 3.27.10: warning where nothing says otherwise
			case "error":
				p.Severity = "error"
			case "note", "none":
				p.Severity = "info"
			default:
				p.Severity = "warning"
			}
			found = append(found, p)
		}
	}
	return linted(found), nil
}
