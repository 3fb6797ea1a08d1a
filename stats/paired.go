package stats

import (
	"cmp"
	"math"
	"slices"
)

// maxExact is the number of differences up to which the signed-rank test is exact.
const maxExact = 300

// SignedRank returns the two-sided p-value of Wilcoxon's signed-rank test of paired
// differences: exact, given their sizes, or by the normal distribution for very many. Those of
// 0 do not count. Of differences of one size it is the exact sign test (Dixon and Mood 1946), which
// for outcomes of yes or no is McNemar's exact test.
//
// Source: Wilcoxon 1945, Biometrics Bulletin 1:80; zeros and ties as in Pratt and Gibbons 1981,
// Concepts of Nonparametric Theory, chapter 3.
func SignedRank(ds []float64) float64 {
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
		z := (float64(low) - float64(total)/2) / (math.Sqrt(squares) / 2)
		return math.Min(1, math.Erfc(-z/math.Sqrt2)) // twice the lower tail
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
	p := 0.0
	for _, c := range chance {
		p += 2 * c
	}
	return math.Min(1, p)
}

// MeanDifference returns an interval for the mean of paired differences of shares, each -1
// to 1: Wald's, after one task more was added for either side.
//
// Source: Bonett and Price 2012, J. Educ. Behav. Stat. 37:479, adjusted Wald interval for paired
// proportions.
func MeanDifference(ds []float64, level float64) Interval {
	n, sum, squares := float64(len(ds)+2), 0.0, 2.0 // with 1 and -1
	for _, d := range ds {
		sum, squares = sum+d, squares+d*d
	}
	mean := sum / n
	half := zScore(level) * math.Sqrt((squares/n-mean*mean)/n)
	return Interval{Low: math.Max(-1, mean-half), High: math.Min(1, mean+half)}
}
