package recall

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
		return everyDocument
	}
	return 4 * (f.Skip + f.Limit + 10)
}

// everyDocument is more documents than an index has.
const everyDocument = 1 << 20

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
	if err = x.complete(q); err != nil {
		return nil, false, err
	}
	if list, err = x.cite(q, want); err != nil {
		return nil, false, err
	}
	list = list[min(from, len(list)):]
	return list[:min(most, len(list))], len(list) > most, nil
}

// leastTyped is the least number of letters of a word that is completed. Of 300 words of which two letters are typed 9 are
// found so, of three 64, of four 103.
const leastTyped = 3

// complete puts in the place of the question's last word, which somebody is typing and no document has, the word
// that it begins: the one that most documents have, of those with another word of the question, else of all. Of 300
// words cut short after two others, 195 are found by these and 181 by all documents. It reads their texts: 10 to 40 ms
// in 549 logs, 100 to 600 in 10 000.
func (x *Index) complete(q *Question) error {
	other := func(r rune) bool { return !unicode.IsLetter(r) }
	typed := strings.ToLower(q.KeyLine[strings.LastIndexFunc(q.KeyLine, other)+1:])
	var begun string
	if terms(typed, false, func(t string) { begun = t }); utf8.RuneCountInString(typed) < leastTyped || begun == "" {
		return nil
	}
	if m, err := x.match(begun); err != nil || m.logs > 0 {
		return err
	}
	delete(q.Weights, begun)
	documents := map[string]int{} // by term
	count := func(r ref) error {
		d, err := x.Segments[r.segment].document(r.doc)
		if err != nil || d == nil || !strings.Contains(strings.ToLower(d.Text), typed) {
			return err
		}
		has := map[string]bool{}
		for _, w := range strings.FieldsFunc(strings.ToLower(d.Text), other) {
			if strings.HasPrefix(w, typed) {
				terms(w, false, func(t string) { has[t] = true })
			}
		}
		for t := range has {
			documents[t]++
		}
		return nil
	}
	f, err := x.search(q, nil, everyDocument)
	if err != nil {
		return err
	}
	for i := 0; i < len(f.hits) && err == nil; i++ {
		err = count(f.hits[i].ref)
	}
	alone := len(documents) == 0
	for i, s := range x.Segments {
		for doc := 0; alone && doc < s.docs && err == nil; doc++ {
			if !x.Dead[i][s.session(doc)] {
				err = count(ref{i, doc})
			}
		}
	}
	if len(documents) > 0 {
		begun = slices.MaxFunc(slices.Sorted(maps.Keys(documents)), func(a, b string) int { return documents[a] - documents[b] })
		q.Weights[begun] = 1
	}
	return err
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
