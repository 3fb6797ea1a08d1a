package extract

import "strings"

// markSet tells quickly that none of a list of phrases stands in a text, as is so
// of most texts. Each of the phrases opens with a space or a comma.
type markSet struct {
	marks  []string
	second [256]bool // the bytes after that space or comma
}

func newMarkSet(marks []string) *markSet {
	s := &markSet{marks: marks}
	for _, m := range marks {
		s.second[m[1]] = true
	}
	return s
}

// in reports whether one of the phrases stands in text.
func (s *markSet) in(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != ' ' && text[i] != ',' || !s.second[text[i+1]] {
			continue
		}
		for _, m := range s.marks {
			if strings.HasPrefix(text[i:], m) {
				return true
			}
		}
	}
	return false
}
