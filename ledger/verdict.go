package ledger

import (
	"encoding/json"
	"slices"

	"episodes/stats"
)

// Silence says why a fact is no longer told; "" while it is.
type Silence string

// NeverFollowed: it was told neverFollowed times and not followed once. Harmful: after it was
// followed, the failure came back more often than where nothing was told.
const (
	NeverFollowed Silence = "never followed"
	Harmful       Silence = "harmful"
)

// Verdict is what a fact is worth to those who are told it.
type Verdict struct {
	Silence Silence `json:"silent,omitempty"`
	Weight  float64 `json:"weight"` // in the ranking, from leastWeight to mostWeight; 1: nothing is known
	// Back is the rate at which the failure comes back in the same session after the fact was
	// followed, and Untold the one where it was not told: posterior means.
	Back   float64 `json:"back"`
	Untold float64 `json:"untold"`
}

// The rules of a verdict. Figures of a simulation with them are in testdata/simulation.txt.
const (
	neverFollowed = 5    // tellings without one that was followed
	priorWeight   = 4    // observations that a prior counts for
	fewestReturns = 3    // one accident, or two, silence nothing
	harm          = 0.15 // by which the rate of returns must exceed that of the untold
	leastWeight   = 0.8
	mostWeight    = 1.2
)

// judge compares returns within the session, which unlike those in later sessions are not
// counted for the failures alone that came back. The prior of a fact is the rate of the untold:
// that of its own failures, which has the rate over all failures as its prior.
func judge(f *Figures, all Rate) Verdict {
	general := posterior(all, stats.Beta{A: 1, B: 1}).Mean()
	untold := posterior(f.UntoldHere, prior(general)).Mean()
	back := posterior(f.BackHere, prior(untold)).Mean()
	v := Verdict{Weight: min(mostWeight, max(leastWeight, 1+untold-back)), Back: back, Untold: untold}
	switch {
	case f.Followed.Of >= neverFollowed && f.Followed.Count == 0:
		v.Silence = NeverFollowed
	case f.BackHere.Count >= fewestReturns && back >= untold+harm:
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

// Summary is what hooks need of a ledger: the facts that are silent, or worth more or less
// than others.
type Summary struct {
	Format int       `json:"v"`
	Facts  []summary `json:"facts"`
}

type summary struct {
	Place
	Weight float64 `json:"w"`
	Silent bool    `json:"silent,omitempty"`
}

// mostSummed bounds the facts of a summary, and by that the time that a hook takes to read it.
const mostSummed = 500

// leastEffect is what a weight must differ from 1 to be worth a line.
const leastEffect = 0.01

// Summary is made of the facts of a report.
func (r *Report) Summary() Summary {
	s := Summary{Format: Format, Facts: []summary{}}
	for _, silent := range []bool{true, false} { // these first, since they matter most
		for _, f := range r.Facts {
			w := f.Verdict.Weight
			if is := f.Verdict.Silence != ""; is == silent && (is || w < 1-leastEffect || w > 1+leastEffect) && len(s.Facts) < mostSummed {
				s.Facts = append(s.Facts, summary{f.Place, w, is})
			}
		}
	}
	return s
}

func readSummary(data []byte) (s Summary) {
	if json.Unmarshal(data, &s) != nil || s.Format != Format {
		return Summary{}
	}
	return s
}

// Silent reports whether what stands at a place is no longer told.
func (s Summary) Silent(p Place) bool {
	return slices.ContainsFunc(s.Facts, func(f summary) bool { return f.Silent && f.overlaps(p) })
}

// Weight is what a place is worth in the ranking beside others.
func (s Summary) Weight(p Place) float64 {
	for _, f := range s.Facts {
		if f.overlaps(p) {
			return f.Weight
		}
	}
	return 1
}
