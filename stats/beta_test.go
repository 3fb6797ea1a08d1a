package stats

import (
	"math"
	"math/rand/v2"
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

func TestProductMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "factors")
		mean, square := 1.0, 1.0
		var fs []Beta
		for range n {
			f := Beta{rapid.Float64Range(.5, 80).Draw(t, "a"), rapid.Float64Range(.5, 80).Draw(t, "b")}
			fs = append(fs, f)
			mean *= f.Mean()
			square *= f.secondMoment()
		}
		p := Product(fs...)
		if math.Abs(p.Mean()/mean-1) > 1e-9 || math.Abs(p.secondMoment()/square-1) > 1e-6 {
			t.Fatalf("moments %v %v, want %v %v", p.Mean(), p.secondMoment(), mean, square)
		}
	})
}

// The interval of a product contains nine of ten simulated products or a few more,
// for the edge weights that one to fifty episodes give.
func TestProductInterval(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, fs := range [][]Beta{
		{{1.5, .5}, {1.5, .5}},
		{{1.5, .5}, {1.5, 1.5}, {2, 9}},
		{{12.5, 3.5}, {6.5, 8.5}, {20.5, 1.5}, {3.5, 3.5}},
		{{.5, 1.5}, {1.5, .5}, {1.5, .5}, {30.5, 20.5}, {1, 2}},
	} {
		i := Product(fs...).Interval(.90)
		in, n := 0, 5000
		for range n {
			x := 1.0
			for _, f := range fs {
				x *= f.Quantile(r.Float64())
			}
			if i.Contains(x) {
				in++
			}
		}
		if got := float64(in) / float64(n); got < .88 || got > .95 {
			t.Errorf("%v: %.3f of the products lie in %v", fs, got, i)
		}
	}
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
