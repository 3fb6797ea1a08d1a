// Package validate checks episode files and other JSON files against their schemas. Each
// problem has its line, and the path of the value.
//
// Whether a value is valid is decided by github.com/google/jsonschema-go, which is linked
// anyway for the Model Context Protocol. It stops at the first problem of a document, so
// package validate walks the document and lets it check one value at a time. The library
// that lists all problems (santhosh-tekuri/jsonschema) compiles its meta-schemas when a
// program starts, which takes 7 ms of CPU time in each of the program's runs, of which a
// hook has 3 to 10 ms, and 2.5 MB; the tests compare the problems found with its.
package validate

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"episodes/episode"
	"episodes/internal/plain"
)

//go:embed episode.schema.json
var source []byte

// episodeSchema is the schema of episodes, compiled on first use.
var episodeSchema = sync.OnceValues(func() (*Schema, error) { return Compile(source) })

// Problem is something wrong with a file.
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
	at := &places{data: data}
	out := s.problems(doc, at)
	if parseErr != nil {
		if len(out) == 0 {
			out = append(out, syntax(data, parseErr, parseErr))
		}
		return sorted(out), nil
	}
	out = append(out, hidden(doc, "", at)...)
	for _, p := range ep.Validate() {
		out = append(out, Problem{Line: episode.LineOf(data, p.Needle), Message: p.Msg})
	}
	if stem != "" && ep.ID != stem {
		out = append(out, Problem{Line: at.line("/id"), Message: fmt.Sprintf("id %q is not the file's stem %q", ep.ID, stem)})
	}
	return sorted(out), nil
}

func decode(data []byte) (doc any, err error) { return doc, json.Unmarshal(data, &doc) }

// syntax is why data cannot be decoded.
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

// hidden finds texts with characters that are taken out when an episode is read, since
// they cannot be seen or are obeyed. The path of a log may have any.
func hidden(v any, ptr string, at *places) (out []Problem) {
	switch v := v.(type) {
	case string:
		if ptr != "/provenance/source/path" && plain.Text(v) != v {
			out = append(out,
				Problem{Line: at.line(ptr),
					Message: fmt.Sprintf("%s: has %U, which cannot be seen or is obeyed; it is taken out when it is read",
						dotted(ptr), firstHidden(v))})
		}
	case []any:
		for i, x := range v {
			out = append(out, hidden(x, fmt.Sprintf("%s/%d", ptr, i), at)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = append(out, hidden(v[key], ptr+"/"+escaper.Replace(key), at)...)
		}
	}
	return out
}

// firstHidden is the first character of a text that does not stay.
func firstHidden(s string) rune {
	t := plain.Text(s)
	for i, r := range s {
		if kept, n := utf8.DecodeRuneInString(t[min(i, len(t)):]); n == 0 || kept != r {
			return r
		}
	}
	return utf8.RuneError
}

// places finds the lines of values in a document.
type places struct {
	data []byte
	root *hujson.Value // parsed when a line is needed
}

// line returns the line of the value at a JSON pointer, or of the innermost enclosing one.
func (p *places) line(ptr string) int {
	if p.root == nil {
		p.data = bytes.ToValidUTF8(p.data, nil)
		root, err := hujson.Parse(p.data)
		if err != nil {
			return 1
		}
		p.root = &root
	}
	for ; ptr != ""; ptr = ptr[:strings.LastIndexByte(ptr, '/')] {
		if v := p.root.Find(ptr); v != nil {
			return episode.LineAt(p.data, v.StartOffset)
		}
	}
	return episode.LineAt(p.data, p.root.StartOffset)
}

// The escapes of JSON pointers.
var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// dotted writes a JSON pointer as a path: decisions[0].outcome.
func dotted(ptr string) string {
	var b strings.Builder
	for _, t := range strings.Split(ptr, "/")[1:] {
		t = unescaper.Replace(t)
		switch _, err := strconv.Atoi(t); {
		case err == nil:
			fmt.Fprintf(&b, "[%s]", t)
		case b.Len() > 0:
			b.WriteString("." + t)
		default:
			b.WriteString(t)
		}
	}
	return b.String()
}
