package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"episodes/internal/lazy"
)

// A document is changed by inserting and deleting bytes at the offsets that its parser gives; no
// other byte changes. A new member or element is inserted at the end of its object or list, after
// the last comment, together with one comma. So it can be found again after the user has edited
// the text around it, and dropping it is the exact inverse of adding it.
//
// hujson.Value.Patch (RFC 6902) cannot remove such an insertion: of 63 small objects with and
// without comments, trailing commas and line ends it restored 15, drop all. It leaves white space,
// and takes a comment with it that a user wrote above the member or before its comma. Of members
// with one name it removes the first, while agents use the last. TestShapes and
// TestEditsInBetween have such files. What it adds has no layout either.

// document is a JSON document, with comments and trailing commas where it has them.
type document struct {
	text  []byte // without the mark of byte order
	value hujson.Value
	blank bool // there is no value
}

var byteOrderMark = []byte("\ufeff")

// mostNested is how deep a document may be nested.
const mostNested = 1000

// mostValues is how many values a document may have: agents' own files have some thousands.
const mostValues = 200_000

// SyntaxError says where a file of settings cannot be understood.
type SyntaxError struct {
	Path         string
	Line, Column int
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

func (e *SyntaxError) Hint() string {
	return "nothing was written to it; correct the file and try again"
}

// parse reads a document. The error is a *SyntaxError without a path.
func parse(text []byte) (*document, error) {
	d := &document{text: bytes.TrimPrefix(text, byteOrderMark)}
	if isBlank(d.text) {
		d.blank = true
		return d, nil
	}
	if at := tooDeep(d.text); at >= 0 {
		return nil, d.errorAt(at, "nested too deep")
	}
	if bytes.Count(d.text, []byte(",")) > mostValues {
		return nil, d.errorAt(0, "has too many values")
	}
	var err error
	if d.value, err = hujson.Parse(d.text); err != nil {
		e := &SyntaxError{Line: 1, Column: 1, Message: err.Error()}
		if m := located().FindStringSubmatch(e.Message); m != nil {
			_, _ = fmt.Sscan(m[1]+" "+m[2], &e.Line, &e.Column)
			e.Message = m[3]
		}
		return nil, e
	}
	if _, ok := d.value.Value.(*hujson.Object); !ok {
		return nil, d.errorAt(d.value.StartOffset, "is no JSON object")
	}
	return d, nil
}

var located = lazy.Pattern(`(?s)^hujson: line (\d+), column (\d+): (.*)$`)

// tooDeep finds where a document is nested deeper than the parser, which calls itself,
// should follow; -1: nowhere. Up to the first mistake in a document it sees what the parser does.
func tooDeep(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			if depth++; depth > mostNested {
				return i
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			i += max(commentAt(text[i:])-1, 0)
		}
	}
	return -1
}

func (d *document) errorAt(offset int, format string, args ...any) *SyntaxError {
	before := d.text[:offset]
	return &SyntaxError{Line: 1 + bytes.Count(before, []byte("\n")),
		Column: offset - bytes.LastIndexByte(before, '\n'), Message: fmt.Sprintf(format, args...)}
}

// composite is an object or a list in a document.
type composite struct {
	start, end int // from bracket to bracket
	children   []child
	comma      bool // a trailing one
}

// child is a member of an object or an element of a list.
type child struct {
	name       string // of a member
	start, end int
	comma      int // offset of the comma behind it; -1: none
	value      *hujson.Value
}

// open returns the object or list at a path of names, or nil if a part of the path is missing.
// The error is a *SyntaxError if the value there has another type.
func (d *document) open(path []string, list bool) (*composite, error) {
	v := &d.value
	for i, name := range path {
		in, err := d.composite(v, path[:i], false)
		if err != nil {
			return nil, err
		}
		c := in.named(name)
		if c == nil {
			return nil, nil
		}
		v = c.value
	}
	return d.composite(v, path, list)
}

func (d *document) composite(v *hujson.Value, path []string, list bool) (*composite, error) {
	c := &composite{start: v.StartOffset, end: v.EndOffset}
	switch x := v.Value.(type) {
	case *hujson.Object:
		if list {
			break
		}
		for i := range x.Members {
			m := &x.Members[i]
			c.add(child{name: m.Name.Value.(hujson.Literal).String(), start: m.Name.StartOffset, value: &m.Value})
		}
		return c.finish(), nil
	case *hujson.Array:
		if !list {
			break
		}
		for i := range x.Elements {
			c.add(child{start: x.Elements[i].StartOffset, value: &x.Elements[i]})
		}
		return c.finish(), nil
	}
	what := "an object"
	if list {
		what = "a list"
	}
	return nil, d.errorAt(v.StartOffset, "%s is not %s", strings.Join(path, "."), what)
}

func (c *composite) add(x child) {
	x.end = x.value.EndOffset
	x.comma = x.end + len(x.value.AfterExtra)
	c.children = append(c.children, x)
}

// finish corrects the comma of the last child. In hujson, AfterExtra is not nil exactly if a
// trailing comma follows.
func (c *composite) finish() *composite {
	if n := len(c.children); n > 0 {
		last := &c.children[n-1]
		if c.comma = last.value.AfterExtra != nil; !c.comma {
			last.comma = -1
		}
	}
	return c
}

// named returns the last member with a name, which is the one that agents use, or nil.
func (c *composite) named(name string) *child {
	if i := c.index(name); i >= 0 {
		return &c.children[i]
	}
	return nil
}

// index returns the position of the member of named, or -1.
func (c *composite) index(name string) int {
	for i, x := range slices.Backward(c.children) {
		if x.name == name {
			return i
		}
	}
	return -1
}

// put adds a member, or where name is "" an element, at the end of c.
func (d *document) put(c *composite, name string, value any) []byte {
	n := len(c.children)
	from := c.start + 1 // of the text behind the last child
	if n > 0 {
		if from = c.children[n-1].end; c.comma {
			from = c.children[n-1].comma + 1
		}
	}
	behind := d.text[from : c.end-1]
	at, _ := commentsEnd(behind)
	at += from

	s := d.style(c, behind)
	comma, added := "", layout(value, s)
	if name != "" {
		added = marshal(name) + ": " + added
	}
	switch {
	case !s.flat:
		added = s.line + s.indent + added
	case n > 0:
		added = " " + added
	}
	if c.comma {
		added += ","
	} else if n > 0 { // it goes before the comments
		comma = ","
	}
	return slices.Concat(d.text[:from], []byte(comma), d.text[from:at], []byte(added), d.text[at:])
}

// drop takes child i out of c.
func (d *document) drop(c *composite, i int) []byte {
	x := &c.children[i]
	from := c.start + 1
	if i > 0 {
		from = c.children[i-1].comma + 1
	}
	at, line := commentsEnd(d.text[from:x.start])
	at += from
	end, comma := x.end, x.comma
	if line && !newlineNext(d.text[max(end, comma+1):]) { // what follows must not become part of the comment
		at += bytes.IndexByte(d.text[at:], '\n') + 1
	}
	switch {
	case comma >= 0: // its own
		return slices.Concat(d.text[:at], d.text[end:comma], d.text[comma+1:])
	case i > 0: // the one before it was put there with it
		before := c.children[i-1].comma
		return slices.Concat(d.text[:before], d.text[before+1:at], d.text[end:])
	}
	return slices.Concat(d.text[:at], d.text[end:])
}

// commentsEnd returns the offset behind the last comment in the text between values, without
// the line end of the comment. line reports whether it is a // comment.
func commentsEnd(extra []byte) (at int, line bool) {
	for i := 0; i < len(extra); i++ {
		if n := commentAt(extra[i:]); n > 0 {
			line = extra[i+1] == '/'
			at = i + n
			i = at - 1
		}
	}
	if line && extra[at-1] == '\r' {
		at--
	}
	return at, line
}

// commentAt is the length of a comment that a text begins with, without its line end; 0: it
// begins with none.
func commentAt(text []byte) int {
	end := -1
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		end = bytes.IndexByte(text, '\n')
	case bytes.HasPrefix(text, []byte("/*")):
		if end = bytes.Index(text[2:], []byte("*/")); end >= 0 {
			end += 4
		}
	default:
		return 0
	}
	if end < 0 {
		return len(text)
	}
	return end
}

func newlineNext(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r")
	return len(text) > 0 && text[0] == '\n'
}

// decode reads a value of a document.
func decode(v *hujson.Value, into any) error { return json.Unmarshal(standard(v), into) }

// decodeKnown is decode, and reports whether all fields of the value are known.
func decodeKnown(v *hujson.Value, into any) bool {
	dec := json.NewDecoder(bytes.NewReader(standard(v)))
	dec.DisallowUnknownFields()
	known := dec.Decode(into) == nil
	if !known {
		_ = decode(v, into) // what can be read of it
	}
	return known
}

// standard is a value without comments and trailing commas.
func standard(v *hujson.Value) []byte {
	c := v.Clone()
	c.Standardize()
	return c.Pack()
}
