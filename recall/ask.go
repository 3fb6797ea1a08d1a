package recall

import (
	"slices"
	"strings"

	"episodes/episode"
)

// Cited is a passage that answers a question, whole.
type Cited struct {
	Who     Who
	Episode string
	Log     string
	Date    string // yyyy-mm-dd, or ""
	Heading string
	Text    string
	Lines   episode.Span // of the log; zero where they are not known
	Score   float64
	Telling int     // words of the question that it has and at most half of the sessions have
	Share   float64 // of the question's words, weighted by inverse document frequency
	Left    string  // the record, if an agent left it for later sessions
	Later   *Cited  // a newer one that has all of the question's words that it has; nil: none

	words   []bool // of the question, by match
	session string // that counts
}

// Ask returns the passages that pass a filter, best first, each place once and each text once, the newest of
// them. Several questions are phrasings of one: their passages take turns, since scores would undo the order of authors.
func (x *Index) Ask(want Filter, questions ...*Question) (out []Cited, err error) {
	lists := make([][]Cited, len(questions))
	for i, q := range questions {
		if lists[i], err = x.cite(q, want); err != nil {
			return nil, err
		}
	}
	for n := range want.Limit {
		for _, list := range lists {
			if n < len(list) && !slices.ContainsFunc(out, list[n].same) {
				out = append(out, list[n])
			}
		}
	}
	return out[:min(want.Limit, len(out))], nil
}

// same reports whether a passage is of the same place as another one, or has the same text.
func (c *Cited) same(o Cited) bool {
	return c.Episode == o.Episode && c.Lines[0] > 0 && overlap(c.Lines, o.Lines) || c.Text == o.Text
}

func (x *Index) cite(q *Question, want Filter) (out []Cited, err error) {
	f, err := x.search(q, x.ofKind(want.Kind), want.pool(), false)
	if err != nil {
		return nil, err
	}
	if x.By != nil {
		if err := f.inVoices(); err != nil {
			return nil, err
		}
	}
	for _, h := range f.hits {
		seg := x.Segments[h.segment]
		d, err := seg.document(h.doc)
		if err != nil {
			return nil, err
		}
		s, err := seg.Session(seg.session(h.doc))
		if err != nil {
			return nil, err
		}
		if d == nil || d.Kind == Read || !want.passes(s) {
			continue
		}
		c := Cited{Who: d.Who, Episode: s.Episode, Log: s.Log, Date: s.Date, Heading: d.Heading, Text: d.Text, Lines: d.Lines, Score: h.score}
		if c.session = s.Episode; x.CountsAs != nil {
			c.session = x.CountsAs(s.Episode)
		}
		if !d.Kind.prose() {
			c.Text = d.was() + d.line()
			if text, ok := strings.CutSuffix(c.Text, " / "+stated); ok && d.Lines[0] == 0 && (d.Kind == Lesson || d.Kind == Decision) {
				c.Who, c.Text, c.Left = AnAgent, text, d.ID
			}
			whole, err := f.from(h.ref, d)
			if err != nil {
				return nil, err
			}
			if whole != nil {
				c.Who, c.Text, c.Lines, c.Heading = whole.Who, whole.Text, whole.Lines, whole.Heading
			}
		}
		f.has(&c, h.ref)
		if at := slices.IndexFunc(out, c.same); at < 0 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Cited) int { return b.left() - a.left() })
	for i := range out {
		out[i].Later = newer(&out[i], out)
	}
	return out[:min(want.Limit, len(out))], nil
}

// left is 1 for what an agent left for later sessions and surely fits, which comes first, else 0.
func (c *Cited) left() int {
	if _, sure := c.Known(); sure && c.Left != "" {
		return 1
	}
	return 0
}

// from is the passage that a fact is from; nil if none is known.
func (f *found) from(r ref, fact *Document) (*Document, error) {
	s := f.x.Segments[r.segment]
	for doc := r.doc; fact.Lines[0] > 0 && doc < s.docs && s.session(doc) == s.session(r.doc); doc++ {
		if !s.kind(doc).prose() {
			continue
		}
		if d, err := s.document(doc); err != nil || d != nil && overlap(d.Lines, fact.Lines) {
			return d, err
		}
	}
	return nil, nil
}

// has notes which words of the question a document has.
func (f *found) has(c *Cited, r ref) {
	all, have := 0.0, 0.0
	for i := range f.matches {
		m := &f.matches[i]
		in := m.in(r)
		c.words = append(c.words, in)
		if f.q.Weights[m.term] < evidenceWeight {
			continue
		}
		if all += m.info; in {
			have += m.info
			if m.logs <= rareLogs || 2*m.logs <= f.x.count {
				c.Telling++
			}
		}
	}
	if all > 0 {
		c.Share = have / all
	}
}

// newer is the best passage of a later session that has all of the question's words that c has; nil if there is none.
func newer(c *Cited, all []Cited) *Cited {
	at := slices.IndexFunc(all, func(o Cited) bool {
		if known, _ := c.Known(); !known || c.Date == "" || o.Date <= c.Date || o.session == c.session {
			return false
		}
		for n, in := range c.words {
			if in && !o.words[n] {
				return false
			}
		}
		return true
	})
	if at < 0 {
		return nil
	}
	return &all[at]
}

// A passage answers if it shares leastTelling such words with the question, or most of what it says, and is sure if it has a fifth of
// that. Of 50 questions to memories that know nothing of them 8 were sure, of the 14 whose answer is among the first three 11.
const (
	leastTelling = 2
	mostOfIt     = 0.5
	sureShare    = 0.2
)

// Known reports whether a passage says something about the question, and whether that is sure.
func (c *Cited) Known() (known, sure bool) {
	known = c.Telling >= leastTelling || c.Share >= mostOfIt
	return known, known && c.Share >= sureShare
}
