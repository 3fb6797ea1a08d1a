package markdown

import (
	"bytes"
)

// shallow cuts the white space that opens a line where it is deeper than any list
// that a person writes.
func (r *reader) shallow(data []byte) []byte {
	var out []byte
	kept, run, line, opening := 0, 0, 1, true
	for i, c := range data {
		switch {
		case c == '\n':
			line, run, opening = line+1, 0, true
		case opening && (c == ' ' || c == '\t'):
			if run++; run <= maxIndent {
				continue
			}
			if out == nil {
				out = make([]byte, 0, len(data))
				r.Note(line, "too-deep", "indentation beyond any use was cut")
			}
			out = append(out, data[kept:i]...)
			kept = i + 1
		default:
			opening = false
		}
	}
	if out == nil {
		return data
	}
	return append(out, data[kept:]...)
}

// What a paragraph or a line may contain before the Markdown parser, which takes
// time in the square of these, would keep a user waiting.
const (
	maxBrackets = 2000 // "[" in one paragraph
	maxQuotes   = 100  // ">" that open one line
	maxIndent   = 200  // spaces and tabs that open one line
)

// sanitize takes the meaning from marks that no person writes in such numbers: the
// text stays, as text, and no line moves.
func (r *reader) sanitize(data []byte) []byte {
	data = r.shallow(data)
	if bytes.Count(data, []byte("[")) <= maxBrackets && bytes.Count(data, []byte(">")) <= maxQuotes {
		return data
	}
	out := data
	write := func(i int, c byte) {
		if &out[0] == &data[0] {
			out = bytes.Clone(data)
		}
		out[i] = c
	}
	line, brackets, quotes := 1, 0, 0
	opening, said := true, false
	for i, c := range data {
		switch {
		case c == '\n':
			if i > 0 && data[i-1] == '\n' {
				brackets = 0
			}
			line, quotes, opening = line+1, 0, true
			continue
		case c == '[':
			if brackets++; brackets > maxBrackets {
				write(i, '(')
			}
		case c == '>' && opening:
			if quotes++; quotes > maxQuotes {
				write(i, ' ')
			}
		}
		opening = opening && (c == '>' || c == ' ' || c == '\t')
		if !said && (brackets > maxBrackets || quotes > maxQuotes) {
			said = true
			r.Note(line, "too-many-marks", "brackets or quote marks beyond any use were read as text")
		}
	}
	return out
}
