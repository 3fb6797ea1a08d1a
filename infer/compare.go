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
	Better        float64        // probability that the option is the better one
	// EValue is stats.EValue of the gain, EValueLimit that of the limit of its interval
	// nearer to no gain (1 when the interval contains no gain).
	EValue, EValueLimit float64
	Within              Within
}

// Compare answers WhatIf for two options and compares them. The interval of the
// difference is narrower than the two answers suggest, since they share the context:
// its variance is that of the difference of the two averages, by the delta method.
// Answers that rest on a few random choices have independent variances instead. ok is
// false when an option has no support.
func (s *Study) Compare(q Question, other string) (c Comparison, ok bool) {
	c = Comparison{Option: s.WhatIf(q), EValue: 1, EValueLimit: 1}
	with := q.Option
	q.Option = other
	c.Other = s.WhatIf(q)
	if !c.Option.Supported || !c.Other.Supported {
		return c, false
	}
	m := s.model(s.pointOf[q.Point])
	mix, _ := m.matching(s.context(q))
	node := func(option string) int {
		n, _ := s.optionNode(q.Point, option)
		return n
	}
	x := m.average(append(terms(mix, node(with), 1), terms(mix, node(other), -1)...), s.fitted().penalty)
	v := x.variance/shrinkSize + x.hidden
	if !m.randomOnly && c.Option.Random+c.Other.Random > 0 {
		v = c.Option.variance() + c.Other.variance()
	}
	sd := math.Sqrt(v)
	none, ok := s.taskOf[""]
	if !ok {
		none = unknownTask
	}
	c.Within = m.within(node(with), node(other), s.context(q), none)
	c.Gain = c.Option.P - c.Other.P
	c.Interval = stats.Interval{Low: math.Max(-1, c.Gain-z90*sd), High: math.Min(1, c.Gain+z90*sd)}
	c.Better = .5
	if sd > 0 {
		c.Better = .5 * math.Erfc(-c.Gain/(sd*math.Sqrt2))
	}
	c.EValue = ratio(c.Other.P+c.Gain, c.Other.P)
	switch {
	case c.Interval.Low > 0:
		c.EValueLimit = ratio(c.Other.P+c.Interval.Low, c.Other.P)
	case c.Interval.High < 0:
		c.EValueLimit = ratio(c.Other.P+c.Interval.High, c.Other.P)
	}
	return c, true
}

// Within compares two options on things that were tried both ways: nothing that belongs to
// the thing itself, logged or not, can make the difference there.
type Within struct {
	Things        int // instances, and tasks of few sessions, with both
	Option, Other int // of them, those where one had the higher rate
}

func (m *model) within(option, other int, c context, noTask int) (w Within) {
	type thing struct{ task, instance int }
	both := map[thing]*stats.Table{}
	for _, t := range m.trials {
		k := thing{anyTask, t.instance}
		if t.instance == noInstance {
			k.task = t.task
			if t.task == noTask || m.taskTrials[t.task] >= kindTrials {
				continue // a kind of task is not one thing
			}
		}
		if t.option != option && t.option != other || c.unseen || !c.agrees(t) {
			continue
		}
		if both[k] == nil {
			both[k] = &stats.Table{}
		}
		count(both[k], t.option == option, t.success)
	}
	for _, t := range both {
		if t.N == 0 || t.OtherN == 0 {
			continue
		}
		w.Things++
		w.Option += stats.Indicator(t.Successes*t.OtherN > t.OtherSuccesses*t.N)
		w.Other += stats.Indicator(t.Successes*t.OtherN < t.OtherSuccesses*t.N)
	}
	return w
}

// ratio is the E-value of a ratio of two probabilities, kept finite.
func ratio(a, b float64) float64 {
	const least = .001
	return stats.EValue(math.Max(a, least) / math.Max(b, least))
}

// variance is that of the Beta distribution behind the interval.
func (a Answer) variance() float64 { return a.P * (1 - a.P) / (a.Size + 1) }
