package recall

import (
	"math"
	"slices"
	"strings"

	"episodes/episode"
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
}

// Statement is a part of an answer with the place in a log that shows it.
type Statement struct {
	Quotes  []Quote // of the place, the first one chosen by the words of the question
	Episode string
	Log     string
	Lines   episode.Span
	Private bool // whoever made the index says that it is of this user alone

	place *Place
}

// Quote is what a log says.
type Quote struct {
	Says Says
	Text string
}

// Says is what its first quotation tells.
func (s *Statement) Says() Says { return s.Quotes[0].Says }

// Advise answers a question; nil where nothing that is known passes the gate.
func (x *Index) Advise(q *Question) (*Answer, error) {
	places, err := x.Places(q)
	if err != nil || len(places) == 0 || !places[0].Signs.passes(q) {
		return nil, err
	}
	return x.Compose(q, places), nil
}

// Closest is what comes nearest to a question, whether or not it passes the gate; nil where
// nothing that advises shares a word with it.
func (x *Index) Closest(q *Question) (*Answer, error) {
	places, err := x.Places(q)
	if err != nil || len(places) == 0 {
		return nil, err
	}
	a := x.Compose(q, places)
	a.Weak = true
	return a, nil
}

// Places returns the places that fit a question best, best first.
func (x *Index) Places(q *Question) ([]*Place, error) {
	f, err := x.search(q, nil, looked)
	if err != nil {
		return nil, err
	}
	return f.places(10)
}

// shares are the parts of the budget that the best places get.
var shares = [...]int{330, 60, 40}

// shareAfter is the part of what follows the best place.
const shareAfter = 200

// speaking is how good a place must be beside the best, in rank and in words of the
// question, to be counted as another session that speaks of it.
const speaking = 0.75

// alsoTold is the share of the telling line of an error that stands where another session
// saw it too.
const alsoTold = 0.5

// Compose makes an answer of places.
func (x *Index) Compose(q *Question, places []*Place) *Answer {
	a := &Answer{}
	seen, days := map[string]bool{}, map[string]bool{}
	for i, p := range places {
		same := i == 0 || q.Want != AnError || p.told >= alsoTold || p.agrees(places[0]) // an error is seen where it stands, not where some of its words do
		if same && p.Score >= speaking*places[0].Score && p.words >= speaking*places[0].words {
			seen[p.session], days[p.Session.Date] = true, true
			a.Last = max(a.Last, p.Session.Date)
		}
	}
	if a.Sessions = len(seen); !days[""] {
		a.Days = len(days)
	}
	spare := 0
	for i, p := range places[:min(len(shares), len(places))] {
		quote, lines := Quote{p.says(), p.quote(q, shares[i]+spare)}, p.Lines
		if d := a.best(q, p); d != nil && i > 0 { // the first one says what it is about
			quote = Quote{d.Says, cut(q.tells(d), shares[i]+spare)}
			lines = episode.Span{min(lines[0], d.Lines[0]), max(lines[1], d.Lines[1])}
		} else if quote.Text == "" || a.holds(p, quote.Text) {
			continue
		}
		spare = max(0, shares[i]+spare-len(quote.Text))
		a.add(p, lines, quote)
		if i == 0 && !a.fact(q, p, shareAfter+spare) && !a.follow(q, p, shareAfter+spare) {
			spare += shareAfter
		}
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

// fact adds the best of the facts near a place.
func (a *Answer) fact(q *Question, p *Place, most int) bool {
	d := a.best(q, p)
	if d != nil {
		a.add(p, d.Lines, Quote{d.Says, cut(q.tells(d), most)})
	}
	return d != nil
}

// best is the best of the facts near a place that the answer does not hold.
func (a *Answer) best(q *Question, p *Place) (best *Document) {
	top := math.Inf(-1)
	for _, d := range p.Facts {
		if a.holds(p, q.tells(d)) {
			continue
		}
		words := 0.0
		terms(d.Text, true, func(t term) {
			if q.Weights[t.text] >= aside {
				words++
			}
		})
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

// follow adds what stands below a place, where that says why or what to do.
func (a *Answer) follow(q *Question, p *Place, most int) bool {
	for _, d := range p.After {
		if !d.cued() {
			continue
		}
		if text, lines := excerpt(q, d, p, most); text != "" {
			a.add(p, lines, Quote{Nothing, text})
			return true
		}
	}
	return false
}

// says is the best that the documents of a place tell.
func (p *Place) says() Says {
	best := Nothing
	for _, want := range []Says{Fix, Cause, Learned, Choice, Failed} {
		if best == Nothing && slices.ContainsFunc(p.Docs, func(d *Document) bool { return d.Says == want }) {
			best = want
		}
	}
	return best
}

// tells is a fact in one line: of what mended the very error that the question shows, only
// what mended it.
func (q *Question) tells(d *Document) string {
	line := d.line()
	if q.Want != AnError || d.Kind != Link || d.Says != Fix {
		return line
	}
	fix, failure, _ := strings.Cut(line, " → ")
	if _, message, found := strings.Cut(failure, ": "); found && holds(q.Telling, message) { // what failed may be another program
		return fix
	}
	return line
}

// quote is what a place says, in at most so many bytes: the sentences of the log that tell
// most about the question, or else the facts.
func (p *Place) quote(q *Question, most int) string {
	for _, d := range p.Docs {
		if d.Kind == Passage {
			text, _ := excerpt(q, d, p, most)
			return text
		}
	}
	docs := slices.Clone(p.Docs)
	slices.SortStableFunc(docs, func(a, b *Document) int { return int(min(b.Says, 1)) - int(min(a.Says, 1)) })
	var parts []string
	size := 0
	for _, d := range docs {
		t := q.tells(d)
		if slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(s, t) }) {
			continue
		}
		if size > 0 && size+len(t) > most {
			break
		}
		parts = append(parts, t)
		size += len(t) + 3
	}
	return cut(strings.Join(parts, " / "), most)
}
