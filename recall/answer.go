package recall

import (
	"math"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
)

// Budget is the size in bytes of the longest answer: 180 tokens of four bytes.
const Budget = 180 * 4

// Answer is what is known about a question, best first.
type Answer struct {
	Statements []Statement
	Sessions   int    // that speak of it, copies counted once
	Days       int    // on which they began; 0 where that is not known of all
	Last       string // date of the newest of them
	Weak       bool   // not known well enough to be told unasked
	Spans      bool   // Text names the last line of each place too

	speaks []*Place // one of each session that speaks of it
	echoes []string // sessions that only say it again in the words of one of those
}

// Statement is a part of an answer with the place in a log that shows it.
type Statement struct {
	Quotes  []Quote // of the place, the first one chosen by the words of the question
	Episode string
	Log     string
	Lines   episode.Span
	Private bool   // whoever made the index says that it is of this user alone
	Project string // likewise, of which of several projects it is; ""

	place *Place
}

// Quote is what a log says.
type Quote struct {
	Says Says
	Text string
	// Of what mended an error that several sessions saw: how many of them it mended, and
	// how many saw the error later.
	Mended, Again int
}

// Says is what its first quotation tells.
func (s *Statement) Says() Says { return s.Quotes[0].Says }

// Advise answers a question; nil where nothing that is known passes the gate.
func (x *Index) Advise(q *Question) (*Answer, error) { return x.answer(q, Signs.passes) }

// Closest is what comes nearest to a question, whether or not it passes the gate; nil where
// nothing that advises shares a word with it.
func (x *Index) Closest(q *Question) (*Answer, error) {
	a, err := x.answer(q, func(Signs, *Question) bool { return true })
	if a != nil {
		a.Weak = true
	}
	return a, err
}

func (x *Index) answer(q *Question, passes func(Signs, *Question) bool) (*Answer, error) {
	f, err := x.search(q, nil, looked)
	if err != nil {
		return nil, err
	}
	places, err := f.places(mostPlaces)
	if err != nil || len(places) == 0 || !passes(places[0].Signs, q) {
		return nil, err
	}
	if err := f.complete(places); err != nil {
		return nil, err
	}
	return compose(q, places), nil
}

// mostPlaces is how many places an answer can speak of.
const mostPlaces = 10

// shares are the parts of the budget that the best places get.
var shares = [...]int{330, 60, 40}

// shareAfter is the part of what follows the best place.
const shareAfter = 200

// besides is how many of the words of the best place another one has to be quoted too.
const besides = 0.5

// compose makes an answer of places.
func compose(q *Question, places []*Place) *Answer {
	a := &Answer{}
	a.gather(q, places)
	spare := 0
	for i, p := range places[:min(len(shares), len(places))] {
		if p.words < besides*places[0].words || slices.ContainsFunc(places[:i], p.echoes) {
			continue
		}
		more := 0
		if i == 0 {
			more = shareAfter
		}
		quote, lines := p.quote(q, shares[i]+spare, more)
		if d := a.best(q, p, shares[i]+spare); d != nil && i > 0 { // the first one says what it is about
			quote = Quote{Says: d.Says, Text: q.tells(d, shares[i]+spare)}
			lines = episode.Span{min(p.Lines[0], d.Lines[0]), max(p.Lines[1], d.Lines[1])}
		} else if quote.Text == "" || a.holds(p, quote.Text) {
			continue
		}
		spare = max(0, shares[i]+more+spare-len(quote.Text))
		a.add(p, lines, quote)
		if i == 0 && spare >= shortest {
			used := a.fact(q, p, spare)
			if used == 0 {
				used = a.follow(q, p, spare)
			}
			spare = max(0, spare-used)
		}
	}
	if q.Want == AnError {
		a.count()
	}
	return a
}

// longestEvidence is the number of lines up to which two quotations rest on one place.
const longestEvidence = 40

// add adds a quotation of lines of the log of a place: to the last statement, where that
// is of the same log and near.
func (a *Answer) add(p *Place, lines episode.Span, quote Quote) {
	if n := len(a.Statements); n > 0 {
		last := &a.Statements[n-1]
		joint := episode.Span{min(last.Lines[0], lines[0]), max(last.Lines[1], lines[1])}
		if last.place == p && joint[1]-joint[0] <= longestEvidence {
			last.Quotes, last.Lines = append(last.Quotes, quote), joint
			return
		}
	}
	a.Statements = append(a.Statements, Statement{Quotes: []Quote{quote}, Episode: p.Session.Episode, Log: p.Session.Log, Lines: lines, place: p})
}

// What a fact near the best place is worth by what it says, beside the share of its words
// that stand in the question, and what each line between takes off.
var worthNear = map[Says]float64{Fix: 0.6, Learned: 0.6, Cause: 0.6, Choice: 0.3}

const perLine = 0.02

// fact adds the best of the facts near a place, and returns how many bytes it has.
func (a *Answer) fact(q *Question, p *Place, most int) int {
	d := a.best(q, p, most)
	if d == nil {
		return 0
	}
	text := q.tells(d, most)
	a.add(p, d.Lines, Quote{Says: d.Says, Text: text})
	return len(text)
}

// best is the best of the facts near a place that the answer does not hold.
func (a *Answer) best(q *Question, p *Place, most int) (best *Document) {
	top := math.Inf(-1)
	for _, d := range p.Facts {
		if q.ledTo(d) || a.holds(p, q.tells(d, most)) {
			continue
		}
		words := 0.0
		terms(d.Text, true, func(t term) {
			if q.Weights[t.text] >= aside {
				words++
			}
		})
		if words == 0 && q.Want == AnError && d.Says == Fix { // of another error
			continue
		}
		v := words/float64(2+len(strings.Fields(d.Text))) + worthNear[d.Says] - perLine*float64(max(0, d.Lines[0]-p.Lines[1]))
		if v > top {
			best, top = d, v
		}
	}
	return best
}

// holds reports whether an answer quotes a text of the session of a place already.
func (a *Answer) holds(p *Place, text string) bool {
	return slices.ContainsFunc(a.Statements, func(s Statement) bool { return s.place.session == p.session && holds(s.Text(), text) })
}

// holds reports whether most words of t stand in text, or all of it where it has few.
func holds(text, t string) bool {
	words, n := strings.Fields(t), 0
	if len(words) < 4 {
		return strings.Contains(text, t)
	}
	for _, w := range words {
		if strings.Contains(text, w) {
			n++
		}
	}
	return 5*n >= 4*len(words)
}

// follow adds what stands below a place, where that says why or what to do, and returns how
// many bytes it has.
func (a *Answer) follow(q *Question, p *Place, most int) int {
	for _, d := range p.After {
		if !d.cued() {
			continue
		}
		if text, lines := excerpt(q, d, p, most, 0); cue(text) {
			a.add(p, lines, Quote{Text: text})
			return len(text)
		}
	}
	return 0
}

// says is the best that the facts of a place tell for a question.
func (p *Place) says(q *Question) Says { return p.saysWhere(q, func(*Document) bool { return true }) }

func (p *Place) saysWhere(q *Question, is func(*Document) bool) Says {
	order := []Says{Fix, Cause, Learned, Choice, Failed}
	if q.Want != AnError {
		order = []Says{Choice, Learned, Fix, Cause, Failed}
	}
	for _, says := range order {
		if slices.ContainsFunc(p.Docs, func(d *Document) bool { return d.Says == says && !q.ledTo(d) && is(d) }) {
			return says
		}
	}
	return Nothing
}

// ledTo reports whether a fact tells what the error that is asked about led to, which is
// not why it came.
func (q *Question) ledTo(d *Document) bool {
	if q.Want != AnError || d.Kind != Link || d.Says != Cause {
		return false
	}
	from, _, _ := strings.Cut(d.Text, "\n")
	return q.shows(plain.Words(from))
}

// quotes reports whether a text holds a part of a fact of the place that the question does
// not show. The error alone is not what was done about it.
func (q *Question) quotes(text string, d *Document, p *Place) bool {
	for part := range strings.Lines(d.Text) {
		if part = plain.Words(part); part != "" && !q.shows(part) && holds(text, part) && (d.Says == Cause || !p.errs(part)) {
			return true
		}
	}
	return false
}

// errs reports whether a text is an error of the place.
func (p *Place) errs(text string) bool {
	return slices.ContainsFunc(p.Docs, func(d *Document) bool { return d.Kind == Error && plain.Words(d.Text) == text })
}

// tells is a fact in one line of at most so many bytes: of what mended the very error that
// the question shows, only what mended it; of what led to what, more of what it led to.
func (q *Question) tells(d *Document, most int) string {
	line := d.lineWithout(func(part string) bool { return q.Want == AnError && d.Says != Nothing && q.shows(part) })
	from, to, found := strings.Cut(line, " → ")
	switch {
	case d.Kind != Link || !found:
	case q.Want == AnError && d.Says == Fix && q.shows(from):
		line = to
	case q.Want == AnError && d.Says == Fix && q.shows(to):
		line = from
	case len(line) > most:
		line = cut(from, most/3) + " → " + to
	}
	return cut(line, most)
}

// shows reports whether the line of a question that tells most holds an error, which may be
// that of another program.
func (q *Question) shows(failure string) bool {
	_, message, found := strings.Cut(failure, ": ")
	return found && holds(q.Telling, message) || !found && holds(q.Telling, failure)
}

// quote is what a place says, in at most so many bytes: the sentences of the log that tell
// most about the question, or else the facts; for more see excerpt.
func (p *Place) quote(q *Question, most, more int) (Quote, episode.Span) {
	for _, d := range p.Docs {
		if d.Kind == Passage {
			text, lines := excerpt(q, d, p, most, more)
			if p.Lines[0] <= lines[0] && lines[1] <= p.Lines[1] {
				lines = p.Lines
			}
			return Quote{Says: p.saysWhere(q, func(d *Document) bool { return q.quotes(text, d, p) }), Text: text}, lines
		}
	}
	docs := slices.Clone(p.Docs)
	slices.SortStableFunc(docs, func(a, b *Document) int { return int(min(b.Says, 1)) - int(min(a.Says, 1)) })
	var parts []string
	size := 0
	for _, d := range docs {
		t := q.tells(d, most)
		if slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(s, t) }) {
			continue
		}
		if size > 0 && size+len(t) > most {
			break
		}
		parts = append(parts, t)
		size += len(t) + 3
	}
	return Quote{Says: p.says(q), Text: cut(strings.Join(parts, " / "), most)}, p.Lines
}
