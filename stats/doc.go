// Package stats is the arithmetic behind every claim: intervals for rates and
// for differences of rates, Fisher's test with mid-p for two rates, and the control of
// false discoveries among many tests.
//
// Every function is pure and deterministic and works on counts, so that the
// order in which episodes came cannot change a result. A rate is a share of
// successes, 0 to 1. A level is the nominal coverage of an interval, such as
// 0.90, and lies strictly between 0 and 1. Counts or levels outside their range
// are mistakes of the caller and panic. With no trials at all every interval is
// [0, 1]: nothing is known.
//
// The methods are chosen for the few trials that session logs give: intervals
// whose mean coverage is near the nominal level at small n (Wilson and Jeffreys,
// after Brown, Cai and DasGupta 2001, Stat. Sci. 16:101; Newcombe 1998, Stat. Med.
// 17:873, for differences), and the mid-p value, which is less conservative than
// Fisher's own (Lydersen, Fagerland and Laake 2009, Stat. Med. 28:1159).
package stats

import "fmt"

// Interval is a closed range of values.
type Interval struct {
	Low, High float64
}

// Contains reports whether x lies in the interval.
func (i Interval) Contains(x float64) bool { return i.Low <= x && x <= i.High }

// Within reports whether the whole interval lies in [-margin, margin].
func (i Interval) Within(margin float64) bool { return i.Low >= -margin && i.High <= margin }

func checkCounts(successes, n int) {
	if successes < 0 || successes > n {
		panic(fmt.Sprintf("stats: %d successes in %d trials", successes, n))
	}
}

func checkLevel(level float64) {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("stats: level %v is not between 0 and 1", level))
	}
}
