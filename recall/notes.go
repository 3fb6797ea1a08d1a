package recall

import (
	"strings"

	"episodes/internal/plain"
)

// shortNote is the length in bytes up to which a note without lines is one document.
const shortNote = 4 * passageBytes

// AddNote adds the passages of a note of another tool as documents of kind Note, with line
// numbers if lined is true. Notes are for Find: indexes for Advise must not contain them.
func (s *Session) AddNote(text string, lined bool) {
	text = plain.Text(text)
	list := []Document{{Text: text}}
	if lined || len(text) > shortNote {
		list = Passages(strings.Split(text, "\n"))
	}
	for _, d := range list {
		d.Kind, d.Heading = Note, plain.Words(d.Heading)
		if !lined {
			d.Lines = [2]int{}
		}
		s.Docs = append(s.Docs, d)
	}
}
