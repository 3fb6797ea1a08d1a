package recall

import (
	"slices"
	"strings"
	"unicode"
)

// speaking is how good a place must be beside the best, in rank and in words of the
// question, to be counted as another session that speaks of it.
const speaking = 0.75

// alsoTold is the share of the telling line of a question that stands where another session
// speaks of it too.
const alsoTold = 0.5

// gather counts the sessions that speak of what the best place is about.
func (a *Answer) gather(q *Question, places []*Place) {
	speak := func(p *Place) {
		switch {
		case p.group != places[0].group, slices.ContainsFunc(a.speaks, func(o *Place) bool { return o.session == p.session }):
			return
		case slices.ContainsFunc(a.speaks, p.echoes):
			if !slices.Contains(a.echoes, p.session) {
				a.echoes = append(a.echoes, p.session)
			}
			return
		}
		a.speaks = append(a.speaks, p)
		a.Last = max(a.Last, p.Session.Date)
	}
	for i, p := range places {
		p.same = i == 0 || p.shows() || p.agrees(q, places[0])
		same := p.same || p.told >= alsoTold // it is spoken of where it stands, not where some of its words do
		if same && p.Score >= speaking*places[0].Score && p.words >= speaking*places[0].words {
			speak(p)
		}
	}
	for _, p := range places[0].Seen {
		speak(p)
	}
	days := map[string]bool{}
	for _, p := range a.speaks {
		days[p.Session.Date] = true
	}
	if a.Sessions = len(a.speaks); !days[""] {
		a.Days = len(days)
	}
}

// echoShare is the share of what either of two logs says by itself, that both say, at which
// one is an echo of the other. Near copies of sessions are told by the same share.
const echoShare = 0.6

// echoes reports whether the log of a place says in the words of that of another what came of
// things and what to do, but for numbers. The records of two sessions are no echoes: agents do
// the same thing twice. But of what was written down twice nobody knows that it happened twice.
func (p *Place) echoes(o *Place) bool {
	if p.Session.Named && o.Session.Named || p.session == o.session || len(p.own) == 0 {
		return false
	}
	both := 0
	for words := range p.own {
		if o.own[words] {
			both++
		}
	}
	return float64(both) >= echoShare*float64(len(p.own)+len(o.own)-both)
}

// ownOf is what the log of a place says by itself: its facts that advise, or where it has
// none, its text.
func (f *found) ownOf(p *Place) (map[string]bool, error) {
	s := f.x.Segments[p.log[0]]
	facts, text := map[string]bool{}, map[string]bool{}
	for doc := s.first(p.refs[0].doc); doc < s.docs && s.session(doc) == p.log[1]; doc++ {
		into := facts
		if s.kind(doc) == Passage && len(facts) == 0 {
			into = text
		} else if s.says(doc) == Nothing {
			continue
		}
		d, err := s.document(doc)
		if err != nil {
			return nil, err
		}
		if words := d.own(); words != "" {
			into[words] = true
		}
	}
	if len(facts) == 0 {
		return text, nil
	}
	return facts, nil
}

// own is what a document says in the words of its session, and not of an error, without
// numbers.
func (d *Document) own() string {
	text := d.Text
	switch parts := strings.Split(text, "\n"); {
	case d.Kind == Link && d.Says == Cause:
		text = parts[0]
	case d.Kind == Link:
		text = parts[len(parts)-1]
	}
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }), " ")
}

// count tells of each fix how many of the sessions that saw the error it mended, and
// whether the error was seen in a later one.
func (a *Answer) count() {
	for i := range a.Statements {
		s := &a.Statements[i]
		for j := range s.Quotes {
			fix := &s.Quotes[j]
			if fix.Says != Fix || !s.place.same {
				continue
			}
			for _, p := range a.speaks {
				switch {
				case p.group != s.place.group:
				case p.session == s.place.session || p.mended(fix.Text):
					fix.Mended++
				case p.Session.Date > s.place.Session.Date && s.place.Session.Date != "":
					fix.Again++
				}
			}
		}
	}
}

// mended reports whether a fact of a place tells of the same fix.
func (p *Place) mended(fix string) bool {
	return slices.ContainsFunc(slices.Concat(p.Docs, p.Facts), func(d *Document) bool {
		if d.Says != Fix {
			return false
		}
		from, to, _ := strings.Cut(d.line(), " → ")
		return holds(from, fix) || to != "" && holds(to, fix)
	})
}
