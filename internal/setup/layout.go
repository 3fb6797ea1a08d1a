package setup

import (
	"bytes"
	"encoding/json"
	"strings"
)

// style is how something new is laid out.
type style struct {
	flat         bool   // on one line
	line         string // line end
	indent, unit string
}

// style detects the layout of c from its children and the text around them.
func (d *document) style(c *composite, behind []byte) style {
	s := style{line: "\n", unit: "  "}
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		s.line = "\r\n"
	}
	root, err := d.composite(&d.value, nil, false)
	if err == nil && len(root.children) > 0 {
		if in, ok := indentBefore(d.text[:root.children[0].start]); ok && in != "" {
			s.unit = in
		} else if !bytes.Contains(d.text[root.start:root.end], []byte("\n")) {
			s.flat = true
		}
	}
	own := leading(d.text[:c.start])
	s.indent = own + s.unit
	if n := len(c.children); n > 0 {
		in, ok := indentBefore(d.text[:c.children[n-1].start])
		if ok {
			s.indent = in
		} else if !bytes.Contains(behind, []byte("\n")) {
			s.flat = true
		}
	}
	return s
}

// indentBefore is the white space before something that begins a line.
func indentBefore(before []byte) (string, bool) {
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return string(line), len(line) < len(before) && len(bytes.TrimLeft(line, " \t")) == 0
}

// leading is the white space at the beginning of the last line.
func leading(before []byte) string {
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// layout renders a value: an object or list at the top has a line for each of its items, and
// each item is on one line.
func layout(value any, s style) string {
	var parts []string
	open, end := "{", "}"
	in := s
	in.indent += s.unit
	switch x := value.(type) {
	case members:
		for _, m := range x {
			parts = append(parts, marshal(m.name)+": "+layout(m.value, in))
		}
	case []any:
		open, end = "[", "]"
		for _, v := range x {
			parts = append(parts, layout(v, in))
		}
	default:
		return marshal(value)
	}
	if s.flat {
		return open + strings.Join(parts, ", ") + end
	}
	return open + s.line + in.indent + strings.Join(parts, ","+s.line+in.indent) + s.line + s.indent + end
}

// marshal is a value on one line, with a space behind each comma and colon.
func marshal(value any) string {
	var compact, out bytes.Buffer
	enc := json.NewEncoder(&compact)
	enc.SetEscapeHTML(false) // command lines should look as they are
	if err := enc.Encode(value); err != nil {
		panic(err) // only types of this package come here
	}
	text, quoted := bytes.TrimSuffix(compact.Bytes(), []byte("\n")), false
	for i, b := range text {
		out.WriteByte(b)
		switch {
		case b == '"' && !escaped(text[:i]):
			quoted = !quoted
		case !quoted && (b == ',' || b == ':'):
			out.WriteByte(' ')
		}
	}
	return out.String()
}

// escaped reports whether a text ends in an odd number of backslashes.
func escaped(text []byte) bool {
	return (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
}

// members is an object that keeps the order of its members.
type members []member

type member struct {
	name  string
	value any
}
