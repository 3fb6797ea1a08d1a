package infer

import (
	"math"

	"episodes/stats"
)

// Comparison compares an option with another one in the same context.
type Comparison struct {
	Option, Other Answer
	Gain          float64        // difference of the two probabilities
	Interval      stats.Interval // of the gain, at Level
}

// Compare answers WhatIf for two options and compares them. The interval of the
// difference is narrower than the two answers suggest, since they share the context:
// its variance is that of the difference of the two averages, by the delta method. ok is
// false when an option has no support.
func (s *Study) Compare(q Question, other string) (c Comparison, ok bool) {
	c.Option = s.WhatIf(q)
	with := q.Option
	q.Option = other
	c.Other = s.WhatIf(q)
	if !c.Option.Supported || !c.Other.Supported {
		return c, false
	}
	m := s.model(s.pointOf[q.Point])
	mix := m.matching(s.context(q))
	node := func(option string) int {
		n, _ := s.optionNode(q.Point, option)
		return n
	}
	x := m.average(append(terms(mix, node(with), 1), terms(mix, node(other), -1)...), s.fitted().penalty)
	half := z90 * math.Sqrt(x.variance/shrinkSize+x.hidden)
	c.Gain = c.Option.P - c.Other.P
	c.Interval = stats.Interval{Low: math.Max(-1, c.Gain-half), High: math.Min(1, c.Gain+half)}
	return c, true
}
