package learning

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"episodes/internal/ask"
	"episodes/internal/fsstore"
	"episodes/internal/validate"
	"episodes/reflexion"
)

// maxRecord is the size of the largest file that is validated, in bytes.
const maxRecord = 64 << 20

// ValidateFiles checks each file against the schema of what it holds: an episode, or the
// record of an attempt of a loop. Relative paths start at cwd. It needs no memory.
func ValidateFiles(cwd string, files []string) (*ask.ValidateAnswer, error) {
	var episodes []string
	var records []validate.FileProblem
	n := 0
	for _, file := range files {
		data, err := fsstore.ReadInput(absolute(cwd, file), maxRecord)
		if err != nil || !isRecord(data) {
			episodes = append(episodes, file)
			continue
		}
		n++
		_, err = reflexion.Load(data)
		var invalid *reflexion.InvalidError
		switch {
		case errors.As(err, &invalid):
			for _, p := range invalid.Problems {
				records = append(records, fileProblem(file, p))
			}
		case err != nil:
			return nil, err
		}
	}
	rep := &ask.ValidateAnswer{}
	if len(episodes) > 0 {
		var err error
		if rep, err = ask.ValidateFiles(cwd, episodes); err != nil {
			return nil, err
		}
	}
	rep.Files += n
	rep.Problems = append(rep.Problems, records...)
	return rep, nil
}

// fileProblem is a problem of a record: "line 3: message", or a message about all of it.
func fileProblem(file, problem string) validate.FileProblem {
	p := validate.FileProblem{File: file, Problem: validate.Problem{Line: 1, Message: problem}}
	if rest, ok := strings.CutPrefix(problem, "line "); ok {
		if number, message, ok := strings.Cut(rest, ": "); ok {
			if line, err := strconv.Atoi(number); err == nil {
				p.Line, p.Message = line, message
			}
		}
	}
	return p
}

func absolute(cwd, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(cwd, file)
}

// isRecord reports whether a file holds a record of a loop, and not an episode.
func isRecord(data []byte) bool {
	var r struct {
		LoopID     *string         `json:"loop_id"`
		Reflection json.RawMessage `json:"self_reflection"`
	}
	return json.Unmarshal(data, &r) == nil && r.LoopID != nil && r.Reflection != nil
}
