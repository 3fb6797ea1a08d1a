package analyze

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

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

// maxExact is the number of differences up to which the signed-rank test is exact.
const maxExact = 300

// SignedRankTest returns the two-sided p-value of Wilcoxon's signed-rank test of paired
// differences: exact, given their sizes, or by the normal distribution for very many. Those of
// 0 do not count. Of differences of one size it is the exact sign test (Dixon and Mood 1946), which
// for outcomes of yes or no is McNemar's exact test.
//
// Source: Wilcoxon 1945, Biometrics Bulletin 1:80; zeros and ties as in Pratt and Gibbons 1981,
// Concepts of Nonparametric Theory, chapter 3.
func SignedRankTest(ds []float64) float64 {
	ds = slices.DeleteFunc(slices.Clone(ds), func(d float64) bool { return d == 0 })
	slices.SortFunc(ds, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	var ranks []int // twice the rank, since ties have the mean of theirs
	positive, total, squares := 0, 0, 0.0
	for first := 0; first < len(ds); {
		after := first
		for after < len(ds) && math.Abs(ds[after])-math.Abs(ds[first]) < 1e-9 {
			after++
		}
		for _, d := range ds[first:after] {
			rank := first + 1 + after
			ranks, total, squares = append(ranks, rank), total+rank, squares+float64(rank)*float64(rank)
			if d > 0 {
				positive += rank
			}
		}
		first = after
	}
	low := min(positive, total-positive)
	if len(ranks) > maxExact {
		return math.Min(1, 2*distuv.UnitNormal.CDF((float64(low)-float64(total)/2)/(math.Sqrt(squares)/2)))
	}
	chance := make([]float64, low+1) // of each sum up to low
	chance[0] = 1
	for _, rank := range ranks {
		for sum := low; sum >= 0; sum-- {
			if chance[sum] /= 2; sum >= rank {
				chance[sum] += chance[sum-rank] / 2
			}
		}
	}
	return math.Min(1, 2*floats.Sum(chance))
}

// MeanDifference returns an interval for the mean of paired differences of shares, each -1
// to 1: Wald's, after one task more was added for either side.
//
// Source: Bonett and Price 2012, J. Educ. Behav. Stat. 37:479, adjusted Wald interval for paired
// proportions.
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
	A          string  `json:"a"`
	B          string  `json:"b"`
	Trial      int     `json:"trial"`
	Tasks      int     `json:"tasks"`
	Both       int     `json:"both"`
	OnlyA      int     `json:"only_a"`
	OnlyB      int     `json:"only_b"`
	PValue     float64 `json:"p_value"`    // sign test
	Difference float64 `json:"difference"` // of the rates of solved tasks, a less b
	Low        float64 `json:"low"`        // 95 % interval
	High       float64 `json:"high"`
	Verdict    string  `json:"verdict"` // a, b, below_5_points, no_difference or not_enough_evidence
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

// comparePairs compares two arms after every trial of so many attempts, to the last one of
// either.
//
// Many looks at the same tasks would find a difference sooner or later. So they are tested
// in a fixed order, the last trial first, and one after an earlier trial is claimed only
// where it is after all later ones too: then the chance of any false claim stays at alpha
// (Maurer, Hothorn and Lehmacher 1995, fixed sequences).
func comparePairs(a, b *arm, shared []sharedTask, attempts int) (out []Pair) {
	for trial := range min(max(a.last, b.last)+1, attempts) {
		p := Pair{A: a.name, B: b.name, Trial: trial, Tasks: len(shared)}
		var solvedA, solvedB []float64
		for _, s := range shared {
			sa, sb := btoi(s.a.solvedAt <= trial), btoi(s.b.solvedAt <= trial)
			p.Both += sa * sb
			solvedA, solvedB = append(solvedA, float64(sa)), append(solvedB, float64(sb))
		}
		m := measure(solvedA, solvedB)
		p.OnlyA, p.OnlyB, p.PValue, p.Difference, p.Low, p.High = m.OnlyA, m.OnlyB, m.PValue, m.Difference, m.Low, m.High
		out = append(out, p)
	}
	claimable := true
	for i := len(out) - 1; i >= 0; i-- {
		p := &out[i]
		p.Verdict = verdict(claimable && p.PValue < alpha, p.OnlyA, p.OnlyB, stats.Interval{Low: p.Low, High: p.High})
		claimable = p.Verdict == VerdictA || p.Verdict == VerdictB
	}
	return out
}

// verdict describes a difference in words, given whether the sign test finds one, the tasks in
// which either arm is above the other, and the interval of the difference, which must be on the
// same side.
func verdict(claimable bool, onlyA, onlyB int, i stats.Interval) string {
	switch {
	case claimable && onlyA > onlyB && i.Low > 0:
		return VerdictA
	case claimable && onlyB > onlyA && i.High < 0:
		return VerdictB
	case i.Within(margin):
		return VerdictSmall
	case onlyA+onlyB < MinPairs:
		return VerdictTooFew
	}
	return VerdictNone
}
