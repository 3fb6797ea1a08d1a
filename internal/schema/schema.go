// Package schema checks JSON files against a schema, episode files against
// urn:episodes:schema:episode:1, and reports each problem with its line.
//
// It implements the keywords that the schemas use by itself: the libraries for all of
// JSON Schema compile its meta-schemas when a program starts, which takes 4 of the 10 ms
// of a command. The tests compare it with such a library.
package schema

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"episodes/episode"
)

//go:embed episode.schema.json
var source []byte

// episodeSchema is the schema of episodes, compiled on first use.
var episodeSchema = sync.OnceValues(func() (*Schema, error) { return Compile(source) })

// Problem is one violation of a schema.
type Problem struct {
	Line    int    `json:"line"` // 1-based; 0 when the file cannot be read
	Message string `json:"message"`
}

// File checks the bytes of an episode file: JSON syntax, the schema, what the
// schema cannot say (see episode.Validate), that nothing hidden is in its texts, and that
// the id is the file's stem. With an empty stem that last check is left out.
func File(data []byte, stem string) ([]Problem, error) {
	ep, parseErr := episode.Parse(data)
	doc, err := decode(data)
	if err != nil {
		return []Problem{syntax(data, parseErr, err)}, nil
	}
	s, err := episodeSchema()
	if err != nil {
		return nil, err
	}
	lines := &locator{data: data}
	out := s.violations(doc, lines)
	if parseErr != nil {
		if len(out) == 0 {
			out = append(out, syntax(data, parseErr, parseErr))
		}
		return sorted(out), nil
	}
	out = append(out, hidden(doc, "", lines)...)
	for _, p := range ep.Validate() {
		out = append(out, Problem{Line: episode.LineOf(data, p.Needle), Message: p.Msg})
	}
	if stem != "" && ep.ID != stem {
		out = append(out, Problem{Line: lines.line("/id"), Message: fmt.Sprintf("id %q is not the file's stem %q", ep.ID, stem)})
	}
	return sorted(out), nil
}

func decode(data []byte) (doc any, err error) {
	if !json.Valid(data) {
		return nil, errors.New("not valid JSON")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return doc, dec.Decode(&doc)
}

// syntax returns the syntax error of data.
func syntax(data []byte, parseErr, otherwise error) Problem {
	var js *json.SyntaxError
	var v any
	if errors.As(json.Unmarshal(data, &v), &js) && len(bytes.TrimSpace(data)) > 0 {
		return Problem{Line: episode.LineAt(data, int(js.Offset)), Message: js.Error()}
	}
	var se *episode.SyntaxError
	if errors.As(parseErr, &se) {
		return Problem{Line: se.Line, Message: se.Msg}
	}
	return Problem{Line: 1, Message: otherwise.Error()}
}

func sorted(ps []Problem) []Problem {
	slices.SortFunc(ps, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.Message, b.Message)
	})
	return slices.Compact(ps)
}
