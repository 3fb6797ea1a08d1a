package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Wilson returns the score interval for a rate after successes in n trials.
//
// It contains every rate p that a two-sided score test at the level would not
// reject: with z the normal quantile of (1+level)/2 and r = successes/n, the
// limits are (r + z²/2n ± z·sqrt(r(1-r)/n + z²/4n²)) / (1 + z²/n). At small n its
// actual coverage stays close to the nominal one, unlike that of the textbook interval
// r ± z·sqrt(r(1-r)/n).
//
// Source: Wilson 1927, J. Am. Stat. Assoc. 22:209; recommended for small n by
// Brown, Cai and DasGupta 2001, Stat. Sci. 16:101, section 3.1.1.
func Wilson(successes, n int, level float64) Interval {
	checkCounts(successes, n)
	z := zScore(level)
	if n == 0 {
		return Interval{0, 1}
	}
	r, m := float64(successes)/float64(n), float64(n)
	centre := WilsonCentre(successes, n, level)
	half := z * math.Sqrt(r*(1-r)/m+z*z/(4*m*m)) / (1 + z*z/m)
	i := Interval{math.Max(0, centre-half), math.Min(1, centre+half)}
	// The limits at the ends are exactly 0 and 1; rounding must not change that.
	if successes == 0 {
		i.Low = 0
	}
	if successes == n {
		i.High = 1
	}
	return i
}

// WilsonCentre returns the middle of the Wilson interval before it is cut to
// [0, 1]: (successes + z²/2) / (n + z²), the rate shrunk towards one half as if
// z² more trials had been seen, half of them successes. At level 0.90 that is
// 2.7 trials. With no trials it is 0.5.
//
// Source: Agresti and Coull 1998, Am. Stat. 52:119, section 2, who name it the
// weighted average of the rate and one half.
func WilsonCentre(successes, n int, level float64) float64 {
	checkCounts(successes, n)
	z := zScore(level)
	return (float64(successes) + z*z/2) / (float64(n) + z*z)
}

// Newcombe returns the interval for the difference of two rates, the first minus
// the second, in [-1, 1]. It combines the Wilson limits (l1, u1) and (l2, u2) of the
// two rates r1 and r2:
//
//	low  = r1-r2 - sqrt((r1-l1)² + (u2-r2)²)
//	high = r1-r2 + sqrt((u1-r1)² + (r2-l2)²)
//
// With no trials on either side it is [-1, 1].
//
// Source: Newcombe 1998, Stat. Med. 17:873, method 10 (hybrid score, without
// continuity correction).
func Newcombe(successes1, n1, successes2, n2 int, level float64) Interval {
	a, b := Wilson(successes1, n1, level), Wilson(successes2, n2, level)
	if n1 == 0 || n2 == 0 {
		return Interval{-1, 1}
	}
	r1, r2 := float64(successes1)/float64(n1), float64(successes2)/float64(n2)
	return Interval{
		Low:  math.Max(-1, r1-r2-math.Hypot(r1-a.Low, b.High-r2)),
		High: math.Min(1, r1-r2+math.Hypot(a.High-r1, r2-b.Low)),
	}
}

// zScore is the normal quantile that leaves (1-level)/2 above it.
func zScore(level float64) float64 {
	checkLevel(level)
	return mathext.NormalQuantile((1 + level) / 2)
}
