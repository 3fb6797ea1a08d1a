package recall

import (
	"strings"

	"episodes/internal/plain"
)

// wholeNote is how long a note without lines is read as one document, in bytes.
const wholeNote = 4 * passageBytes

// AddNote adds the passages of a note that another tool keeps. Searches find notes; they
// are not in the index that advice is given from. lined says that its lines can be named.
func (s *Session) AddNote(text string, lined bool) {
	text = plain.Text(text)
	list := []Document{{Text: text}}
	if lined || len(text) > wholeNote {
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
