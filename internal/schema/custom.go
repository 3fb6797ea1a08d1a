package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Schema is a schema of other records than episodes, in the keywords that this
// package knows.
type Schema struct{ doc *document }

// Compile reads a schema. A keyword that is not known is an error: it would be
// left unchecked.
func Compile(source []byte) (*Schema, error) {
	dec := json.NewDecoder(bytes.NewReader(source))
	dec.DisallowUnknownFields()
	d := &document{root: &node{}}
	if err := dec.Decode(d.root); err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	if err := d.prepare(d.root); err != nil {
		return nil, err
	}
	return &Schema{doc: d}, nil
}

// Check returns what is wrong with a JSON document, by line; nothing when it
// holds.
func (s *Schema) Check(data []byte) ([]Problem, error) {
	doc, err := decode(data)
	if err != nil {
		return []Problem{syntax(data, nil, err)}, nil
	}
	lines := &locator{data: data}
	var out []Problem
	s.doc.root.check(s.doc, doc, "", func(ptr, msg string) {
		if where := dotted(ptr); where != "" {
			msg = where + ": " + msg
		}
		out = append(out, Problem{Line: lines.line(ptr), Message: msg})
	})
	return sorted(out), nil
}
