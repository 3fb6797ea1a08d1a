package stats

import (
	"math"
)

// exactCells bounds the work of an exact stratified test: the number of strata
// times the summed sizes of their supports. Beyond it the normal approximation is
// as good, and the exact distribution would take too long.
const exactCells = 4000

// StratifiedMidP returns the two-sided mid-p value of the exact conditional test
// that the two rows do not differ in any stratum: given the margins of every
// table, the summed successes of the first rows are a sum of independent
// hypergeometric counts, whose distribution is their convolution. Two-sided as
// FisherMidP: the sums that are at most as probable as the one seen, less half the
// probability of that one. With one table it is FisherMidP. Range 0 to 1; 1 where
// no stratum is informative.
//
// Where the support is large the normal approximation of the same statistic
// (Cochran–Mantel–Haenszel without continuity correction) is used instead.
//
// Source: Gart 1970, Biometrika 57:471 (exact test of k 2×2 tables); Mantel and
// Haenszel 1959, J. Natl. Cancer Inst. 22:719, formula for the chi-square.
func StratifiedMidP(tables []Table) float64 {
	size, seen := 0, 0
	informative := make([]Table, 0, len(tables))
	for _, t := range tables {
		checkCounts(t.Successes, t.N)
		checkCounts(t.OtherSuccesses, t.OtherN)
		m := t.Successes + t.OtherSuccesses
		if t.N == 0 || t.OtherN == 0 || m == 0 || m == t.N+t.OtherN {
			continue
		}
		informative = append(informative, t)
		size += min(m, t.N) - max(0, m-t.OtherN)
		seen += t.Successes
	}
	if len(informative) == 0 {
		return 1
	}
	if size*len(informative) > exactCells {
		return cochranMantelHaenszel(informative)
	}
	dist, base := []float64{1}, 0
	for _, t := range informative {
		low, q := hypergeometric(t.N, t.OtherN, t.Successes+t.OtherSuccesses)
		base += low
		dist = convolve(dist, q)
	}
	return midP(dist, seen-base)
}

// convolve returns the distribution of the sum of two independent counts.
func convolve(a, b []float64) []float64 {
	out := make([]float64, len(a)+len(b)-1)
	for i, x := range a {
		if x < 1e-300 { // contributes nothing, and denormals are slow
			continue
		}
		for j, y := range b {
			out[i+j] += x * y
		}
	}
	return out
}

// cochranMantelHaenszel is the two-sided p-value of the CMH statistic, by its normal
// approximation.
func cochranMantelHaenszel(tables []Table) float64 {
	var diff, variance float64
	for _, t := range tables {
		score, information := PetoScore(t)
		diff += score
		variance += information
	}
	if variance <= 0 {
		return 1
	}
	return math.Erfc(math.Abs(diff) / math.Sqrt(2*variance))
}

// MantelHaenszel returns the difference of the rates of the two rows, first minus second, over
// all strata, each weighted by n·o/(n+o). ok is false when no stratum has both rows.
//
// Source: Greenland and Robins 1985, Biometrics 41:55.
func MantelHaenszel(tables []Table) (difference float64, ok bool) {
	rate, other, weight := Standardised(tables)
	return rate - other, weight > 0
}

// Standardised returns the rates of the two rows, both standardised to the same
// mix of strata with the Mantel–Haenszel weights n·o/(n+o), and the sum of the
// weights: the effective number of pairs. With weight 0 the rates are undefined.
//
// Source: Rothman, Greenland and Lash 2008, Modern Epidemiology, 3rd ed., ch. 15.
func Standardised(tables []Table) (rate, other, weight float64) {
	for _, t := range tables {
		if t.N == 0 || t.OtherN == 0 {
			continue
		}
		w := float64(t.N) * float64(t.OtherN) / float64(t.N+t.OtherN)
		weight += w
		rate += w * float64(t.Successes) / float64(t.N)
		other += w * float64(t.OtherSuccesses) / float64(t.OtherN)
	}
	if weight == 0 {
		return 0, 0, 0
	}
	return rate / weight, other / weight, weight
}

// Sum adds the strata up to one table.
func Sum(tables []Table) (t Table) {
	for _, x := range tables {
		t.Successes += x.Successes
		t.N += x.N
		t.OtherSuccesses += x.OtherSuccesses
		t.OtherN += x.OtherN
	}
	return t
}

// PetoScore returns the efficient score of the log odds ratio of a table at no
// difference between the rows, given the margins, and its information: the
// successes of the first row less those expected, and their hypergeometric
// variance. score/information estimates the log odds ratio, with variance
// 1/information.
//
// Source: Yusuf, Peto, Lewis, Collins and Sleight 1985, Prog. Cardiovasc. Dis.
// 27:335, statistical appendix ("O - E" and its variance).
func PetoScore(t Table) (score, information float64) {
	n, o, m := float64(t.N), float64(t.OtherN), float64(t.Successes+t.OtherSuccesses)
	all := n + o
	if all < 2 {
		return 0, 0
	}
	return float64(t.Successes) - n*m/all, n * o * m * (all - m) / (all * all * (all - 1))
}
