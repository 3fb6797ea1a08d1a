package query

import (
	"math"
	"testing"

	"episodes/infer"
	"episodes/stats"
)

// An interval narrows with the root of the number of sessions.
func TestFactor(t *testing.T) {
	for _, tt := range []struct {
		d    float64
		i    stats.Interval
		want float64
	}{
		{.2, stats.Interval{Low: -.2, High: .6}, 4},    // half the width leaves out zero
		{-.2, stats.Interval{Low: -.6, High: .2}, 4},   // the other way round
		{0, stats.Interval{Low: -.3, High: .3}, 9},     // a third of the width is within a tenth
		{.05, stats.Interval{Low: -.1, High: .2}, 9},   // either way nine times as many
		{.05, stats.Interval{Low: .01, High: .09}, 1},  // decided already
		{.15, stats.Interval{Low: -.15, High: .45}, 4}, // too far from zero to be none
		{0.1, stats.Interval{Low: -.9, High: 1.1}, 100},
	} {
		if got := factor(tt.d, tt.i); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%v in %v: %v, want %v", tt.d, tt.i, got, tt.want)
		}
	}
}

// So many further sessions turn a verdict, and one less does not.
func TestEnoughToTurn(t *testing.T) {
	for _, tt := range []struct{ s, n, t, m int }{{18, 20, 6, 20}, {2, 20, 15, 20}, {90, 100, 40, 100}, {9, 9, 0, 9}} {
		p, q := float64(tt.s)/float64(tt.n), float64(tt.t)/float64(tt.m)
		k, ok := enoughToTurn(p, tt.n, q, tt.m)
		if !ok {
			t.Fatalf("%v: nothing turns it", tt)
		}
		open := func(k int) bool {
			good := 0
			if p < q {
				good = k
			}
			i := stats.Newcombe(tt.s+good, tt.n+k, tt.t, tt.m, Level)
			return i.Low <= 0 && i.High >= 0
		}
		if !open(k) || open(k-1) {
			t.Errorf("%v: %d turn it: %v, %d do: %v", tt, k, open(k), k-1, open(k-1))
		}
	}
	if k, ok := enoughToTurn(.5, 10, .5, 10); ok {
		t.Errorf("what is open already takes %d", k)
	}
}

// A claim falls when its p-value no longer reaches what the control of false
// discoveries asked of it.
func TestContrary(t *testing.T) {
	for _, tt := range []struct {
		table stats.Table
		q     float64
	}{
		{stats.Table{Successes: 38, N: 40, OtherSuccesses: 20, OtherN: 40}, .001},
		{stats.Table{Successes: 4, N: 40, OtherSuccesses: 20, OtherN: 40}, .02},
	} {
		p := stats.FisherMidP(tt.table)
		k, ok := contrary(tt.table, p, tt.q)
		if !ok {
			t.Fatalf("%+v: nothing takes it away", tt.table)
		}
		limit := p * infer.ClaimQ / tt.q
		after := func(k int) float64 {
			x := tt.table
			x.N += k
			if x.Successes*x.OtherN < x.OtherSuccesses*x.N {
				x.Successes += k
			}
			return stats.FisherMidP(x)
		}
		if after(k) <= min(limit, infer.ClaimQ) || after(k-1) > min(limit, infer.ClaimQ) {
			t.Errorf("%+v: after %d p is %v, after %d %v; the limit is %v", tt.table, k, after(k), k-1, after(k-1), limit)
		}
	}
	if k, ok := contrary(stats.Table{Successes: 10, N: 20, OtherSuccesses: 10, OtherN: 20}, .001, .01); ok {
		t.Errorf("bare counts that show nothing need %d more to show nothing", k)
	}
}
