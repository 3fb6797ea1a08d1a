package analyze

import (
	"math"

	"gonum.org/v1/gonum/stat"

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

// margin is the difference below which arms count as alike.
const margin = 0.05

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
	ds := make([]float64, n)
	for i := range onlyA + onlyB {
		if ds[i] = 1; i >= onlyA {
			ds[i] = -1
		}
	}
	return MeanDifference(ds)
}

// MeanDifference returns an interval for the mean of paired differences of shares, each -1
// to 1: Wald's, after one task more was added for either side. Of differences of yes and no
// it is PairedDifference; between them it is wider than needed where all differ alike.
func MeanDifference(ds []float64) stats.Interval {
	all := append([]float64{1, -1}, ds...)
	mean, variance := stat.PopMeanVariance(all, nil)
	const z = 1.959963984540054 // normal quantile of 0.975
	half := z * math.Sqrt(variance/float64(len(all)))
	return stats.Interval{Low: math.Max(-1, mean-half), High: math.Min(1, mean+half)}
}

// Pair is the comparison of two arms after one trial, over the tasks that both
// tried. A loop that had ended by then counts as it ended.
type Pair struct {
	A          string   `json:"a"`
	B          string   `json:"b"`
	Trial      int      `json:"trial"`
	Tasks      int      `json:"tasks"`
	Both       int      `json:"both"`
	OnlyA      int      `json:"only_a"`
	OnlyB      int      `json:"only_b"`
	PValue     float64  `json:"p_value"`
	Difference *float64 `json:"difference"` // of the rates of solved tasks, a less b
	Low        *float64 `json:"low"`        // 95 % interval
	High       *float64 `json:"high"`
	Verdict    string   `json:"verdict"` // a, b, below_5_points, no_difference or not_enough_evidence
}

// The verdicts of a comparison.
const (
	VerdictA      = "a"
	VerdictB      = "b"
	VerdictSmall  = "below_5_points" // any difference is
	VerdictNone   = "no_difference"  // not shown by these tasks
	VerdictTooFew = "not_enough_evidence"
	neverSolved   = math.MaxInt
	minCorrelated = 10 // points below which no correlation is given
)

// MinLoops is how many loops a mean learning rate needs for its interval.
const MinLoops = 5

// sharedTask is a task of both arms.
type sharedTask struct{ a, b *task }

func sharedTasks(a, b *arm) (out []sharedTask) {
	for _, ta := range a.tasks {
		if tb := b.byName[ta.name]; a.byName[ta.name] == ta && tb != nil {
			out = append(out, sharedTask{ta, tb})
		}
	}
	return out
}

// comparePairs compares two arms after every trial, to the last one of either.
//
// Many looks at the same tasks would find a difference sooner or later. So they are tested
// in a fixed order, the last trial first, and one after an earlier trial is claimed only
// where it is after all later ones too: then the chance of any false claim stays at alpha
// (Maurer, Hothorn and Lehmacher 1995, fixed sequences).
func comparePairs(a, b *arm, shared []sharedTask) []Pair {
	out := []Pair{}
	if len(shared) == 0 {
		return out
	}
	for trial := 0; trial <= max(a.last, b.last); trial++ {
		p := Pair{A: a.name, B: b.name, Trial: trial, Tasks: len(shared)}
		for _, s := range shared {
			sa, sb := s.a.solvedAt <= trial, s.b.solvedAt <= trial
			switch {
			case sa && sb:
				p.Both++
			case sa:
				p.OnlyA++
			case sb:
				p.OnlyB++
			}
		}
		p.PValue = SignTest(p.OnlyA, p.OnlyB)
		d, i := float64(p.OnlyA-p.OnlyB)/float64(p.Tasks), PairedDifference(p.OnlyA, p.OnlyB, p.Tasks)
		p.Difference, p.Low, p.High = &d, &i.Low, &i.High
		out = append(out, p)
	}
	claimable := true
	for i := len(out) - 1; i >= 0; i-- {
		p := &out[i]
		claimable = claimable && p.PValue < alpha
		p.Verdict = verdict(claimable, *p.Difference, stats.Interval{Low: *p.Low, High: *p.High}, p.OnlyA+p.OnlyB)
	}
	return out
}

// verdict describes a difference in words, given whether it is significant and the number of
// discordant tasks.
func verdict(claimable bool, difference float64, i stats.Interval, discordant int) string {
	switch {
	case claimable && difference > 0:
		return VerdictA
	case claimable:
		return VerdictB
	case i.Within(margin):
		return VerdictSmall
	case discordant < MinPairs:
		return VerdictTooFew
	}
	return VerdictNone
}
