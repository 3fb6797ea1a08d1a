package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Beta is the distribution Beta(A, B) of a rate. Both parameters are positive.
type Beta struct {
	A, B float64
}

// Quantile returns the value below which a share p of the distribution lies: 0 for p ≤ 0,
// 1 for p ≥ 1.
func (d Beta) Quantile(p float64) float64 {
	d.check()
	switch {
	case p <= 0:
		return 0
	case p >= 1:
		return 1
	}
	return mathext.InvRegIncBeta(d.A, d.B, p)
}

// Interval returns the equal-tailed interval that contains a share of level.
func (d Beta) Interval(level float64) Interval {
	checkLevel(level)
	return Interval{d.Quantile((1 - level) / 2), d.Quantile((1 + level) / 2)}
}

// Shortest returns the shortest interval that contains a share of level: that of the highest
// density, which reaches 0 or 1 where the density is highest there. Where it is high at both ends
// and low between, no interval is like that, and the equal-tailed one is returned.
//
// Source: Box and Tiao 1973, Bayesian Inference in Statistical Analysis, section 2.8.
func (d Beta) Shortest(level float64) Interval {
	checkLevel(level)
	switch {
	case d.A <= 1 && d.B <= 1:
		return d.Interval(level)
	case d.A <= 1:
		return Interval{0, d.Quantile(level)}
	case d.B <= 1:
		return Interval{d.Quantile(1 - level), 1}
	}
	logDensity := func(x float64) float64 { return (d.A-1)*math.Log(x) + (d.B-1)*math.Log1p(-x) }
	const steps = 16 // precision: (1-level)/2^16
	least, most := 0.0, 1-level
	var i Interval
	for range steps {
		below := (least + most) / 2
		i = Interval{d.Quantile(below), d.Quantile(below + level)}
		if logDensity(i.Low) < logDensity(i.High) {
			least = below
		} else {
			most = below
		}
	}
	return i
}

func (d Beta) check() {
	if !(d.A > 0 && d.B > 0) || math.IsInf(d.A, 1) || math.IsInf(d.B, 1) {
		panic(fmt.Sprintf("stats: no distribution Beta(%v, %v)", d.A, d.B))
	}
}
