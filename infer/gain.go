package infer

import "math"

// gainOn is the expected gain of an option on the others in the proportions in which they
// were chosen in like sessions.
func (m *model) gainOn(option int, c context, penalty [groups]float64) float64 {
	return m.average(m.against(option, c, m.matching(c)), penalty).mean
}

// against are the terms of gainOn over some cells.
func (m *model) against(option int, c context, mix []weighted) []term {
	all := terms(mix, option, 1)
	n, of := map[int]int{}, 0
	for _, t := range m.trials {
		if (c.fits(t) || c.task == unknownTask && c.agrees(t)) && t.option != option {
			n[t.option]++
			of++
		}
	}
	for _, x := range m.options {
		if n[x] > 0 {
			all = append(all, terms(mix, x, -float64(n[x])/float64(of))...)
		}
	}
	return all
}

// better is the probability that an option is better than the others in a context.
func (m *model) better(option int, c context, penalty [groups]float64) float64 {
	x := m.average(m.against(option, c, m.matching(c)), penalty)
	return .5 * math.Erfc(-x.mean/math.Sqrt(2*(x.variance+x.hidden)))
}
