package sessionjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"

	"episodes/episode"
)

// value is a JSON value with its lines in the file.
type value struct {
	span   episode.Span
	text   string // of a string, number or bool
	str    bool   // it is a string
	fields []field
	items  []*value
	object bool
	list   bool
}

type field struct {
	name string
	*value
}

// maxDepth is how deep values may be nested; no log comes near it.
const maxDepth = 100

var errDepth = errors.New("values stand too deep in each other")

// reader reads a file token by token, to know the lines of each.
type reader struct {
	*json.Decoder
	ends []int // byte offset of the end of each line
}

// parse reads one JSON value. Where the file ends too early or goes wrong, what was read
// up to there is returned with the error and its line.
func parse(data []byte) (*value, int, error) {
	r := &reader{Decoder: json.NewDecoder(bytes.NewReader(data))}
	for i, c := range data {
		if c == '\n' {
			r.ends = append(r.ends, i)
		}
	}
	r.UseNumber()
	t, err := r.Token()
	if err != nil {
		return &value{}, r.line(), err
	}
	v, err := r.value(t, 0)
	return v, r.line(), err
}

// line is the 1-based line of the token that was read last: none has a line break in it.
func (r *reader) line() int {
	return 1 + sort.SearchInts(r.ends, int(max(r.InputOffset()-1, 0)))
}

// value reads the rest of the value that a token opens.
func (r *reader) value(t json.Token, depth int) (v *value, err error) {
	v = &value{span: episode.Span{r.line(), r.line()}}
	switch t := t.(type) {
	case string:
		v.text, v.str = t, true
	case json.Number:
		v.text = t.String()
	case bool:
		v.text = strconv.FormatBool(t)
	case json.Delim:
		if depth == maxDepth {
			return v, errDepth
		}
		v.object, v.list = t == '{', t == '['
		err = r.members(v, depth)
		v.span[1] = r.line()
	}
	return v, err
}

func (r *reader) members(v *value, depth int) error {
	for r.More() {
		t, err := r.Token()
		if err != nil {
			return err
		}
		name, from := "", r.line()
		if v.object {
			name, _ = t.(string)
			if t, err = r.Token(); err != nil {
				return err
			}
		}
		child, err := r.value(t, depth+1)
		if v.object {
			child.span[0] = from // the name is a part of what it names
			v.fields = append(v.fields, field{name, child})
		} else {
			v.items = append(v.items, child)
		}
		if err != nil {
			return err
		}
	}
	_, err := r.Token()
	return err
}

// get returns the first non-empty field with one of the names, in their order, or nil.
// Names are compared without case and separators: "workLog" equals "work_log".
func (v *value) get(names ...string) *value {
	if v == nil {
		return nil
	}
	for _, name := range names {
		for _, f := range v.fields {
			if plainName(f.name) == name && !f.empty() {
				return f.value
			}
		}
	}
	return nil
}

func plainName(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
}

func (v *value) empty() bool {
	return v == nil || strings.TrimSpace(v.text) == "" && len(v.fields) == 0 && len(v.items) == 0
}

// string is the text of a string, "" for any other value.
func (v *value) string() string {
	if v == nil || !v.str {
		return ""
	}
	return strings.TrimSpace(v.text)
}

// scalar is the text of a string or a number; "" for anything else.
func (v *value) scalar() string {
	if v == nil || v.list || v.object {
		return ""
	}
	return strings.TrimSpace(v.text)
}

// all are the elements of a list; any other value is a list of itself.
func (v *value) all() []*value {
	switch {
	case v.empty():
		return nil
	case v.list:
		return v.items
	}
	return []*value{v}
}

// words joins the strings of a value in the order of the file.
func (v *value) words() string {
	switch {
	case v == nil:
		return ""
	case !v.list && !v.object:
		return strings.TrimSpace(v.text)
	}
	var words []string
	for _, o := range v.parts() {
		if w := o.words(); w != "" {
			words = append(words, w)
		}
	}
	if v.object {
		return strings.Join(words, ": ")
	}
	return strings.Join(words, "; ")
}

// parts are the values of the fields of an object, or the elements of a list.
func (v *value) parts() []*value {
	out := slices.Clone(v.items)
	for _, f := range v.fields {
		out = append(out, f.value)
	}
	return out
}
