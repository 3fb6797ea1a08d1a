package recall

import (
	"slices"
	"strings"
	"unicode"

	"episodes/episode"
)

// Cited is a passage that answers a question, whole.
type Cited struct {
	Kind    string // what was found: error, decision, lesson, task, fix, test, event, line or note
	Record  string // the fact's id in its episode; "" for lines
	At      episode.Span
	Who     Who
	Episode string
	Log     string
	Date    string // yyyy-mm-dd, or ""
	Heading string
	Text    string
	Lines   episode.Span // of the log; zero where they are not known
	Fact    string       // what was found in it, on one line; "" where that is the passage itself
	Class   Class        // of the fact
	Stated  bool         // it was recorded, by an agent or a person
	Score   float64
	Telling int     // words of the question that it has and at most half of the sessions have
	Share   float64 // of the question's words, weighted by inverse document frequency
	By      By
	Now     string // what took the place of the decision that was found, in words; "" while it holds
	Later   *Cited // a newer one that has all of the question's words that it has; nil: none

	words    []bool  // of the question, by match
	info     float64 // of those it has, in nats
	unknown  float64 // share of the question's words that no session has
	key      float64 // share of the question's key line, weighted likewise
	keyTerms int     // words of it
	rare     int     // words of the question that it has and at most rareLogs sessions
	demand   bool    // a person said it to an agent
	decision *Document
	ref      ref
	shared   int    // words of the question that it has
	says     string // Text, but for numbers where places are not listed
	session  string // that counts
	name     string // of the session
}

// Left is the record that somebody left for later sessions, which no log has; "" for others.
func (c *Cited) Left() string {
	if c.Stated && c.Lines[0] == 0 {
		return c.Record
	}
	return ""
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

// same reports whether a passage is of the same place as another one, or says the same.
func (c *Cited) same(o Cited) bool {
	return c.Episode == o.Episode && c.Lines[0] > 0 && overlap(c.Lines, o.Lines) || c.says == o.says
}

// noDigits is a text without its numbers, by which copies differ, if these are little of it.
func noDigits(text string) string {
	out := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
	if len(text)-len(out) > len(text)/20 {
		return text
	}
	return out
}

// adviceGain is the factor for a fact that gives advice. Without it the right place is first for 21 % of the given questions,
// not 22.
const adviceGain = 1.2

func (x *Index) cite(q *Question, want Filter) (out []Cited, err error) {
	f, err := x.search(q, x.ofKind(want.Kind), want.pool())
	if err != nil {
		return nil, err
	}
	for i, h := range f.hits {
		if !want.List && x.Segments[h.segment].class(h.doc) != Nothing {
			f.hits[i].score *= adviceGain
		}
	}
	f.best(len(f.hits))
	if x.By != nil {
		if err := f.inVoices(); err != nil {
			return nil, err
		}
	}
	for _, h := range f.hits {
		c, err := f.cited(h, want)
		if err != nil {
			return nil, err
		}
		if c == nil {
			continue
		}
		if at := slices.IndexFunc(out, c.same); at < 0 {
			out = append(out, *c)
		} else if o := &out[at]; !want.List && o.Class == Nothing && c.Class != Nothing && o.Episode == c.Episode { // of the same place what says what to do
			o.Kind, o.Record, o.At, o.Fact, o.Class, o.Now, o.decision = c.Kind, c.Record, c.At, c.Fact, c.Class, c.Now, c.decision
		}
	}
	left := func(c Cited) int { // what was recorded and surely fits is first
		if _, sure := c.Known(); sure && c.Left() != "" {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b Cited) int { return left(a) - left(b) })
	for i := range out { // what was undone stands behind what undid it
		if n := slices.IndexFunc(out[i+1:], func(o Cited) bool { return out[i].undoneBy(&o) }) + 1; n > 0 {
			out = slices.Delete(slices.Insert(out, i, out[i+n]), i+n+1, i+n+2)
		}
	}
	for i := range out {
		out[i].Later = newer(&out[i], out)
	}
	return out[:min(want.Limit, len(out))], nil
}

// cited is what a hit cites; nil if it is none that may be.
func (f *found) cited(h hit, want Filter) (*Cited, error) {
	seg := f.x.Segments[h.segment]
	d, err := seg.document(h.doc)
	if err != nil {
		return nil, err
	}
	s, err := seg.Session(seg.session(h.doc))
	if err != nil || d == nil || d.Kind == Task && !want.List || !want.passes(s) {
		return nil, err
	}
	c := &Cited{Who: d.Who, Episode: s.Episode, Log: s.Log, Date: s.Date, Heading: d.Heading, Text: d.Text, Lines: d.Lines, Score: h.score,
		session: f.x.countsAs(s.Episode), name: s.Name, ref: h.ref}
	if f.x.By != nil {
		c.By = f.x.By(s.Episode)
	}
	places := []ref{h.ref}
	if !d.Kind.prose() {
		if d.Kind == Asked {
			if d, places[0], err = f.asked(h.ref, d); d == nil || err != nil {
				return nil, err
			}
		}
		c.Now = d.was()
		c.Text, c.Class, c.Stated, c.Lines, c.Who = c.Now+d.line(), d.Class, d.stated(), d.Lines, d.Who
		if c.demand = d.Kind == Event && d.Class == Learned; d.Kind == Decision {
			c.decision = d
		}
		if c.Fact = c.Text; d.Kind.prose() {
			c.Fact, c.Text, c.Heading = "", d.Text, d.Heading
		} else if want.List {
			c.Heading = d.Heading
		} else if whole, at, err := f.from(h.ref, d); err != nil {
			return nil, err
		} else if whole != nil {
			places = append(places, at)
			if c.Who, c.Text, c.Lines, c.Heading = whole.Who, whole.Text, whole.Lines, whole.Heading; d.Kind == Link {
				c.Fact = ""
			}
		}
	}
	if c.Kind, c.At = kindNames[d.Kind], d.Lines; d.Kind == Link && d.Class != Nothing || d.Class == Failed {
		c.Kind = d.Class.String()
	}
	if !d.Kind.prose() {
		c.Record = d.ID
	}
	if c.says = c.Text; !want.List {
		c.says = noDigits(c.Text)
	}
	f.has(c, places)
	c.demand = c.demand || c.Who == APerson
	return c, nil
}

func (x *Index) countsAs(episode string) string {
	if x.CountsAs == nil {
		return episode
	}
	return x.CountsAs(episode)
}

// asked is what a question of a reader is about, and where: a fact, or the passage on its lines.
func (f *found) asked(r ref, question *Document) (*Document, ref, error) {
	if question.ID == "" {
		return f.from(r, question)
	}
	return f.in(r, func(d *Document) bool { return d.ID == question.ID && d.Kind != Asked })
}

// from is the passage that a fact is from, and where; nil if none is known.
func (f *found) from(r ref, fact *Document) (*Document, ref, error) {
	if fact.Lines[0] == 0 {
		return nil, r, nil
	}
	return f.in(r, func(d *Document) bool {
		return d.Kind.prose() && overlap(d.Lines, fact.Lines) && (fact.Kind != Link || d.Lines[1] >= fact.Lines[1])
	})
}

// in is the first document of a session for which is returns true, or nil.
func (f *found) in(r ref, is func(*Document) bool) (*Document, ref, error) {
	s := f.x.Segments[r.segment]
	for doc := s.first(r.doc); doc < s.docs && s.session(doc) == s.session(r.doc); doc++ {
		if d, err := s.document(doc); err != nil || d != nil && is(d) {
			return d, ref{r.segment, doc}, err
		}
	}
	return nil, r, nil
}

// has notes which words of the question some documents have.
func (f *found) has(c *Cited, places []ref) {
	all, key, n, unknown := 0.0, 0.0, 0.0, 0.0
	for i := range f.matches {
		m := &f.matches[i]
		in, ofKey := slices.ContainsFunc(places, m.in), slices.Contains(f.q.Key, m.term)
		c.words = append(c.words, in)
		if f.q.Weights[m.term] < evidenceWeight {
			continue
		}
		if n++; m.logs == 0 {
			unknown++
		}
		if ofKey && m.logs > 0 {
			key += m.info
		}
		if all += m.info; !in {
			continue
		}
		c.shared++
		if m.logs <= rareLogs {
			c.rare++
		}
		if c.info += m.info; m.logs <= rareLogs || 2*m.logs <= f.x.count {
			c.Telling++
		}
		if ofKey {
			c.key, c.keyTerms = c.key+m.info, c.keyTerms+1
		}
	}
	c.Share, c.key, c.unknown = c.info/max(all, 1e-9), c.key/max(key, 1e-9), unknown/max(n, 1)
}

// follows reports whether a passage is of a later session than another one.
func (c *Cited) follows(o *Cited) bool {
	return (c.Date > o.Date || c.Date == o.Date && episode.Follows(c.name, o.name)) && c.session != o.session
}

// undoneBy reports whether another passage is a later decision against that of this one.
func (c *Cited) undoneBy(o *Cited) bool {
	return c.Date != "" && c.decision != nil && o.decision != nil && o.follows(c) && o.decision.undoes(c.decision)
}

// newer is what a later session says otherwise: a decision that undoes this one, else the best passage that has all of the
// question's words that c has; nil if there is none.
func newer(c *Cited, all []Cited) *Cited {
	if known, _ := c.Known(); !known || c.Date == "" {
		return nil
	}
	at := slices.IndexFunc(all, func(o Cited) bool { return c.undoneBy(&o) })
	if at < 0 {
		at = slices.IndexFunc(all, func(o Cited) bool {
			if !o.follows(c) || c.shared < leastLater && o.Left() == "" {
				return false
			}
			for n, in := range c.words {
				if in && !o.words[n] {
					return false
				}
			}
			return true
		})
	}
	if at < 0 {
		return nil
	}
	return &all[at]
}

// A passage answers if it shares leastTelling such words with the question, or most of what it says, and is sure if it has a fifth of
// that. Of 50 questions to memories that know nothing of them 8 were sure, of the 14 whose answer is among the first three 11.
const (
	rareLogs     = 2
	leastTelling = 2
	leastLater   = 3 // with fewer, what is newer is about something else
	mostOfIt     = 0.5
	sureShare    = 0.2
)

// Known reports whether a passage says something about the question, and whether that is sure.
func (c *Cited) Known() (known, sure bool) {
	known = c.Telling >= leastTelling || c.Share >= mostOfIt
	return known, known && c.Share >= sureShare
}
