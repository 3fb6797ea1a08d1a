package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// DesignEffect is by how much the variance of a sum of scores is larger than if all
// observations were independent, where those of a cluster depend on each other: the sum of
// the squared sums of the clusters over the sum of squares, at least 1.
//
// Source: Rao and Scott 1992, Biometrics 48:577; Liang and Zeger 1986, Biometrika 73:13
// (the variance).
func DesignEffect(clusters [][]float64) float64 {
	between, within := 0.0, 0.0
	for _, c := range clusters {
		sum := 0.0
		for _, u := range c {
			sum += u
			within += u * u
		}
		between += sum * sum
	}
	if within == 0 {
		return 1
	}
	return math.Max(1, between/within)
}

// Deflated is the two-sided p-value p of a test that took all observations for
// independent, corrected for a design effect: its normal deviate is divided by the square
// root of the effect, and judged by Student's t distribution with one degree of freedom less
// than there are clusters. With no effect and many clusters it is p.
//
// Source: Rao and Scott 1992 (the division); Donner and Klar 2000, Design and Analysis of
// Cluster Randomization Trials, section 6 (degrees of freedom).
func Deflated(p, effect float64, clusters int) float64 {
	if p >= 1 || p <= 0 || clusters < 2 {
		return 1
	}
	z := math.Sqrt2 * math.Erfinv(1-p)
	if math.IsInf(z, 1) { // beyond the precision of the inverse
		z = 8.2
	}
	return math.Max(p, StudentP(z/math.Sqrt(effect), float64(clusters-1)))
}

// StudentP is the two-sided p-value of a value of Student's t distribution (NIST DLMF
// 8.17.2 with its tail as an incomplete beta function).
func StudentP(t, freedom float64) float64 {
	return mathext.RegIncBeta(freedom/2, .5, freedom/(freedom+t*t))
}

// StudentQuantile is the value that Student's t distribution exceeds in either direction
// with probability p, the inverse of StudentP.
func StudentQuantile(p, freedom float64) float64 {
	x := mathext.InvRegIncBeta(freedom/2, .5, p)
	return math.Sqrt(freedom * (1 - x) / x)
}

// Association measures how rows and columns of a table of counts go together: the p-value of
// Pearson's chi-square test of independence, and the root mean square contingency phi without
// its bias, at least 0: the root of the mean squared relative deviation of the cells from
// independence. Rows and columns without counts do not matter.
//
// Source: Bergsma 2013, J. Korean Stat. Soc. 42:323, section 3.1 (the bias of phi²).
func Association(counts [][]int) (p, phi float64) {
	square, freedom, n := pearson(counts)
	if freedom == 0 || n <= 1 {
		return 1, 0
	}
	bias := freedom * n / (n - 1)
	return mathext.GammaIncRegComp(freedom/2, square/2), math.Sqrt(math.Max(0, (square-bias)/n))
}

// pearson is the chi-square statistic of a table, its degrees of freedom and its total.
func pearson(counts [][]int) (square, freedom, total float64) {
	rows := make([]float64, len(counts))
	var columns []float64
	for i, r := range counts {
		for j, n := range r {
			for len(columns) <= j {
				columns = append(columns, 0)
			}
			rows[i] += float64(n)
			columns[j] += float64(n)
			total += float64(n)
		}
	}
	for i, list := range counts {
		for j, n := range list {
			if e := rows[i] * columns[j] / total; e > 0 {
				square += (float64(n) - e) * (float64(n) - e) / e
			}
		}
	}
	used := func(sums []float64) (n float64) {
		for _, x := range sums {
			if x > 0 {
				n++
			}
		}
		return n
	}
	return square, math.Max(0, used(rows)-1) * math.Max(0, used(columns)-1), total
}
