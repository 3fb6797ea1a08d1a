package stats

import (
	"math"
)

// Table is a 2×2 table of counts: Successes of N in the first row, OtherSuccesses of
// OtherN in the second.
type Table struct {
	Successes, N           int
	OtherSuccesses, OtherN int
}

// tie is the relative difference below which two tables count as equally
// probable; without it rounding would treat mirror images differently.
const tie = 1e-7

// FisherMidP returns the two-sided mid-p value of Fisher's exact test: the
// probability, given the margins and no difference between the rows, of all
// tables that are at most as probable as the observed one, minus half the probability
// of the observed one. Range 0 to 1. Where the margins allow only one table nothing
// can be tested and the value is 1.
//
// The mid-p value is less conservative than the exact test and stays close to the
// nominal level at small counts.
//
// Source: Lancaster 1961, J. Am. Stat. Assoc. 56:223 (mid-p); Lydersen, Fagerland
// and Laake 2009, Stat. Med. 28:1159, section 3.5 (the two-sided form used here).
func FisherMidP(t Table) float64 {
	checkCounts(t.Successes, t.N)
	checkCounts(t.OtherSuccesses, t.OtherN)
	low, p := hypergeometric(t.N, t.OtherN, t.Successes+t.OtherSuccesses)
	return midP(p, t.Successes-low)
}

// midP is the two-sided mid-p of the table at index seen among the
// probabilities p of all tables with its margins.
func midP(p []float64, seen int) float64 {
	if len(p) == 1 {
		return 1
	}
	limit := p[seen] * (1 + tie)
	sum := 0.0
	for _, x := range p {
		if x <= limit {
			sum += x
		}
	}
	return math.Min(1, sum-p[seen]/2)
}

// hypergeometric returns the probabilities of all tables with rows of n and
// otherN trials and the given successes in all, by the successes in the first
// row, which start at low.
func hypergeometric(n, otherN, successes int) (low int, p []float64) {
	low = max(0, successes-otherN)
	p = make([]float64, min(successes, n)-low+1)
	// Weights relative to the most probable table, by the ratio of neighbours:
	// no factorials, so neither overflow nor cancellation.
	peak := min(max((n+1)*(successes+1)/(n+otherN+2)-low, 0), len(p)-1)
	p[peak] = 1
	up := func(i int) float64 { // p[i+1] / p[i]
		a := float64(low + i)
		return (float64(n) - a) * (float64(successes) - a) / ((a + 1) * (float64(otherN-successes) + a + 1))
	}
	sum := 1.0
	for i := peak; i+1 < len(p); i++ {
		p[i+1] = p[i] * up(i)
		sum += p[i+1]
	}
	for i := peak; i > 0; i-- {
		p[i-1] = p[i] / up(i-1)
		sum += p[i-1]
	}
	for i := range p {
		p[i] /= sum
	}
	return low, p
}
