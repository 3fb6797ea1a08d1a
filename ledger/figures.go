package ledger

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Watched is the time after a failure in which its occurrence in another session is a return.
const Watched = 7 * 24 * time.Hour

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
	Held     int  `json:"held_back"`
	Followed Rate `json:"followed"` // out of the deliveries for which it is known
	// Back counts returns of the failure, in the same session or within Watched in another:
	// after advice that was followed, after advice that was not, and in the control group.
	// For the control group, the session of the first delivery is not a return, since that
	// delivery required it.
	Back    Rate `json:"back_followed"`
	Ignored Rate `json:"back_not_followed"`
	Control Rate `json:"back_control"`
	// BackHere and ControlHere are Back and Control restricted to the same session.
	BackHere    Rate `json:"back_followed_same_session"`
	ControlHere Rate `json:"back_control_same_session"`
	// Early is the number of deliveries in Back without a return so far, for which Watched
	// has not passed yet.
	Early int `json:"watched_less"`
}

// FactFigures are the figures of one fact: of the deliveries of overlapping places.
type FactFigures struct {
	Place
	Figures
	Verdict Verdict
}

// Report has the figures of a ledger, in total and for each fact.
type Report struct {
	All   Figures
	Kinds map[string]Figures
	Facts []FactFigures // most often delivered first
	// Failures has those of deliveries about one failure, by its FailureKey.
	Failures map[string]Figures
}

// Report computes the figures as of a time.
func (l *Ledger) Report(now time.Time) *Report {
	c := l.counting(now)
	r := &Report{All: c.figures(c.all, nil), Kinds: map[string]Figures{}, Failures: map[string]Figures{}}
	byKind, byFact, byFailure := map[string][]*Delivery{}, map[Place][]*Delivery{}, map[string][]*Delivery{}
	homes := homesOf(c.all)
	for _, t := range c.all {
		byKind[t.Kind] = append(byKind[t.Kind], t)
		if t.Kind == KindError && t.Key != "" {
			byFailure[t.Key] = append(byFailure[t.Key], t)
		}
		for _, home := range homes.of(t) {
			byFact[home] = append(byFact[home], t)
		}
	}
	for kind, deliveries := range byKind {
		r.Kinds[kind] = c.figures(deliveries, nil)
	}
	for key, deliveries := range byFailure {
		r.Failures[key] = c.figures(deliveries, nil)
	}
	for home, deliveries := range byFact {
		f := FactFigures{Place: home, Figures: c.figures(deliveries, &home)}
		f.Verdict = judge(&f.Figures, r.All.ControlHere)
		r.Facts = append(r.Facts, f)
	}
	slices.SortFunc(r.Facts, func(a, b FactFigures) int {
		return cmp.Or(cmp.Compare(b.Given, a.Given), comparePlaces(a.Place, b.Place))
	})
	return r
}

func comparePlaces(a, b Place) int {
	return cmp.Or(strings.Compare(a.Episode, b.Episode), cmp.Compare(a.Lines[0], b.Lines[0]), cmp.Compare(a.Lines[1], b.Lines[1]))
}

// homes maps places to facts: overlapping places belong to one fact.
type homes map[Place]Place

func homesOf(all []*Delivery) homes {
	h := homes{}
	for _, t := range all {
		for _, f := range t.Facts {
			h[f.Place] = f.Place
		}
	}
	var home Place
	var members []Place
	settle := func() {
		for _, p := range members {
			h[p] = home
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(h), comparePlaces) {
		if home.overlaps(p) {
			home.Lines[1] = max(home.Lines[1], p.Lines[1])
			members = append(members, p)
			continue
		}
		settle()
		home, members = p, []Place{p}
	}
	settle()
	return h
}

// of returns the distinct facts of a delivery.
func (h homes) of(t *Delivery) (out []Place) {
	for _, f := range t.Facts {
		if home := h[f.Place]; !slices.Contains(out, home) {
			out = append(out, home)
		}
	}
	return out
}

// counting has the lookup tables for a report.
type counting struct {
	*Ledger
	now     time.Time
	all     []*Delivery
	met     map[string][]Met     // by key, oldest first
	advised map[[2]string]bool   // received advice on a failure, by session and key
	first   map[string]time.Time // time of the first delivery on a failure, by key
	home    map[string]string    // session of that delivery
}

func (l *Ledger) counting(now time.Time) *counting {
	c := &counting{Ledger: l, now: now, met: map[string][]Met{}, advised: map[[2]string]bool{},
		first: map[string]time.Time{}, home: map[string]string{}}
	for _, m := range l.mets() {
		c.met[m.Key] = append(c.met[m.Key], m)
	}
	for _, t := range l.Deliveries() {
		c.all = append(c.all, &t)
		if t.Held || t.Kind != KindError || t.Key == "" {
			continue
		}
		c.advised[[2]string{t.Session, t.Key}] = true
		if _, ok := c.first[t.Key]; !ok {
			c.first[t.Key], c.home[t.Key] = t.Time, t.Session
		}
	}
	return c
}

// figures counts deliveries. If of is not nil, only that fact of each is considered.
func (c *counting) figures(all []*Delivery, of *Place) (f Figures) {
	keys := map[string]bool{}
	for _, t := range all {
		if t.Kind == KindError && t.Key != "" {
			keys[t.Key] = true
		}
		if t.Held {
			f.Held++
			continue
		}
		f.Given++
		a, seen := c.after[t.ID]
		did := a.with(t, of)
		if did == NotKnown {
			continue
		}
		f.Followed.add(did == Did)
		if !seen || t.Kind != KindError || t.Key == "" {
			continue
		}
		back := a.Back || c.later(t.Session, t.Key, t.Time, "")
		if did == Did {
			f.Back.add(back)
			f.BackHere.add(a.Back)
			if !back && c.now.Sub(t.Time) < Watched {
				f.Early++
			}
		} else {
			f.Ignored.add(back)
		}
	}
	for key := range keys {
		for _, m := range c.met[key] {
			if c.advised[[2]string{m.Session, key}] {
				continue
			}
			f.Control.add(m.Times > 1 || c.later(m.Session, key, m.First, c.home[key]))
			f.ControlHere.add(m.Times > 1)
		}
	}
	return f
}

// with returns what was done with the facts of a delivery, or with those of one place.
func (a After) with(t *Delivery, of *Place) (did Followed) {
	for i, f := range t.Facts[:min(len(t.Facts), len(a.Followed))] {
		if of == nil || of.overlaps(f.Place) {
			did = max(did, a.Followed[i])
		}
	}
	return did
}

// later reports whether a failure returned in another session within Watched.
func (c *counting) later(session, key string, since time.Time, but string) bool {
	if since.IsZero() {
		return false
	}
	return slices.ContainsFunc(c.met[key], func(m Met) bool {
		return m.Session != session && m.Session != but && m.First.After(since) && m.First.Sub(since) <= Watched
	})
}
