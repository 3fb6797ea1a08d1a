package recall

// What a place is worth for what it says of an error, beside the place of the same log that
// shows the error itself.
var resolves = map[Says]float64{Fix: 2, Learned: 1.4, Cause: 1, Choice: 1, Failed: 0.6}

// resolving is how well a place of the same log has to fit beside the best to be told before it.
const resolving = 0.4

// resolve puts first, of the places of the log that fits an error best, the one that says
// most about it: what went wrong is often quoted in one section, and explained in another.
func (f *found) resolve(all []*Place) {
	if f.q.Want != AnError || len(all) == 0 {
		return
	}
	value := func(p *Place) float64 { return p.Score * (1 + resolves[p.says(AnError)] - f.echo(p)) }
	best := 0
	for i, p := range all {
		if p.log == all[0].log && p.Score >= resolving*all[0].Score && value(p) > value(all[best]) {
			best = i
		}
	}
	p := all[best]
	copy(all[1:best+1], all[:best])
	all[0] = p
}

// echo is the share of the terms of a place that the question has itself.
func (f *found) echo(p *Place) float64 {
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
