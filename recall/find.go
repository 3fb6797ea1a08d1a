package recall

import (
	"slices"
	"strings"

	"episodes/internal/plain"
)

// Filter selects hits. The zero value of each field but Limit selects all.
type Filter struct {
	Kind    string
	Since   string // yyyy-mm-dd
	Session string // an episode's id, or words of its name
	List    bool   // facts by themselves rather than the passages that they are from
	Skip    int
	Limit   int
}

// pool is how many documents are looked at: several share a place, and a session may not pass.
func (f *Filter) pool() int {
	if f.Since != "" || f.Session != "" {
		return 1 << 20
	}
	return 4 * (f.Skip + f.Limit + 10)
}

// passes reports whether the documents of a session may be hits.
func (f *Filter) passes(s *Session) bool {
	return s.Date >= f.Since && (f.Session == "" || strings.Contains(strings.ToLower(s.Episode+" "+s.Name), strings.ToLower(f.Session)))
}

// ofKind is the filter of documents of a kind; nil for "".
func (x *Index) ofKind(kind string) func(ref) bool {
	if kind == "" {
		return nil
	}
	return func(r ref) bool { return kindNames[x.Segments[r.segment].kind(r.doc)] == kind }
}

// Kinds returns the values of Filter.Kind that a user may ask for.
func Kinds() []string { return []string{"error", "decision", "lesson", "task", "line", "note"} }

var kindNames = map[Kind]string{Passage: "line", Task: "task", Error: "error", Decision: "decision",
	Lesson: "lesson", Link: "link", Test: "test", Event: "event", Note: "note", Said: "line"}

// List returns what fits a question and passes a filter, best first, and whether there is more of it.
func (x *Index) List(q *Question, want Filter) (list []Cited, more bool, err error) {
	from, most := want.Skip, want.Limit
	want.List, want.Skip, want.Limit = true, 0, from+most+1
	if list, err = x.cite(q, want); err != nil {
		return nil, false, err
	}
	list = list[min(from, len(list)):]
	return list[:min(most, len(list))], len(list) > most, nil
}

// prose reports whether documents of the kind are parts of a text rather than facts.
func (k Kind) prose() bool { return k == Passage || k >= Note && k != Asked }

// line returns the text of a fact on one line: its distinct parts, or the ends of a link.
func (d *Document) line() string {
	var parts []string
	for part := range strings.Lines(d.Text) {
		if part = plain.Words(part); part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	if d.Kind == Link {
		return strings.Join(parts, " → ")
	}
	return strings.Join(parts, " / ")
}
