package ledger

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// week is how far the figures of now go back.
const week = 7 * 24 * time.Hour

// muteAfter is how often a fact is told as a single line that is never followed.
const muteAfter = 5

// Rate is a count out of a total.
type Rate struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

func (r *Rate) add(happened bool) {
	r.Of++
	if happened {
		r.Count++
	}
}

// Figures are the counts of some deliveries.
type Figures struct {
	Given    int  `json:"given"`
	Briefs   int  `json:"briefs"` // of them; the others are single lines
	Sessions int  `json:"sessions"`
	Held     int  `json:"held_back"`
	Followed Rate `json:"followed"` // facts, out of those for which it is known
	// Back counts the failures that occurred again in the session after something was told about them, and Control those
	// about which it was held back.
	Back    Rate `json:"came_back"`
	Control Rate `json:"came_back_control,omitzero"`
}

// FactFigures are the figures of one fact.
type FactFigures struct {
	Place
	Figures
	Silent bool // it is told no more as a single line
}

// Report has the figures of a ledger: of all, of the last week, by kind and by fact.
type Report struct {
	Week, All Figures
	Kinds     map[string]Figures
	Facts     []FactFigures // most often delivered first
}

// event is a delivery with what followed, or one fact of it.
type event struct {
	*Delivery
	facts []Fact
	did   []Followed
	after After
	known bool // whether something followed
}

// Report computes the figures as of a time.
func (l *Ledger) Report(now time.Time) *Report {
	all := l.events()
	r := &Report{All: figures(all), Kinds: map[string]Figures{}}
	r.Week = figures(slices.DeleteFunc(slices.Clone(all), func(e event) bool { return now.Sub(e.Time) > week }))
	for kind, list := range grouped(all, func(e event) string { return e.Kind }) {
		r.Kinds[kind] = figures(list)
	}
	for place, list := range byFact(all) {
		r.Facts = append(r.Facts, FactFigures{place, figures(list), silent(list)})
	}
	slices.SortFunc(r.Facts, func(a, b FactFigures) int {
		return cmp.Or(cmp.Compare(b.Given, a.Given), strings.Compare(a.Episode, b.Episode), slices.Compare(a.Lines[:], b.Lines[:]))
	})
	return r
}

// silent is the one rule: it was told often as a single line, and never followed where that is known. What a person demands is
// told all the same.
func silent(list []event) bool {
	lines := slices.DeleteFunc(slices.Clone(list), func(e event) bool { return e.Kind == KindBrief })
	f := figures(lines).Followed
	return f.Of >= muteAfter && f.Count == 0 && !slices.ContainsFunc(lines, func(e event) bool { return e.facts[0].Rule })
}

func (l *Ledger) events() (out []event) {
	for _, t := range l.Deliveries() {
		after, known := l.after[t.ID]
		did := make([]Followed, len(t.Facts))
		copy(did, after.Followed)
		out = append(out, event{&t, t.Facts, did, after, known})
	}
	return out
}

func grouped[K comparable](all []event, by func(event) K) map[K][]event {
	out := map[K][]event{}
	for _, e := range all {
		out[by(e)] = append(out[by(e)], e)
	}
	return out
}

// byFact splits the deliveries into their facts.
func byFact(all []event) map[Place][]event {
	var each []event
	for _, e := range all {
		for i, f := range e.facts {
			if f.Episode != "" {
				one := e
				one.facts, one.did = e.facts[i:i+1], e.did[i:i+1]
				each = append(each, one)
			}
		}
	}
	return grouped(each, func(e event) Place { return e.facts[0].Place })
}

// figures counts deliveries.
func figures(all []event) (f Figures) {
	sessions := map[string]bool{}
	for _, e := range all {
		back := &f.Back
		if e.Held {
			f.Held++
			back = &f.Control
		}
		if e.known && e.Kind == KindError && e.Key != "" {
			back.add(e.after.Back)
		}
		if e.Held {
			continue
		}
		f.Given++
		if e.Kind == KindBrief {
			f.Briefs++
		}
		sessions[e.Session] = true
		for i, did := range e.did {
			if did != NotKnown && e.facts[i].Episode != "" {
				f.Followed.add(did == Did)
			}
		}
	}
	f.Sessions = len(sessions)
	return f
}
