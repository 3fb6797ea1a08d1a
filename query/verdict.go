package query

import (
	"episodes/infer"
	"episodes/stats"
)

// judge returns the verdict on two sides and, unless it is NotEnoughEvidence, the effect:
// by the outcome model or, without one, by the counts.
func judge(a, b OptionStats, model *infer.Comparison) (Verdict, *Effect) {
	if min(a.Known(), b.Known()) < leastKnown {
		return NotEnoughEvidence, nil
	}
	i := stats.Newcombe(a.Successes, a.Known(), b.Successes, b.Known(), Level)
	difference := *a.Estimate - *b.Estimate
	if model != nil {
		i, difference = model.Interval, model.Gain
	}
	v := NotEnoughEvidence
	switch {
	case i.Low > 0:
		v = Better
	case i.High < 0:
		v = Worse
	case i.Within(noDifference):
		v = NoDifference
	default:
		return v, nil
	}
	return v, &Effect{Difference: difference, Low: i.Low, High: i.High}
}

// setVerdict fills in the verdict, the effect, and on which day they hang.
//
// The rule is to leave out the days that bear most on the difference, one at a time, and
// to see whether the verdict by the counts stays (see infer.Short). A silence can hang on a day too: then
// the logs of one day contradict all others, and the answer says what those show.
func (r *WhatIfResult) setVerdict(actual, alternative *option, model *infer.Comparison) {
	r.Verdict, r.Effect = judge(r.Alternative, r.Actual, model)
	if actual == nil || alternative == nil {
		return
	}
	r.Spread = spreadOfKnown(actual, alternative)
	counted, _ := judge(r.Alternative, r.Actual, nil)
	least := infer.Several
	if r.Verdict == NotEnoughEvidence {
		least = 1 // a single log that silences all others is reported
	}
	for _, day := range compareByDay(alternative, actual).MostInfluential(least) {
		a, b := alternative.tallyWithout(day), actual.tallyWithout(day)
		if infer.Short(a.Known(), alternative.tally().Known(), leastKnown) ||
			infer.Short(b.Known(), actual.tally().Known(), leastKnown) {
			continue
		}
		if v, _ := judge(alternative.statsOf(a), actual.statsOf(b), nil); v != counted && v != r.Verdict {
			lost := alternative.tally().Known() + actual.tally().Known() - a.Known() - b.Known()
			r.HangsOn = &HangsOn{Date: DateOf(day), Sessions: lost, Verdict: v}
			break
		}
	}
	r.OneDay = r.Verdict != NotEnoughEvidence && r.HangsOn != nil
}

// spreadOfKnown is the spread of the known outcomes of two options.
func spreadOfKnown(options ...*option) Spread {
	days := map[string]int{}
	for _, o := range options {
		for id, out := range o.results {
			if out.Known() {
				days[id] = o.days[id]
			}
		}
	}
	s := spreadOf(days)
	s.OneDay = false
	return s
}
