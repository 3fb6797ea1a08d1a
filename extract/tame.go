package extract

import "bytes"

// What a paragraph or a line may hold before the Markdown parser, which takes
// time in the square of these, would keep a user waiting.
const (
	maxBrackets = 2000 // "[" in one paragraph
	maxQuotes   = 100  // ">" that open one line
)

// tame takes the meaning from marks that no person writes in such numbers: the
// text stays, as text, and no line moves.
func (r *reader) tame(data []byte) []byte {
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
			r.doc.note(line, "too-many-marks", "brackets or quote marks beyond any use were read as text")
		}
	}
	return out
}
