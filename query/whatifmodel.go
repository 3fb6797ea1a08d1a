package query

import "episodes/infer"

// Judged reports whether the verdict rests on the outcome model: it knows both options, and
// there are sessions enough for claims.
func (r *WhatIfResult) Judged() bool {
	return r.Alternative.Expected != nil && r.Actual.Expected != nil
}

// expect fills in what the outcome model expects of the options, in the situation of the
// episode asked about if there is one, and returns its comparison of the two sides; nil where
// it does not know both, or there are too few sessions for claims.
func (f *found) expect(s *infer.Study, res *WhatIfResult, actual, alternative *option, shown []*option) *infer.Comparison {
	alt, ok := f.fact(s, alternative)
	other, known := f.fact(s, actual)
	if !ok || !known || !s.Enough() {
		return nil
	}
	q := f.situation(s, alt.Point.Key)
	q.Option = alt.Option.Key
	c, ok := s.Compare(q, other.Option.Key)
	if !ok {
		return nil
	}
	res.Alternative.Expected, res.Actual.Expected = &c.Option.P, &c.Other.P
	for i, o := range shown {
		fact, _ := f.fact(s, o)
		q.Option = fact.Option.Key
		if a := s.WhatIf(q); a.Supported {
			res.Options[i].Expected = &a.P
		}
	}
	return &c
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
