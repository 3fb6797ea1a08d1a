package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Schema is a compiled JSON schema.
type Schema struct{ root *node }

// Compile reads a schema. An unsupported keyword is an error, since it would not be
// checked.
func Compile(source []byte) (*Schema, error) {
	dec := json.NewDecoder(bytes.NewReader(source))
	dec.DisallowUnknownFields()
	s := &Schema{root: &node{}}
	if err := dec.Decode(s.root); err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	if err := s.prepare(s.root); err != nil {
		return nil, err
	}
	return s, nil
}

// prepare compiles the patterns and checks the references of a schema.
func (d *Schema) prepare(n *node) (err error) {
	if n.Pattern != "" {
		if n.pattern, err = regexp.Compile(n.Pattern); err != nil {
			return fmt.Errorf("read the schema: %w", err)
		}
	}
	if len(n.AdditionalProperties) > 0 && n.AdditionalProperties[0] == '{' {
		n.additional = &node{}
		if err := json.Unmarshal(n.AdditionalProperties, n.additional); err != nil {
			return fmt.Errorf("read the schema: %w", err)
		}
	}
	if n.Ref != "" && d.root.Defs[strings.TrimPrefix(n.Ref, defs)] == nil {
		return fmt.Errorf("read the schema: %q leads nowhere", n.Ref)
	}
	children := append(slices.Collect(maps.Values(n.Properties)), slices.Collect(maps.Values(n.Defs))...)
	for _, c := range append(children, n.Items, n.additional) {
		if c == nil {
			continue
		}
		if err := d.prepare(c); err != nil {
			return err
		}
	}
	return nil
}

const defs = "#/$defs/"

// Check returns the problems of a JSON document, by line.
func (s *Schema) Check(data []byte) ([]Problem, error) {
	doc, err := decode(data)
	if err != nil {
		return []Problem{syntax(data, nil, err)}, nil
	}
	return sorted(s.violations(doc, &locator{data: data})), nil
}

func (s *Schema) violations(doc any, lines *locator) (out []Problem) {
	s.root.check(s, doc, "", func(ptr, msg string) {
		if where := dotted(ptr); where != "" {
			msg = where + ": " + msg
		}
		out = append(out, Problem{Line: lines.line(ptr), Message: msg})
	})
	return out
}
