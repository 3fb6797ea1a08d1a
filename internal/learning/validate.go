package learning

import (
	"encoding/json"
	"errors"
	"path/filepath"

	"episodes/internal/ask"
	"episodes/internal/fsstore"
	"episodes/internal/validate"
	"episodes/reflexion"
)

const maxRecord = 64 << 20

// ValidateFiles checks each file against the schema of what it holds: an episode, or the
// record of an attempt of a loop. Relative paths start at cwd. It needs no memory.
func ValidateFiles(cwd string, files []string) (*ask.ValidateAnswer, error) {
	rep := &ask.ValidateAnswer{}
	var episodes []string
	var found []validate.FileProblem
	for _, file := range files {
		path := file
		if !filepath.IsAbs(path) {
			path = filepath.Join(cwd, path)
		}
		data, err := fsstore.ReadInput(path, maxRecord)
		if err != nil || !isRecord(data) {
			episodes = append(episodes, file)
			continue
		}
		_, err = reflexion.Load(data)
		var invalid *reflexion.InvalidError
		if err != nil && !errors.As(err, &invalid) {
			return nil, err
		}
		if invalid != nil {
			for _, p := range invalid.Problems {
				p.Line = max(p.Line, 1)
				found = append(found, validate.FileProblem{File: file, Problem: p})
			}
		}
	}
	if len(episodes) > 0 {
		var err error
		if rep, err = ask.ValidateFiles(cwd, episodes); err != nil {
			return nil, err
		}
	}
	rep.Files += len(files) - len(episodes)
	rep.Problems = append(rep.Problems, found...)
	return rep, nil
}

func isRecord(data []byte) bool {
	var r struct {
		LoopID     *string         `json:"loop_id"`
		Reflection json.RawMessage `json:"self_reflection"`
	}
	return json.Unmarshal(data, &r) == nil && r.LoopID != nil && r.Reflection != nil
}
