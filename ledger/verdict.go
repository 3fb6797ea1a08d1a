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
)

// judge compares returns within the same session, since later sessions are observed only for
// failures that return. The prior of a fact is the control rate of its own failures, the
// prior of which is the rate all over all failures.
func judge(f *Figures, all Rate) Verdict {
	general := posterior(all, stats.Beta{A: 1, B: 1}).Mean()
	control := posterior(f.ControlHere, prior(general)).Mean()
	back := posterior(f.BackHere, prior(control)).Mean()
	v := Verdict{Back: back, Control: control}
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

// Summary is what hooks need of a ledger: the places of the facts that are silenced.
type Summary struct {
	Facts []Place `json:"facts"`
}

// mostSummed is the largest number of facts in a summary, which bounds the time to read it.
const mostSummed = 500

// Summary returns the summary of a report.
func (r *Report) Summary() Summary {
	s := Summary{Facts: []Place{}}
	for _, f := range r.Facts {
		if f.Verdict.Silence != "" && len(s.Facts) < mostSummed {
			s.Facts = append(s.Facts, f.Place)
		}
	}
	return s
}

// Silent reports whether the fact of a place is silenced.
func (s Summary) Silent(p Place) bool { return slices.ContainsFunc(s.Facts, p.overlaps) }
