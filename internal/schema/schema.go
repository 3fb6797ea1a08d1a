// Package schema checks episode files against urn:episodes:schema:episode:1 and
// says for each problem on which line of the file it stands.
//
// It interprets the keywords that the schema uses by itself: the libraries that
// know all of JSON Schema compile its meta-schemas when a program starts, which
// costs every command of this one more than its own work (measured: 4 of 10 ms).
// The tests hold it against such a library.
package schema

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"episodes/episode"
)

//go:embed episode.schema.json
var source []byte

// Problem is one thing that is wrong with an episode file.
type Problem struct {
	Line    int    `json:"line"` // 1-based; 0 when the file cannot be read
	Message string `json:"message"`
}

// File checks the bytes of an episode file: JSON syntax, the schema, what the
// schema cannot say (see episode.Validate), and that the id is the file's stem.
// With an empty stem that last check is left out.
func File(data []byte, stem string) ([]Problem, error) {
	ep, parseErr := episode.Parse(data)
	doc, err := decode(data)
	if err != nil {
		return []Problem{syntax(data, parseErr, err)}, nil
	}
	s, err := loaded()
	if err != nil {
		return nil, err
	}
	lines := &locator{data: data}
	var out []Problem
	s.root.check(s, doc, "", func(ptr, msg string) {
		if where := dotted(ptr); where != "" {
			msg = where + ": " + msg
		}
		out = append(out, Problem{Line: lines.line(ptr), Message: msg})
	})
	if parseErr != nil {
		if len(out) == 0 {
			out = append(out, syntax(data, parseErr, parseErr))
		}
		return sorted(out), nil
	}
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

// syntax says where the JSON breaks off.
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
