package infer

import (
	"math"
	"slices"

	"episodes/stats"
)

// gainOn is the expected gain of an option on the others in the proportions in which they
// were chosen in like sessions.
func (m *model) gainOn(option int, c context, penalty [groups]float64) float64 {
	mix, _ := m.matching(c)
	return m.average(m.against(option, c, mix), penalty).mean
}

// against are the terms of gainOn over some cells.
func (m *model) against(option int, c context, mix []weighted) []term {
	all := terms(mix, option, 1)
	n, of := map[int]int{}, 0
	for _, t := range m.trials {
		if (c.fits(t) || c.task == unknownTask && c.agrees(t)) && t.option != option {
			n[m.optionAt(t.option)]++
			of++
		}
	}
	for _, x := range m.grouped() {
		if n[x] > 0 {
			all = append(all, terms(mix, x, -float64(n[x])/float64(of))...)
		}
	}
	return all
}

// better is the probability that an option is better than the others in a context.
func (m *model) better(option int, c context, penalty [groups]float64) float64 {
	mix, _ := m.matching(c)
	x := m.average(m.against(option, c, mix), penalty)
	return .5 * math.Erfc(-x.mean/math.Sqrt(2*(x.variance+x.hidden)))
}

// Hindsight bounds the probability that a session that failed would have succeeded
// with another option at a point (stats.SingleCase, with the interval limits of both
// options that make the bounds widest). ok is false when the session did not decide
// there or an option has no support.
func (s *Study) Hindsight(episode, point, option string) (b stats.Interval, ok bool) {
	p, found := s.pointOf[point]
	if !found {
		return b, false
	}
	past := s.model(p).past
	i := slices.IndexFunc(past, func(t trial) bool { return t.id == episode })
	o, known := s.optionNode(point, option)
	if i < 0 || !known {
		return b, false
	}
	took := past[i]
	c := context{task: took.task, instance: took.instance}
	mine, other := s.estimate(p, took.option, c), s.estimate(p, o, c)
	if !mine.Supported || !other.Supported {
		return b, false
	}
	// Both bounds rise with the rate of the other option. With the rate of the option
	// taken the lower bound falls and the upper one rises.
	b.Low = stats.SingleCase(mine.Interval.High, other.Interval.Low).Low
	b.High = stats.SingleCase(mine.Interval.High, other.Interval.High).High
	return b, true
}
