package recall

import (
	"slices"
	"strings"

	"episodes/keys"
)

// keyLine returns the share of the question's key line that a place holds, weighted by inverse
// document frequency, and the number of its terms there.
func (f *found) keyLine(p *Place) (share float64, n int) {
	got, all := 0.0, 0.0
	for i := range f.matches {
		m := &f.matches[i]
		if !slices.Contains(f.q.Key, m.term) {
			continue
		}
		all += m.info
		if slices.ContainsFunc(p.refs, m.in) {
			got += m.info
			n++
		}
	}
	return got / max(all, 1e-9), n
}

// shows reports whether a place holds nearly all of the key line.
func (p *Place) shows() bool { return p.keyShare >= fullShare && p.keyTerms >= fullTerms }

// full reports whether a place has all of the key line.
func (p *Place) full() bool { return p.keyShare > 0.99 && p.keyTerms >= fullTerms }

// agrees reports whether two places name the same error.
func (p *Place) agrees(q *Question, o *Place) bool {
	return slices.ContainsFunc(o.errors(q), func(e string) bool { return slices.Contains(p.errors(q), e) })
}

// errors returns the errors that the facts of a place name, in canonical form without
// variable parts. Short ones are ambiguous and left out, unless the question shows them.
func (p *Place) errors(q *Question) []string {
	if p.shown == nil {
		p.shown = p.readErrors(q)
	}
	return p.shown
}

func (p *Place) readErrors(q *Question) []string {
	out := []string{}
	for _, d := range p.Docs {
		text := d.Text
		switch d.Kind {
		case Error:
		case Decision: // which is about an error that it fixed, or did not
			if d.Class != Fix && d.Class != Failed {
				continue
			}
			text, _, _ = strings.Cut(text, "\n")
		case Link:
			text = text[strings.LastIndexByte(text, '\n')+1:]
		default:
			continue
		}
		// The failing program may differ.
		if _, message, found := strings.Cut(text, ": "); found && strings.Count(message, " ") >= sameError-1 {
			text = message
		}
		if e := keys.Canonical(keys.Mask(text)); strings.Count(e, " ") >= sameError-1 ||
			strings.Count(e, " ") >= shownError-1 && q.shows(text) {
			out = append(out, e)
		}
	}
	return out
}

// The least number of words of an error that identify it by themselves, and of one that the
// question shows.
const (
	sameError  = 4
	shownError = 3
)
