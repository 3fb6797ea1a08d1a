package learning

import (
	"encoding/json"
	"errors"

	"episodes/internal/ask"
	"episodes/internal/validate"
	"episodes/reflexion"
)

// ValidateFiles checks each file against the schema of what it holds: an episode, or the
// record of an attempt of a loop. Relative paths start at cwd. It needs no memory.
func ValidateFiles(cwd string, files []string) (*ask.ValidateAnswer, error) {
	return ask.ValidateFiles(cwd, files, recordProblems)
}

func recordProblems(data []byte) (found []validate.Problem, is bool) {
	var r struct {
		LoopID     *string         `json:"loop_id"`
		Reflection json.RawMessage `json:"self_reflection"`
	}
	if json.Unmarshal(data, &r) != nil || r.LoopID == nil || r.Reflection == nil {
		return nil, false
	}
	_, err := reflexion.Load(data)
	var invalid *reflexion.InvalidError
	if errors.As(err, &invalid) {
		found = invalid.Problems
	} else if err != nil {
		found = []validate.Problem{{Message: err.Error()}}
	}
	for i := range found {
		found[i].Line = max(found[i].Line, 1)
	}
	return found, true
}
