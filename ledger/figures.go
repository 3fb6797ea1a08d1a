package ledger

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Watched is how long after a failure its return in another session counts as such.
const Watched = 7 * 24 * time.Hour

// Rate is how often something happened, of how many times.
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

// Figures count tellings.
type Figures struct {
	Told     int  `json:"told"`
	Held     int  `json:"held_back"`
	Followed Rate `json:"followed"` // of those told of which that can be known
	// Back counts returns of the failure, in that session or another one within Watched: after
	// tellings that were followed, that were not, and in sessions that met it untold. Of the
	// last the session in which a failure was told first is no return, since nothing would
	// have been told without it.
	Back    Rate `json:"back_followed"`
	Ignored Rate `json:"back_not_followed"`
	Untold  Rate `json:"back_untold"`
	// BackHere and UntoldHere are Back and Untold within the session alone.
	BackHere   Rate `json:"back_followed_same_session"`
	UntoldHere Rate `json:"back_untold_same_session"`
	// Early is how many of Back are without a return, but watched for less than Watched.
	Early int `json:"watched_less"`
}

// FactFigures are those of one fact: of the tellings of places that overlap.
type FactFigures struct {
	Place
	Figures
	Verdict Verdict
}

// Report is what a ledger comes to.
type Report struct {
	All   Figures
	Kinds map[string]Figures
	Facts []FactFigures // most told first
}

// Report counts, at a time.
func (l *Ledger) Report(now time.Time) *Report {
	c := l.counting(now)
	r := &Report{All: c.figures(c.all, nil), Kinds: map[string]Figures{}}
	byKind, byFact := map[string][]*Telling{}, map[Place][]*Telling{}
	homes := homesOf(c.all)
	for _, t := range c.all {
		byKind[t.Kind] = append(byKind[t.Kind], t)
		for _, home := range homes.of(t) {
			byFact[home] = append(byFact[home], t)
		}
	}
	for kind, told := range byKind {
		r.Kinds[kind] = c.figures(told, nil)
	}
	for home, told := range byFact {
		f := FactFigures{Place: home, Figures: c.figures(told, &home)}
		f.Verdict = judge(&f.Figures, r.All.UntoldHere)
		r.Facts = append(r.Facts, f)
	}
	slices.SortFunc(r.Facts, func(a, b FactFigures) int {
		return cmp.Or(cmp.Compare(b.Told, a.Told), comparePlaces(a.Place, b.Place))
	})
	return r
}

func comparePlaces(a, b Place) int {
	return cmp.Or(strings.Compare(a.Episode, b.Episode), cmp.Compare(a.Lines[0], b.Lines[0]), cmp.Compare(a.Lines[1], b.Lines[1]))
}

// homes are the facts of places: places that overlap are of one.
type homes map[Place]Place

func homesOf(all []*Telling) homes {
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

// of are the facts of a telling, each once.
func (h homes) of(t *Telling) (out []Place) {
	for _, f := range t.Facts {
		if home := h[f.Place]; !slices.Contains(out, home) {
			out = append(out, home)
		}
	}
	return out
}

// counting is what counting needs to look up.
type counting struct {
	*Ledger
	now   time.Time
	all   []*Telling
	met   map[string][]Met     // by key, first ones first
	told  map[[2]string]bool   // sessions that were told of a failure, by session and key
	first map[string]time.Time // when a failure was told first, by key
	home  map[string]string    // the session of that
}

func (l *Ledger) counting(now time.Time) *counting {
	c := &counting{Ledger: l, now: now, met: map[string][]Met{}, told: map[[2]string]bool{}, first: map[string]time.Time{}, home: map[string]string{}}
	for _, m := range l.mets() {
		c.met[m.Key] = append(c.met[m.Key], m)
	}
	for _, t := range l.Tellings() {
		c.all = append(c.all, &t)
		if t.Held || t.Kind != KindError || t.Key == "" {
			continue
		}
		c.told[[2]string{t.Session, t.Key}] = true
		if _, ok := c.first[t.Key]; !ok {
			c.first[t.Key], c.home[t.Key] = t.Time, t.Session
		}
	}
	return c
}

// figures count tellings; of a fact only what was done with that.
func (c *counting) figures(all []*Telling, of *Place) (f Figures) {
	keys := map[string]bool{}
	for _, t := range all {
		if t.Kind == KindError && t.Key != "" {
			keys[t.Key] = true
		}
		if t.Held {
			f.Held++
			continue
		}
		f.Told++
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
			if c.told[[2]string{m.Session, key}] {
				continue
			}
			f.Untold.add(m.Times > 1 || c.later(m.Session, key, m.First, c.home[key]))
			f.UntoldHere.add(m.Times > 1)
		}
	}
	return f
}

// with is what was done with the facts of a telling, or with those of one place.
func (a After) with(t *Telling, of *Place) (did Followed) {
	for i, f := range t.Facts[:min(len(t.Facts), len(a.Followed))] {
		if of == nil || of.overlaps(f.Place) {
			did = max(did, a.Followed[i])
		}
	}
	return did
}

// later reports whether a failure came back in another session while it is watched.
func (c *counting) later(session, key string, since time.Time, but string) bool {
	if since.IsZero() {
		return false
	}
	return slices.ContainsFunc(c.met[key], func(m Met) bool {
		return m.Session != session && m.Session != but && m.First.After(since) && m.First.Sub(since) <= Watched
	})
}
