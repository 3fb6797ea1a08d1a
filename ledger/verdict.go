package ledger

import (
	"slices"

	"episodes/stats"
)

// Silence is the reason why a fact is no longer delivered; "" while it is.
type Silence string

// NeverFollowed means neverFollowed or more deliveries that were not followed. Harmful
// means that the failure returned more often after the fact was followed than in the control
// group.
const (
	NeverFollowed Silence = "never followed"
	Harmful       Silence = "harmful"
)

// Verdict is the judgement on a fact.
type Verdict struct {
	Silence Silence `json:"silent,omitempty"`
	Weight  float64 `json:"weight"` // ranking factor from leastWeight to mostWeight; 1 without evidence
	// Back and Control are the posterior means of the rate at which the failure returns in the
	// same session, after the fact was followed and in the control group.
	Back    float64 `json:"back"`
	Control float64 `json:"control"`
}

// The parameters of a verdict; testdata/simulation.txt has results of a simulation with them.
const (
	neverFollowed = 5    // deliveries that were not followed
	priorWeight   = 4    // observations that a prior is equivalent to
	fewestReturns = 3    // returns required for Harmful
	harm          = 0.15 // required excess of Back over Control
	leastWeight   = 0.8
	mostWeight    = 1.2
)

// judge compares returns within the same session, since later sessions are observed only for
// failures that return. The prior of a fact is the control rate of its own failures, the
// prior of which is the rate all over all failures.
func judge(f *Figures, all Rate) Verdict {
	general := posterior(all, stats.Beta{A: 1, B: 1}).Mean()
	control := posterior(f.ControlHere, prior(general)).Mean()
	back := posterior(f.BackHere, prior(control)).Mean()
	v := Verdict{Weight: min(mostWeight, max(leastWeight, 1+control-back)), Back: back, Control: control}
	switch {
	case f.Followed.Of >= neverFollowed && f.Followed.Count == 0:
		v.Silence = NeverFollowed
	case f.BackHere.Count >= fewestReturns && back >= control+harm:
		v.Silence = Harmful
	}
	return v
}

func prior(mean float64) stats.Beta {
	return stats.Beta{A: priorWeight * mean, B: priorWeight * (1 - mean)}
}

func posterior(r Rate, prior stats.Beta) stats.Beta {
	return stats.Beta{A: prior.A + float64(r.Count), B: prior.B + float64(r.Of-r.Count)}
}

// Summary is what hooks need of a ledger: the facts that are silenced or have a weight other
// than 1.
type Summary struct {
	Facts []summary `json:"facts"`
}

type summary struct {
	Place
	Weight float64 `json:"w"`
	Silent bool    `json:"silent,omitempty"`
}

// mostSummed is the largest number of facts in a summary, which bounds the time to read it.
const mostSummed = 500

// leastEffect is the least difference of a weight from 1 that is stored.
const leastEffect = 0.01

// Summary returns the summary of a report.
func (r *Report) Summary() Summary {
	s := Summary{Facts: []summary{}}
	for _, silent := range []bool{true, false} { // silenced facts have precedence
		for _, f := range r.Facts {
			w := f.Verdict.Weight
			if is := f.Verdict.Silence != ""; is == silent && (is || w < 1-leastEffect || w > 1+leastEffect) &&
				len(s.Facts) < mostSummed {
				s.Facts = append(s.Facts, summary{f.Place, w, is})
			}
		}
	}
	return s
}

// Silent reports whether the fact of a place is silenced.
func (s Summary) Silent(p Place) bool {
	return slices.ContainsFunc(s.Facts, func(f summary) bool { return f.Silent && f.overlaps(p) })
}

// Weight returns the ranking factor of a place, 1 if nothing is known of it.
func (s Summary) Weight(p Place) float64 {
	for _, f := range s.Facts {
		if f.overlaps(p) {
			return f.Weight
		}
	}
	return 1
}
