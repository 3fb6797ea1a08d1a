package recall

import (
	"slices"
	"strings"
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
		if slices.ContainsFunc(a.speaks, func(o *Place) bool { return o.session == p.session }) {
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
