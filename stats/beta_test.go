package stats

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"
)

// CDF returns the probability of a value of at most x: the regularised
// incomplete beta function I_x(A, B) (NIST DLMF 8.17.2), 0 to 1.
func (d Beta) CDF(x float64) float64 {
	d.check()
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	}
	return mathext.RegIncBeta(d.A, d.B, x)
}

func TestBetaIntervalPublished(t *testing.T) {
	// Jeffreys intervals: Brown, Cai and DasGupta 2001, table 5, level 0.95.
	for _, c := range []struct {
		s, n      int
		low, high float64
	}{
		{1, 10, .011, .381}, {2, 10, .044, .503}, {5, 10, .224, .776},
	} {
		i := Beta{float64(c.s) + .5, float64(c.n-c.s) + .5}.Interval(.95)
		near(t, "low", i.Low, c.low, 3)
		near(t, "high", i.High, c.high, 3)
	}
}

func TestQuantileInvertsCDF(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Beta{rapid.Float64Range(.05, 500).Draw(t, "a"), rapid.Float64Range(.05, 500).Draw(t, "b")}
		p := rapid.Float64Range(.001, .999).Draw(t, "p")
		x := d.Quantile(p)
		// Where x is next to 0 or 1 the inverse may have no float64 of its own.
		if x > 1e-12 && x < 1-1e-12 && math.Abs(d.CDF(x)-p) > 1e-6 {
			t.Fatalf("%v: CDF(Quantile(%v)) = %v", d, p, d.CDF(x))
		}
		if y := d.Quantile(p + .0005); y < x {
			t.Fatalf("%v: quantile falls from %v to %v", d, x, y)
		}
	})
}

func TestBenjaminiHochbergProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// A coarse grid makes ties common.
		p := rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 40), func(i int) float64 { return float64(i) / 40 }), 1, 60).Draw(t, "p")
		q := BenjaminiHochberg(p)
		for i := range p {
			if q[i] < p[i] || q[i] > 1 {
				t.Fatalf("p = %v has q = %v", p[i], q[i])
			}
			// Enumerated from the definition.
			want := 1.0
			for _, x := range p {
				if x >= p[i] {
					rank := 0
					for _, y := range p {
						if y <= x {
							rank++
						}
					}
					want = min(want, x*float64(len(p))/float64(rank))
				}
			}
			if math.Abs(q[i]-want) > 1e-12 {
				t.Fatalf("q of %v = %v, want %v", p[i], q[i], want)
			}
			for j := range p {
				if p[i] < p[j] && q[i] > q[j] || p[i] == p[j] && q[i] != q[j] {
					t.Fatalf("order lost between %v and %v", p[i], p[j])
				}
			}
		}
		perm := rapid.Permutation(p).Draw(t, "order")
		a, b := BenjaminiHochberg(perm), slices.Clone(q)
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Fatal("q-values depend on the order")
		}
	})
}
