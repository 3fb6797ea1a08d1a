package query

import (
	"episodes/episode"
	"episodes/infer"
)

// Judged reports whether the verdict rests on the outcome model: it compares both
// options, and there are sessions enough for claims.
func (r *WhatIfResult) Judged() bool {
	return r.Model != nil && r.Model.Gain != nil && r.Model.Base.enough()
}

// enough reports whether there are sessions enough for claims, with both outcomes.
func (b Base) enough() bool {
	return b.N >= infer.LeastSessions && b.Successes > 0 && b.Successes < b.N
}

// modelOf asks the outcome model about both sides of a what-if, in the situation of
// the episode asked about if there is one.
func modelOf(s *infer.Study, f *found, actual, alternative *option) *Modelled {
	alt, ok := f.fact(s, alternative)
	if !ok {
		return nil
	}
	q := f.situation(s, alt.Point.Key)
	q.Option = alt.Option.Key
	other, known := f.fact(s, actual)
	m := Model(s, q, other.Option.Key)
	if f.own != nil && known && f.own.Outcome.Known() && f.own.Outcome != episode.Success {
		if b, ok := s.Hindsight(f.own.Episode, q.Point, q.Option); ok {
			m.Hindsight = &[2]float64{b.Low, b.High}
		}
	}
	return m
}

// situation is what was known at the decision of the episode asked about, if there
// is one.
func (f *found) situation(s *infer.Study, point string) infer.Question {
	if f.own != nil {
		if at, ok := s.Situation(f.own.Episode, point); ok {
			return at
		}
	}
	return infer.Question{Point: point}
}

// expect fills in the model's estimates of the options.
func (f *found) expect(s *infer.Study, shown []*option, list []OptionStats) {
	for i, o := range shown {
		fact, ok := f.fact(s, o)
		if !ok {
			continue
		}
		q := f.situation(s, fact.Point.Key)
		q.Option = fact.Option.Key
		if a := s.WhatIf(q); a.Supported {
			list[i].Expected = &a.P
		}
	}
}

// fact returns the statistical fact of an option.
func (f *found) fact(s *infer.Study, o *option) (infer.Fact, bool) {
	if o == nil {
		return infer.Fact{}, false
	}
	for _, u := range f.choice.uses {
		if u.ChosenKey == o.key {
			return s.FactOf(u.Node)
		}
	}
	return infer.Fact{}, false
}
