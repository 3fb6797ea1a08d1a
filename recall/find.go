package recall

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
)

// Hit is one result of a search.
type Hit struct {
	Kind    string // error, decision, lesson, task, fix, test, event, line or note
	Text    string // one line
	Episode string
	Record  string // the fact's id in its episode; "" for lines
	Log     string
	Lines   episode.Span
	Date    string
	Score   float64
}

// Filter selects hits. The zero value of each field but Limit selects all.
type Filter struct {
	Kind    string
	Since   string // yyyy-mm-dd
	Session string // an episode's id, or words of its name
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
	Lesson: "lesson", Link: "link", Test: "test", Event: "event", Note: "note", Said: "line", Read: "line"}

// hitBytes is the largest length of Hit.Text in bytes.
const hitBytes = 160

// failedNote follows what was tried and did not help.
const failedNote = " (tried, did not help)"

// lineShare is the score of a passage relative to that of a fact with the same words.
const lineShare = 0.6

// Find returns the hits of a question that pass a filter, best first, and whether there are
// more of them. Hits that overlap in a log and copies of a hit are left out.
func (x *Index) Find(q *Question, want Filter) (hits []Hit, more bool, err error) {
	n := want.pool()
	f, err := x.search(q, x.ofKind(want.Kind), n, false)
	if err != nil {
		return nil, false, err
	}
	for i, h := range f.hits {
		if x.Segments[h.segment].kind(h.doc).prose() {
			f.hits[i].score *= lineShare
		}
	}
	f.best(n)
	if x.By != nil {
		if err := f.inVoices(); err != nil {
			return nil, false, err
		}
	}
	seen := map[string][]Hit{} // by session
	var out []Hit
	for _, h := range f.hits {
		if len(out) > want.Skip+want.Limit {
			break
		}
		seg := x.Segments[h.segment]
		s, err := seg.Session(seg.session(h.doc))
		if err != nil {
			return nil, false, err
		}
		if !want.passes(s) {
			continue
		}
		d, err := seg.document(h.doc)
		if err != nil {
			return nil, false, err
		}
		if d == nil {
			continue
		}
		session := s.Episode
		if x.CountsAs != nil {
			session = x.CountsAs(session)
		}
		hit := Hit{Kind: kindNames[d.Kind], Episode: s.Episode, Record: d.ID, Log: s.Log, Lines: d.Lines,
			Date: s.Date, Score: h.score}
		if d.Kind.prose() {
			hit.Text, hit.Lines = excerpt(q, d, nil, hitBytes, 0)
		} else {
			hit.Text = cut(d.was()+d.line(), hitBytes)
		}
		if d.Kind == Link && d.Class != Nothing {
			hit.Kind = d.Class.String()
		}
		if d.Class == Failed {
			hit.Text = cut(hit.Text, hitBytes-len(failedNote)) + failedNote
		}
		if slices.ContainsFunc(seen[session], func(o Hit) bool {
			return o.Episode == hit.Episode && o.Lines[0] != 0 && overlap(o.Lines, hit.Lines) ||
				o.Episode != hit.Episode && o.Text == hit.Text
		}) {
			continue // the same place, or a copy of it
		}
		seen[session] = append(seen[session], hit)
		out = append(out, hit)
	}
	out = out[min(want.Skip, len(out)):]
	return out[:min(want.Limit, len(out))], len(out) > want.Limit, nil
}

// prose reports whether documents of the kind are parts of a text rather than facts.
func (k Kind) prose() bool { return k == Passage || k >= Note }

// line returns the text of a fact on one line: its distinct parts, or the ends of a link.
func (d *Document) line() string { return d.lineWithout(func(string) bool { return false }) }

func (d *Document) lineWithout(known func(part string) bool) string {
	var parts []string
	for part := range strings.Lines(d.Text) {
		if part = plain.Words(part); part != "" && !slices.Contains(parts, part) && (d.Kind == Link || !known(part)) {
			parts = append(parts, part)
		}
	}
	if d.Kind == Link {
		return strings.Join(parts, " → ")
	}
	return strings.Join(parts, " / ")
}
