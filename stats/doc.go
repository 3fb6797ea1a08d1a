// Package stats computes what claims rest on: intervals for rates and for differences
// of rates, exact tests, most with mid-p values, causal measures, and the control of false
// discoveries among many tests.
//
// Every function is pure and deterministic and works on counts, so that the order of
// episodes cannot change a result. A rate is a share of successes, 0 to 1. A level is
// the nominal coverage of an interval, such as 0.90, strictly between 0 and 1.
// Functions panic on counts and levels out of range. With no trials at all every
// interval is [0, 1]: nothing is known.
//
// The methods are chosen for the small counts in session logs: intervals whose mean
// coverage is near the nominal level at small n (Wilson, after Brown, Cai and DasGupta
// 2001, Stat. Sci. 16:101; Newcombe 1998, Stat. Med. 17:873, for differences), and the
// mid-p value, which is less conservative than Fisher's own (Lydersen, Fagerland and
// Laake 2009, Stat. Med. 28:1159).
// Other programs use package episodes: only that is a promise.
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

// Indicator is 1 for true, and 0 for false.
func Indicator(b bool) int {
	if b {
		return 1
	}
	return 0
}
