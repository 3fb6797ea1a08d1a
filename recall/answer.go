package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/plain"
)

// Budget is the default size limit of an answer in bytes: 180 tokens of four bytes.
const Budget = 180 * 4

// Answer is the answer to a question.
type Answer struct {
	Statements []Statement // best first
	Sessions   int         // sessions that confirm it, copies counted once
	Days       int         // days on which they began; 0 if a date is missing
	Last       string      // date of the newest of them
	Authors    string      // how many of them are by whom; "" if all are by one author
	Weak       bool        // the answer did not pass the gate, see Closest
	Spans      bool        // Text prints the last line of each place, too

	confirming []*Place // one place of each session that confirms it
	places     []*Place // that it is made from
	echoes     []string // sessions that only repeat the words of one of those
}

// Statement is a part of an answer that is quoted from one place of a log.
type Statement struct {
	Quotes  []Quote // at least one; the first by the question's words
	Episode string
	Log     string
	Lines   episode.Span
	Private bool   // set by the caller: the episode is not shared
	Project string // set by the caller: the project of the episode, or ""
	By      string // set by the caller: who brought the episode, in few words, or ""
	Doubt   string // set by the caller: why its log does not bear it out, or ""

	place *Place
	state State // of its fix
}

// Quote is a quotation from a log.
type Quote struct {
	Class Class
	Text  string
	Line  int // where it begins; 0: unknown
	// For a fix of an error seen in several sessions: the number of sessions in which it
	// held, and of later sessions that saw the error again.
	Held, Again int
	Like        bool   // of an error about something else of the same kind
	Risk        string // the remark on a command that it has; see MarkRisks
	Vouched     bool   // the user or two sessions say it, or there is no such command
}

// Class returns the class of the first quotation.
func (s *Statement) Class() Class { return s.Quotes[0].Class }

// Advise answers a question. It returns nil if the evidence does not pass the gate, and
// ErrDamaged if a segment cannot be read.
func (x *Index) Advise(q *Question) (*Answer, error) { return x.answer(q, false) }

// Closest is Advise without the gate; an answer that does not pass it is marked Weak. It returns
// nil if nothing that gives advice shares a word with the question.
func (x *Index) Closest(q *Question) (*Answer, error) { return x.answer(q, true) }

func (x *Index) answer(q *Question, always bool) (*Answer, error) {
	f, err := x.search(q, nil, mostDocs, false)
	if err != nil {
		return nil, err
	}
	places, err := f.places(mostPlaces)
	if err != nil {
		return nil, err
	}
	fixes, failed := q.direct(places)
	weak := len(fixes) == 0 && (len(places) == 0 || !places[0].Signs.passes(q))
	if weak {
		g, led, err := x.fromAsked(q)
		switch {
		case err != nil:
			return nil, err
		case led != nil:
			f, places, weak = g, led, false
			f.aim(places[0])
		case !always || len(places) == 0:
			return nil, nil
		}
	}
	if err := f.complete(places); err != nil {
		return nil, err
	}
	a := &Answer{}
	if len(fixes) > 0 {
		places = slices.Insert(slices.DeleteFunc(slices.Clone(places),
			func(p *Place) bool { return p == fixes[0].place }), 0, fixes[0].place)
		a.gather(q, places)
		a.fixes(q, fixes, failed)
	} else if a = compose(q, places); a == nil {
		return nil, nil
	}
	a.Weak = weak
	a.setStates(x)
	return a, nil
}

// mostPlaces is the largest number of places that an answer is made from.
const mostPlaces = 10

// shares are the bytes of the budget for each of the best places.
var shares = [...]int{330, 90, 60}

// shareEcho is the number of bytes for the best place if it repeats the question.
const shareEcho = 90

// shareAfter is the number of bytes for what follows the best place.
const shareAfter = 200

// quotedShare is the share of the best place's words that another place needs to be quoted.
const quotedShare = 0.5

// compose builds an answer from places, best first.
func compose(q *Question, places []*Place) *Answer {
	a := &Answer{}
	a.gather(q, places)
	held := q.held(places)
	if at := slices.Index(places, held); at > 1 {
		places = slices.Insert(slices.Delete(slices.Clone(places), at, at+1), 1, held)
	}
	spare := 0
	for i, p := range places[:min(len(shares), len(places))] {
		if p != held && !p.adds(places[:i], places[0]) {
			continue
		}
		first, more := shares[i], 0
		if i == 0 {
			if more = shareAfter; p.repeats { // what follows says more
				first, more = shareEcho, more+first-shareEcho
			}
		}
		quote, lines := p.quote(q, first+spare, more)
		if d := a.best(q, p, shares[i]+spare); d != nil && i > 0 { // the first place is quoted in its own words
			quote = Quote{Class: d.Class, Text: q.render(d, shares[i]+spare), Line: d.Lines[0]}
			lines = episode.Span{min(p.Lines[0], d.Lines[0]), max(p.Lines[1], d.Lines[1])}
		} else if quote.Text == "" || a.holds(p, quote.Text) {
			continue
		}
		if i == 0 && q.Want != AChoice && quote.Class == Nothing && announces(quote.Text) {
			quote.Class = Fix
		}
		spare = max(0, first+more+spare-len(quote.Text))
		a.add(p, lines, quote)
		if i == 0 && spare >= shortest {
			used := a.fact(q, p, spare)
			if used == 0 && p.repeats && !p.cued() { // only the error
				return nil
			}
			spare = max(0, spare-used)
		}
	}
	if q.Want == AnError {
		a.count()
	}
	return a
}

// adds reports whether a place is worth a quotation after others. A third one has to agree with the
// best, or to hold the key line itself.
func (p *Place) adds(before []*Place, best *Place) bool {
	if p.words < quotedShare*best.words || slices.ContainsFunc(before, p.echoes) {
		return false
	}
	return len(before) < 2 || p.same || p.near(best) || p.keyShare >= halfKeyShare
}

// longestEvidence is the largest number of lines that one statement quotes from.
const longestEvidence = 40

// add appends a quotation to the last statement if that is of the same place and near, and
// otherwise as a new statement.
func (a *Answer) add(p *Place, lines episode.Span, quote Quote) {
	if n := len(a.Statements); n > 0 {
		last := &a.Statements[n-1]
		joint := episode.Span{min(last.Lines[0], lines[0]), max(last.Lines[1], lines[1])}
		if last.place == p && joint[1]-joint[0] <= longestEvidence {
			last.Quotes, last.Lines = append(last.Quotes, quote), joint
			return
		}
	}
	a.Statements = append(a.Statements,
		Statement{Quotes: []Quote{quote}, Episode: p.Session.Episode, Log: p.Session.Log, Lines: lines, place: p})
}

// worthNear is the value of a fact near the best place, in addition to the share of its
// words that the question has; perLine is subtracted for each line between.
var worthNear = map[Class]float64{Fix: 0.6, Learned: 0.6, Cause: 0.6, Choice: 0.3}

const perLine = 0.02

// fact adds the best fact near a place, and returns its length in bytes.
func (a *Answer) fact(q *Question, p *Place, most int) int {
	d := a.best(q, p, most)
	if d == nil {
		return 0
	}
	text := q.render(d, most)
	a.add(p, d.Lines, Quote{Class: d.Class, Text: text, Line: d.Lines[0]})
	return len(text)
}

// best returns the best fact near a place that is not quoted yet, or nil.
func (a *Answer) best(q *Question, p *Place, most int) (best *Document) {
	top := math.Inf(-1)
	for _, d := range p.Facts {
		if text := q.render(d, most); !p.sameSection(q, d) || q.ledTo(d) || a.holds(p, text) || d.Class == Fix && hollow().MatchString(text) {
			continue
		}
		words := 0.0
		terms(d.Text, true, func(t term) {
			if q.Weights[t.text] >= evidenceWeight {
				words++
			}
		})
		if words == 0 && q.Want == AnError && d.Class == Fix { // fixes another error
			continue
		}
		v := words/float64(2+len(strings.Fields(d.Text))) + worthNear[d.Class] - perLine*float64(max(0, d.Lines[0]-p.Lines[1]))
		if v > top {
			best, top = d, v
		}
	}
	return best
}

// holds reports whether the answer quotes the text of a place already; what was superseded differs
// from what holds now by a word.
func (a *Answer) holds(p *Place, text string) bool {
	return slices.ContainsFunc(a.Statements, func(s Statement) bool {
		return (s.place.session == p.session || p.superseded() == "") && holds(s.Text(), text)
	})
}

// holds reports whether text contains 80 % of the words of t, or t as a whole if it has
// fewer than four words.
func holds(text, t string) bool {
	t = strings.TrimSuffix(t, "…")
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

// class returns the class of advice of a place that is most useful for a question.
func (p *Place) class(q *Question) Class {
	return p.classIf(q, func(*Document) bool { return true })
}

func (p *Place) classIf(q *Question, is func(*Document) bool) Class {
	order := []Class{Fix, Cause, Learned, Choice, Failed}
	if q.Want != AnError {
		order = []Class{Choice, Learned, Fix, Cause, Failed}
	}
	for _, class := range order {
		if slices.ContainsFunc(p.Docs, func(d *Document) bool { return d.Class == class && !q.ledTo(d) && is(d) }) {
			return class
		}
	}
	return Nothing
}

// ledTo reports whether a fact states a consequence of the question's error, which does not
// explain the error.
func (q *Question) ledTo(d *Document) bool {
	if q.Want != AnError || d.Kind != Link || d.Class != Cause {
		return false
	}
	from, _, _ := strings.Cut(d.Text, "\n")
	return q.shows(plain.Words(from))
}

// quotes reports whether a text contains a part of a fact that is neither in the question
// nor, unless the fact is a cause, just an error of the place.
func (q *Question) quotes(text string, d *Document, p *Place) bool {
	for part := range strings.Lines(d.Text) {
		if part = plain.Words(part); part != "" && !q.shows(part) && holds(text, part) && (d.Class == Cause || !p.errs(part)) {
			return true
		}
	}
	return false
}

// errs reports whether a text is that of an error of the place.
func (p *Place) errs(text string) bool {
	return slices.ContainsFunc(p.Docs, func(d *Document) bool { return d.Kind == Error && plain.Words(d.Text) == text })
}

var (
	// dump matches the values that a program printed of a record, and message an error among them.
	dump    = lazy.Pattern(`\b[A-Z]\w+ \{ \w+: .*`)
	message = lazy.Pattern(`\b(?:error|fatal|panic): [^\\"{}]+`)
)

// render renders a fact on one line of at most most bytes. Of a fix of the question's error
// only the fix is rendered, and a long link is shortened mainly at its source.
func (q *Question) render(d *Document, most int) string {
	line := d.lineWithout(func(part string) bool { return q.Want == AnError && d.Class != Nothing && q.shows(part) })
	if d.Kind == Link {
		line = dump().ReplaceAllStringFunc(line, func(values string) string { return cmp.Or(message().FindString(values), "…") })
	}
	from, to, found := strings.Cut(line, " → ")
	switch {
	case d.Kind != Link || !found:
	case q.Want == AnError && d.Class == Fix && q.shows(from):
		line = to
	case q.Want == AnError && d.Class == Fix && q.shows(to):
		line = from
	case len(line) > most:
		line = cut(from, most/3) + " → " + to
	}
	return cut(line, most)
}

// shows reports whether the question's key line contains an error message, ignoring the
// program named in front of it.
func (q *Question) shows(failure string) bool {
	_, message, found := strings.Cut(failure, ": ")
	return found && holds(q.KeyLine, message) || !found && holds(q.KeyLine, failure)
}

// quote quotes a place in at most most bytes, and returns the lines of the quotation: the
// best sentences of the log, or else the facts. For more see excerpt.
func (p *Place) quote(q *Question, most, more int) (Quote, episode.Span) {
	for _, d := range p.Docs {
		if d.Kind.prose() {
			text, lines := excerpt(q, d, p, most, more)
			line := lines[0]
			if p.Lines[0] <= lines[0] && lines[1] <= p.Lines[1] {
				lines = p.Lines
			}
			class := p.classIf(q, func(d *Document) bool { return q.quotes(text, d, p) })
			return Quote{Class: class, Text: text, Line: line}, lines
		}
	}
	docs := slices.Clone(p.Docs)
	slices.SortStableFunc(docs, func(a, b *Document) int { return int(min(b.Class, 1)) - int(min(a.Class, 1)) })
	var parts []string
	size := 0
	for _, d := range docs {
		t := q.render(d, most)
		if slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(s, t) }) {
			continue
		}
		if size > 0 && size+len(t) > most {
			break
		}
		parts = append(parts, t)
		size += len(t) + 3
	}
	return Quote{Class: p.class(q), Text: cut(strings.Join(parts, " / "), most), Line: docs[0].Lines[0]}, p.Lines
}
