package stats

import (
	"cmp"
	"slices"
)

// BenjaminiHochberg returns the q-value of each p-value, in the order of p: among
// all hypotheses with q ≤ x the expected share of false discoveries is at most x. With the p-values sorted ascending and ranked from 1
// to m, q of rank i is the least of p·m/rank over the ranks from i on, at most 1.
// Equal p-values get equal q-values, so their order does not matter; q ≥ p always.
//
// This is proven for independent tests and for positively dependent ones (Benjamini
// and Yekutieli 2001, Ann. Stat. 29:1165). For mid-p values, which can be slightly
// too small, there is no proof; the tests of package patterns measure it.
//
// Source: Benjamini and Hochberg 1995, J. R. Stat. Soc. B 57:289, procedure (1),
// as adjusted p-values (Yekutieli and Benjamini 1999, J. Stat. Plan. Inference 82:171).
func BenjaminiHochberg(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(p[a], p[b]), a-b) })
	q := make([]float64, len(p))
	least := 1.0
	for i := len(order) - 1; i >= 0; i-- {
		// Dividing first keeps m/rank exactly 1 at the last rank, so that q ≥ p holds to the bit.
		least = min(least, p[order[i]]*(float64(len(p))/float64(i+1)))
		q[order[i]] = least
	}
	return q
}
