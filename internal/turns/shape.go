package turns

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Shape maps the path of each member of a JSON value to the first string found there, or to "" if
// the first value there is not a string. A path joins member names with dots and marks array
// elements with "[]", as in "steps[].source".
type Shape map[string]string

// Has reports whether the value has such a member.
func (s Shape) Has(path string) bool {
	_, ok := s[path]
	return ok
}

// shapeDepth is how deep ShapeOf looks.
const shapeDepth = 6

// mostNested is how deep a value may be nested, as in encoding/json.
const mostNested = 10000

// ShapeOf returns the shape of the JSON value at the beginning of a file. head may end within the
// value: the shape then covers what precedes the end.
func ShapeOf(head []byte) Shape {
	shape := Shape{}
	head = bytes.TrimSpace(head)
	if len(head) > 0 && (head[0] == '{' || head[0] == '[') {
		shape.value(json.NewDecoder(bytes.NewReader(head)), "", 0)
	}
	return shape
}

// value adds the next value to the shape and reports whether it was complete.
func (s Shape) value(dec *json.Decoder, path string, depth int) bool {
	t, err := dec.Token()
	if err != nil || depth > mostNested {
		return false
	}
	if depth <= shapeDepth && !s.Has(path) {
		text, _ := t.(string)
		s[path] = text
	}
	open, nested := t.(json.Delim)
	if !nested {
		return true
	}
	for dec.More() {
		inner := path + "[]"
		if open == '{' {
			name, err := dec.Token()
			if err != nil {
				return false
			}
			member, _ := name.(string)
			inner = strings.TrimPrefix(path+"."+member, ".")
		}
		if depth >= shapeDepth {
			inner = ""
		}
		if !s.value(dec, inner, depth+1) {
			return false
		}
	}
	_, err = dec.Token()
	return err == nil
}
