package recall

import (
	"slices"
	"strings"
	"unicode"

	"episodes/internal/plain"
)

// confirmShare is the share of the best place's score and words at which a place counts as
// another session that confirms it.
const confirmShare = 0.75

// confirmKeyShare is the share of the question's key line that such a place must hold, unless it
// shows the same error.
const confirmKeyShare = 0.5

// gather counts the sessions that confirm the best place.
func (a *Answer) gather(q *Question, places []*Place) {
	a.places = slices.Concat(places, places[0].Seen)
	speak := func(p *Place) {
		switch {
		case p.group != places[0].group, slices.ContainsFunc(a.confirming, func(o *Place) bool { return o.session == p.session }):
			return
		case slices.ContainsFunc(a.confirming, p.echoes):
			if !slices.Contains(a.echoes, p.session) {
				a.echoes = append(a.echoes, p.session)
			}
			return
		}
		a.confirming = append(a.confirming, p)
		a.Last = max(a.Last, p.Session.Date)
	}
	for i, p := range places {
		p.same = i == 0 || p.shows() || p.agrees(q, places[0])
		same := p.same || p.keyShare >= confirmKeyShare // a few shared words do not confirm it
		if same && p.Score >= confirmShare*places[0].Score && p.words >= confirmShare*places[0].words {
			speak(p)
		}
	}
	for _, p := range places[0].Seen {
		speak(p)
	}
	days := map[string]bool{}
	for _, p := range a.confirming {
		days[p.Session.Date] = true
	}
	var by []By
	for _, p := range a.confirming {
		by = append(by, p.by)
	}
	if slices.ContainsFunc(by, func(b By) bool { return b.Author != by[0].Author }) {
		a.Authors = ByAuthors(by, func(n int) string { return plain.Plural(n, "session") })
	}
	if a.Sessions = len(a.confirming); !days[""] {
		a.Days = len(days)
	}
}

// echoes reports whether the logs of two places say the same in the same words, ignoring
// numbers. Recorded sessions are never echoes, since agents do the same thing twice; a text
// that was written twice does not show that something happened twice.
func (p *Place) echoes(o *Place) bool {
	return !(p.Session.Named && o.Session.Named) && p.session != o.session && p.own() != "" && p.own() == o.own()
}

// own returns the letters of the first fact of a place that gives advice, or else of its best document.
func (p *Place) own() string {
	d := p.Docs[max(0, slices.IndexFunc(p.Docs, func(d *Document) bool { return d.Class != Nothing }))]
	return strings.Join(strings.FieldsFunc(strings.ToLower(d.Text), func(r rune) bool { return !unicode.IsLetter(r) }), " ")
}

// count sets for each fix in how many sessions it held, and in how many later
// sessions the error was seen again.
func (a *Answer) count() {
	for i := range a.Statements {
		s := &a.Statements[i]
		for j := range s.Quotes {
			fix := &s.Quotes[j]
			if fix.Class != Fix || !s.place.same {
				continue
			}
			for _, p := range a.confirming {
				switch {
				case p.group != s.place.group:
				case p.session == s.place.session || p.hasFix(fix.Text):
					fix.Held++
				case p.Session.Date > s.place.Session.Date && s.place.Session.Date != "":
					fix.Again++
				}
			}
		}
	}
}

// held returns the best place about the question with a fix that another session has, too, or nil. It is
// quoted whatever else was found: a claim with more of the question's words does not take it out of an answer.
func (q *Question) held(places []*Place) *Place {
	for _, p := range places {
		for _, d := range p.Docs {
			if d.Class != Fix || !p.same && p.keyShare < confirmKeyShare && (q.Want == AnError || p.words < quotedShare*places[0].words) {
				continue
			}
			for part := range strings.Lines(d.Text) {
				if part = plain.Words(part); len(part) >= shortest && !q.shows(part) && !p.errs(part) &&
					slices.ContainsFunc(places, func(o *Place) bool { return p.apart(o) && o.hasFix(part) }) {
					return p
				}
			}
		}
	}
	return nil
}

// apart reports whether two places are of two sessions that did not come in one commit.
func (p *Place) apart(o *Place) bool {
	return p.session != o.session && (p.by.Commit == "" || p.by.Commit != o.by.Commit)
}

// hasFix reports whether a fact of the place states the same fix.
func (p *Place) hasFix(fix string) bool {
	return slices.ContainsFunc(slices.Concat(p.Docs, p.Facts), func(d *Document) bool {
		if d.Class != Fix {
			return false
		}
		from, to, _ := strings.Cut(d.line(), " → ")
		return holds(from, fix) || to != "" && holds(to, fix)
	})
}
