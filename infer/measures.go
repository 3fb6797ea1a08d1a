package infer

import (
	"math"

	"episodes/episode"
	"episodes/stats"
)

// Measure is an outcome of a session with more than two values.
type Measure int8

// The measures. Reward is compared by its difference, the others by their ratio.
const (
	Reward Measure = iota
	Minutes
	ToolCalls
	Tokens
	Cost
	measures
)

// String names a measure with its unit.
func (m Measure) String() string {
	return [...]string{"reward", "duration", "tool calls", "tokens", "cost"}[m]
}

// Ratio reports whether two options are compared by the ratio of the measure.
func (m Measure) Ratio() bool { return m != Reward }

// Value is the value of one measure.
type Value struct {
	_       struct{} `cbor:",toarray"`
	Measure Measure
	Value   float64
}

// valuesOf are the measures that an episode has. Of those that are compared by ratio, 0 says
// nothing.
func valuesOf(m episode.Metrics) (out []Value) {
	add := func(of Measure, x *float64) {
		if x != nil && !math.IsNaN(*x) && !math.IsInf(*x, 0) && (*x > 0 || !of.Ratio()) {
			out = append(out, Value{Measure: of, Value: *x})
		}
	}
	whole := func(n *int) *float64 {
		if n == nil {
			return nil
		}
		return new(float64(*n))
	}
	add(Reward, m.Reward)
	add(Minutes, m.DurationMinutes)
	add(ToolCalls, whole(m.ToolCalls))
	add(Tokens, whole(m.Tokens))
	add(Cost, m.CostUSD)
	return out
}

// Measured compares two options by one measure, under like conditions.
type Measured struct {
	Measure Measure
	// Difference of the means, or ratio of the geometric means: the option by the other one.
	Estimate  float64
	Interval  stats.Interval // at Level
	N, OtherN int            // sessions behind it
	Instances int            // that bear on it
}

// Measures compares two options by every measure that LeastInstances of either have: within
// the task and the likely evidence, as claims are. It adjusts for what is logged only.
func (s *Study) Measures(q Question, other string) (out []Measured) {
	p, ok := s.pointOf[q.Point]
	if !ok {
		return nil
	}
	m, c := s.model(p), s.context(q)
	first, known := s.optionNode(q.Point, q.Option)
	second, known2 := s.optionNode(q.Point, other)
	if !known || !known2 || first == second {
		return nil
	}
	for of := range measures {
		if x, ok := m.measured(of, first, second, c); ok {
			out = append(out, x)
		}
	}
	return out
}

func (m *model) measured(of Measure, first, second int, c context) (out Measured, ok bool) {
	var list []stats.Observation
	strata, seen := map[cellKey]int{}, map[bool]map[int]bool{true: {}, false: {}}
	for i, t := range m.trials {
		if t.option != first && t.option != second || c.unseen || !c.agrees(t) || m.randomOnly && !t.explore {
			continue
		}
		for _, v := range t.values {
			if v.Measure != of {
				continue
			}
			k := cellKey{task: m.stratum(t.task), seen: m.seen(t) & m.claimed()}
			if _, known := strata[k]; !known {
				strata[k] = len(strata)
			}
			o := stats.Observation{Value: v.Value, First: t.option == first, Stratum: strata[k], Cluster: t.instance}
			if of.Ratio() {
				o.Value = math.Log(v.Value)
			}
			if t.instance == noInstance {
				o.Cluster = -2 - i
			}
			seen[o.First][o.Cluster] = true
			out.N, out.OtherN = out.N+stats.Indicator(o.First), out.OtherN+stats.Indicator(!o.First)
			list = append(list, o)
		}
	}
	if min(len(seen[true]), len(seen[false])) < LeastInstances {
		return out, false
	}
	d, ok := stats.Within(list, Level)
	out.Measure, out.Estimate, out.Interval, out.Instances = of, d.Difference, d.Interval, d.Clusters
	if of.Ratio() {
		out.Estimate, out.Interval = math.Exp(d.Difference), stats.Interval{Low: math.Exp(d.Interval.Low),
			High: math.Exp(d.Interval.High)}
	}
	return out, ok
}
