package infer

import (
	"math"
	"slices"

	"episodes/stats"
)

// Thresholds of the drift test.
const (
	driftTrials = 60  // least trials of a point
	driftSide   = 8   // least trials of an option on either side of the split
	driftLevel  = .02 // significance level over all splits and options together
)

// driftSplits are the shares of trials before each day that is tried as a split. The
// late splits find a change soon after it came: without those above .7 an agent that
// follows the advice through a change gains .02 of what could be gained, with them
// .44 (four seeds of the benchmark's online run), at no cost where nothing changes.
var driftSplits = [...]float64{.3, .4, .5, .6, .7, .8, .9}

// driftDay returns the first day whose trials count at a point: where the success rate
// of an option changed between older and newer trials (exact test over all splits and
// options, Bonferroni), the split with the smallest p-value; 0 where nothing changed.
//
// Counts have no half-life besides. Measured on nine of the benchmark's worlds, five
// seeds each, by half-life in days, the test having splits up to .7 (error of the
// what-if, uplift of the choices; then the same for the world that changes):
//
//	                     none         365          180          90           45
//	with this test       .058 .795    .058 .805    .059 .800    .060 .783    .065 .748
//	  where it changes   .063 1.00    .062 1.00    .062 1.00    .061 1.00    .063 1.00
//	without it           .064 .682    .064 .724    .064 .736    .064 .735    .067 .748
//	  where it changes   .117 .245    .111 .460    .106 .568    .096 .676    .083 1.00
//
// A half-life alone achieves less than the test; together with the test it gains
// nothing where outcomes change and costs where they do not.
func driftDay(ts []trial) int {
	if len(ts) < driftTrials {
		return 0
	}
	days := make([]int, len(ts))
	for i, t := range ts {
		days[i] = t.day
	}
	slices.Sort(days)
	option := func(t trial) int { return t.option }
	n, options := tally(ts, option), distinct(ts, option)
	best, at := math.Inf(1), 0
	for _, share := range driftSplits {
		split := days[int(share*float64(len(days)))]
		for _, o := range options {
			if n[o] < 2*driftSide {
				continue
			}
			var t stats.Table
			for _, x := range ts {
				if x.option == o {
					count(&t, x.day >= split, x.success)
				}
			}
			if min(t.N, t.OtherN) < driftSide {
				continue
			}
			p := stats.FisherMidP(t) * float64(len(driftSplits)*len(options))
			if p < driftLevel && p < best {
				best, at = p, split
			}
		}
	}
	return at
}

// count adds one trial to the first row of a table, or to the second.
func count(t *stats.Table, first, success bool) {
	if first {
		t.N++
		t.Successes += stats.Indicator(success)
	} else {
		t.OtherN++
		t.OtherSuccesses += stats.Indicator(success)
	}
}
