package analyze

import (
	"math"

	"episodes/stats"
)

// MinPairs is how many tasks two arms must decide differently before a verdict
// is given: with fewer the exact sign test cannot reach 0.05 (2/2⁵ = 0.0625).
const MinPairs = 6

// alpha is the level below which a difference is claimed; level is that of every
// interval.
const (
	alpha = 0.05
	level = 0.95
)

// SignTest returns the two-sided p-value of the exact sign test: the probability of a
// split at least as uneven when each of the onlyA+onlyB discordant tasks falls to either
// arm with probability ½. 1 when there are none.
//
// Source: Dixon and Mood 1946, J. Am. Stat. Assoc. 41:557; for paired outcomes of
// yes or no it is McNemar's exact test.
func SignTest(onlyA, onlyB int) float64 {
	n, low := onlyA+onlyB, min(onlyA, onlyB)
	if n == 0 {
		return 1
	}
	// P(X ≤ low) for a fair coin is the regularised incomplete beta function at ½.
	tail := stats.Beta{A: float64(n - low), B: float64(low + 1)}.CDF(0.5)
	return math.Min(1, 2*tail)
}

// PairedDifference returns an interval for the difference of the two arms' rates
// of solved tasks, a minus b, from n tasks of which onlyA and onlyB were solved by
// one arm alone.
//
// Source: Bonett and Price 2012, J. Educ. Behav. Stat. 37:479, adjusted Wald
// interval for paired proportions.
func PairedDifference(onlyA, onlyB, n int) stats.Interval {
	m := float64(n) + 2
	pa, pb := (float64(onlyA)+1)/m, (float64(onlyB)+1)/m
	d := pa - pb
	const z = 1.959963984540054 // normal quantile of 0.975
	half := z * math.Sqrt((pa+pb-d*d)/m)
	return stats.Interval{Low: math.Max(-1, d-half), High: math.Min(1, d+half)}
}

// Pair is the comparison of two arms after one trial, over the tasks that both
// tried.
type Pair struct {
	A          string   `json:"a"`
	B          string   `json:"b"`
	Trial      int      `json:"trial"`
	Tasks      int      `json:"tasks"`
	Both       int      `json:"both"`
	OnlyA      int      `json:"only_a"`
	OnlyB      int      `json:"only_b"`
	PValue     float64  `json:"p_value"`
	Difference *float64 `json:"difference"` // of the rates of solved tasks, a less b; null below MinPairs
	Low        *float64 `json:"low"`
	High       *float64 `json:"high"`
	Verdict    string   `json:"verdict"` // a, b, no_difference or not_enough_evidence
}

// The verdicts of a pair.
const (
	VerdictA         = "a"
	VerdictB         = "b"
	VerdictNone      = "no_difference" // not shown by these tasks
	VerdictTooFew    = "not_enough_evidence"
	neverSolved      = math.MaxInt
	minCorrelated    = 10 // points below which no correlation is given
	minLearningLoops = 5
)

// MinLoops is how many loops a mean learning rate needs for its interval.
const MinLoops = minLearningLoops

// comparePairs compares two arms after every trial that both have.
func comparePairs(a, b *arm) []Pair {
	var shared [][2]int // first trial solved in a and in b, by task
	for name, ta := range a.byName {
		tb, ok := b.byName[name]
		if ok && ta != nil && tb != nil {
			shared = append(shared, [2]int{ta.solvedAt, tb.solvedAt})
		}
	}
	out := []Pair{}
	if len(shared) == 0 {
		return out
	}
	for trial := 0; trial <= min(a.last, b.last); trial++ {
		p := Pair{A: a.name, B: b.name, Trial: trial, Tasks: len(shared)}
		for _, s := range shared {
			sa, sb := s[0] <= trial, s[1] <= trial
			switch {
			case sa && sb:
				p.Both++
			case sa:
				p.OnlyA++
			case sb:
				p.OnlyB++
			}
		}
		out = append(out, p.judged())
	}
	return out
}

func (p Pair) judged() Pair {
	p.PValue = SignTest(p.OnlyA, p.OnlyB)
	p.Verdict = VerdictTooFew
	if p.OnlyA+p.OnlyB < MinPairs {
		return p
	}
	i := PairedDifference(p.OnlyA, p.OnlyB, p.Tasks)
	d := float64(p.OnlyA-p.OnlyB) / float64(p.Tasks)
	p.Difference, p.Low, p.High = &d, &i.Low, &i.High
	switch {
	case p.PValue >= alpha:
		p.Verdict = VerdictNone
	case p.OnlyA > p.OnlyB:
		p.Verdict = VerdictA
	default:
		p.Verdict = VerdictB
	}
	return p
}
