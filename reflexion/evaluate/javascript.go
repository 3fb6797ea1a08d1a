package evaluate

import (
	"bytes"
	"errors"

	"episodes/reflexion"
)

// jestReport is what jest --json and vitest --reporter=json print.
type jestReport struct {
	Total   *int `json:"numTotalTests"`
	Passed  int  `json:"numPassedTests"`
	Failed  int  `json:"numFailedTests"`
	Pending int  `json:"numPendingTests"`
	Todo    int  `json:"numTodoTests"`
	Files   []struct {
		Name    string `json:"name"`
		Status  string `json:"status"`
		Message string `json:"message"`
		Tests   []struct {
			Status   string   `json:"status"`
			FullName string   `json:"fullName"`
			Messages []string `json:"failureMessages"`
			Location *struct {
				Line   int `json:"line"`
				Column int `json:"column"`
			} `json:"location"`
		} `json:"assertionResults"`
	} `json:"testResults"`
}

func sniffJest(data []byte) bool {
	return bytes.Contains(data, []byte(`"numTotalTests"`)) && bytes.Contains(data, []byte(`"testResults"`))
}

func parseJest(data []byte) (*Report, error) {
	var j jestReport
	if err := decodeJSON(data, "{", &j); err != nil {
		return nil, err
	}
	if j.Total == nil {
		return nil, errors.New("no numTotalTests")
	}
	r := &Report{Skipped: max(0, j.Pending+j.Todo)}
	failed := max(0, j.Failed)
	for _, f := range j.Files {
		broken := f.Status == "failed"
		for _, t := range f.Tests {
			if t.Status != "failed" {
				continue
			}
			broken = false
			p := reflexion.Problem{Type: reflexion.TestFailure, File: f.Name, Rule: t.FullName}
			for _, m := range t.Messages {
				p.StackTrace += plain(m) + "\n"
			}
			p.Message = beforeTrace(p.StackTrace)
			if t.Location != nil {
				p.Line, p.Column = t.Location.Line, t.Location.Column
			}
			locate(&p, p.StackTrace, f.Name)
			r.add(p)
		}
		if broken { // the file did not even load
			failed++
			p := reflexion.Problem{Type: reflexion.RuntimeError, File: f.Name, Message: beforeTrace(f.Message), StackTrace: f.Message}
			locate(&p, f.Message, "")
			r.add(p)
		}
	}
	r.tests(max(0, j.Passed), failed)
	return r, nil
}
