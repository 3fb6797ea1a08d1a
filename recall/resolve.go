package recall

// resolves is the gain in score of a place that gives advice on an error, relative to a place
// of the same log that only shows the error.
var resolves = map[Class]float64{Fix: 2, Learned: 1.4, Cause: 1, Choice: 1, Failed: 0.6}

// recurred is the factor on that gain if a later session saw the error again.
const recurred = 0.5

// resolving is the share of the best place's score that a place needs to precede it.
const resolving = 0.4

// sameMatter is the largest distance in lines between two places of one log that may concern
// the same matter: some logs hold the sessions of a month.
const sameMatter = 300

// resolve moves the place with the most useful advice on an error or a task to the front, from
// those that show the error and those near the best place in its log: an error is often quoted
// in one section and explained in another, or in a later session.
func (f *found) resolve(all []*Place) {
	if f.q.Want != AnError && f.q.Want != ATask || len(all) == 0 {
		return
	}
	full := f.q.Want == AnError && all[0].full() && all[0].advises()
	shows := func(p *Place) bool { return p.full() || !full && p.shows() || p.agrees(f.q, all[0]) }
	last := ""
	for _, p := range all {
		if shows(p) {
			last = max(last, p.Session.Date)
		}
	}
	value := func(p *Place) float64 {
		gain := resolves[p.class(f.q)]
		if p.Session.Date != "" && p.Session.Date < last {
			gain *= recurred
		}
		return p.Score * (1 + gain - f.repeated(p))
	}
	best := 0
	for i, p := range all {
		if (p.near(all[0]) || shows(p)) && p.Score >= resolving*all[0].Score && value(p) > value(all[best]) {
			best = i
		}
	}
	p := all[best]
	copy(all[1:best+1], all[:best])
	all[0] = p
}

// near reports whether two places are of one log and at most sameMatter lines apart.
func (p *Place) near(o *Place) bool {
	return p.log == o.log && p.Lines[0] <= o.Lines[1]+sameMatter && o.Lines[0] <= p.Lines[1]+sameMatter
}

// repeated returns the share of the terms of a place that the question contains.
func (f *found) repeated(p *Place) float64 {
	in, n := 0.0, 0.0
	seen := map[string]bool{}
	for _, d := range p.Docs {
		terms(d.Text, true, func(t term) {
			if !seen[t.text] {
				seen[t.text] = true
				n++
				if f.q.Weights[t.text] > 0 {
					in++
				}
			}
		})
	}
	return in / max(n, 1)
}
