package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

var ownHead = lazy.Pattern(`^\s*\{"schema_version":1,"command":"loop eval",`)

// parseOwn reads what episodes loop eval --json prints.
func parseOwn(data []byte) (*Report, error) {
	var read struct{ Data *reflexion.EvaluatorOutput }
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&read); err != nil {
		return nil, err
	}
	if read.Data == nil {
		return nil, errors.New("it has no evaluation")
	}
	r := &Report{}
	if m := read.Data.Metrics; m != nil {
		r.Passed, r.Failed, r.Partial, r.Names = m.TestsPassed, m.TestsFailed, m.TestsPartial, m.Tests
		r.TypeErrors, r.LintErrors, r.LintWarnings, r.Coverage = m.TypeErrors, m.LintErrors, m.LintWarnings, m.Coverage
		if m.TestsSkipped != nil {
			r.Skipped = *m.TestsSkipped
		}
	}
	for _, p := range read.Data.Errors {
		r.add(p)
	}
	return r, nil
}
