package validate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema is a compiled JSON schema.
type Schema struct {
	root *jsonschema.Schema
	// alone checks a value by each part of the schema, without the values inside of it.
	alone map[*jsonschema.Schema]*jsonschema.Resolved
}

// defs begins the references that a schema may have.
const defs = "#/$defs/"

// Compile reads a schema. An unknown keyword is an error, since it would not be checked.
func Compile(source []byte) (*Schema, error) {
	s := &Schema{root: &jsonschema.Schema{}, alone: map[*jsonschema.Schema]*jsonschema.Resolved{}}
	err := json.Unmarshal(source, s.root)
	if err == nil {
		err = s.prepare(s.root)
	}
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	return s, nil
}

func (s *Schema) prepare(n *jsonschema.Schema) (err error) {
	if len(n.Extra) > 0 {
		return fmt.Errorf("unknown keywords %q", slices.Sorted(maps.Keys(n.Extra)))
	}
	if n.Ref != "" && s.root.Defs[strings.TrimPrefix(n.Ref, defs)] == nil {
		return fmt.Errorf("%q leads nowhere", n.Ref)
	}
	alone := *n
	alone.Schema, alone.ID, alone.Ref, alone.Defs = "", "", "", nil
	alone.Properties, alone.AdditionalProperties, alone.Items = nil, nil, nil
	if s.alone[n], err = alone.Resolve(nil); err != nil {
		return err
	}
	parts := slices.Concat(slices.Collect(maps.Values(n.Properties)), slices.Collect(maps.Values(n.Defs)))
	for _, part := range append(parts, n.AdditionalProperties, n.Items) {
		if part == nil {
			continue
		}
		if err := s.prepare(part); err != nil {
			return err
		}
	}
	return nil
}

// Check returns the problems of a JSON document, by line.
func (s *Schema) Check(data []byte) []Problem {
	doc, err := decode(data)
	if err != nil {
		return []Problem{syntax(data, nil, err)}
	}
	return sorted(s.problems(doc, &places{data: data}))
}

func (s *Schema) problems(doc any, at *places) (out []Problem) {
	s.check(s.root, doc, "", func(ptr, message string) {
		if path := dotted(ptr); path != "" {
			message = path + ": " + message
		}
		out = append(out, Problem{Line: at.line(ptr), Message: message})
	})
	return out
}

// check reports the first problem of each value with its JSON pointer. A nil schema allows
// everything.
func (s *Schema) check(n *jsonschema.Schema, v any, ptr string, report func(ptr, message string)) {
	if n == nil {
		return
	}
	if n.Ref != "" {
		s.check(s.root.Defs[strings.TrimPrefix(n.Ref, defs)], v, ptr, report)
	}
	if err := s.alone[n].Validate(v); err != nil {
		report(ptr, message(n, v, err))
	} else if text, ok := v.(string); ok && n.Format == "date-time" && !isTime(text) { // which the library does not check
		report(ptr, "is "+shown(v)+", must be a time such as 2026-01-31T12:00:00Z")
	}
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			s.check(n.Items, item, ptr+"/"+strconv.Itoa(i), report)
		}
	case map[string]any:
		for name, value := range v {
			part, ok := n.Properties[name]
			if !ok {
				part = n.AdditionalProperties
			}
			s.check(part, value, ptr+"/"+escaper.Replace(name), report)
		}
	}
}

func isTime(s string) bool { return new(time.Time).UnmarshalText([]byte(strings.ToUpper(s))) == nil }

// message says what is wrong with a value. The library's words begin with "validating
// SCHEMA: KEYWORD: "; they are kept where they do not quote the value.
func message(n *jsonschema.Schema, v any, err error) string {
	_, text, _ := strings.Cut(err.Error(), ": ")
	keyword, rest, _ := strings.Cut(text, ": ")
	switch keyword {
	case "type":
		return fmt.Sprintf("is %s, must be %s", kind(v), article(n.Type))
	case "enum":
		var words []string
		for _, word := range n.Enum {
			words = append(words, fmt.Sprint(word))
		}
		return fmt.Sprintf("is %s, must be one of %s", shown(v), strings.Join(words, ", "))
	case "minimum":
		return fmt.Sprintf("is %s, must be at least %v", shown(v), *n.Minimum)
	case "maximum":
		return fmt.Sprintf("is %s, must be at most %v", shown(v), *n.Maximum)
	case "pattern":
		return fmt.Sprintf("is %s, which does not match %s", shown(v), n.Pattern)
	case "minLength":
		return fmt.Sprintf("is %s, which is too short", shown(v))
	}
	return rest
}

// shown is a text or number of a document, cut to what a message has room for.
func shown(v any) string {
	const most = 60
	switch v := v.(type) {
	case string:
		if r := []rune(v); len(r) > most {
			v = string(r[:most]) + "…"
		}
		return strconv.Quote(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return kind(v)
}

// kind names the type of a value, or a number itself.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case float64:
		return shown(v)
	case string:
		return "a string"
	case []any:
		return "an array"
	}
	return "an object"
}

func article(noun string) string {
	if strings.ContainsAny(noun[:1], "aeiou") {
		return "an " + noun
	}
	return "a " + noun
}
