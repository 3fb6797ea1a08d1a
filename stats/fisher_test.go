package stats

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// exactMidP is the definition in whole numbers: tables weighted by their number
// of arrangements, compared without rounding.
func exactMidP(t Table) float64 {
	m := t.Successes + t.OtherSuccesses
	low, high := max(0, m-t.OtherN), min(m, t.N)
	if low == high {
		return 1
	}
	ways := func(a int) *big.Int {
		x := new(big.Int).Binomial(int64(t.N), int64(a))
		return x.Mul(x, new(big.Int).Binomial(int64(t.OtherN), int64(m-a)))
	}
	seen, sum := ways(t.Successes), new(big.Int)
	for a := low; a <= high; a++ {
		if w := ways(a); w.Cmp(seen) <= 0 {
			sum.Add(sum, w)
		}
	}
	all := new(big.Int).Binomial(int64(t.N+t.OtherN), int64(m))
	p, _ := new(big.Rat).SetFrac(sum, all).Float64()
	half, _ := new(big.Rat).SetFrac(seen, all).Float64()
	return math.Min(1, p-half/2)
}

func TestFisherMidPTable(t *testing.T) {
	for _, c := range []struct {
		name string
		t    Table
		want float64
	}{
		{"Fisher's tea, three of four", Table{3, 4, 1, 4}, 34./70 - 16./140},
		{"Fisher's tea, all right", Table{4, 4, 0, 4}, 2./70 - 1./140},
		{"two against two", Table{2, 2, 0, 2}, 2./6 - 1./12},
		{"no success at all", Table{0, 3, 0, 5}, 1},
		{"an empty row", Table{0, 0, 2, 5}, 1},
		{"the most probable table", Table{2, 4, 2, 4}, 1 - 36./140},
	} {
		t.Run(c.name, func(t *testing.T) { near(t, "p", FisherMidP(c.t), c.want, 10) })
	}
}

// All tables with rows of up to nine, against whole-number enumeration.
func TestFisherMidPExhaustive(t *testing.T) {
	for n := 0; n <= 9; n++ {
		for m := 0; m <= 9; m++ {
			for s := 0; s <= n; s++ {
				for o := 0; o <= m; o++ {
					tab := Table{s, n, o, m}
					if got, want := FisherMidP(tab), exactMidP(tab); math.Abs(got-want) > 1e-9 {
						t.Fatalf("%v: %v, want %v", tab, got, want)
					}
				}
			}
		}
	}
}

func TestFisherProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := drawCounts(t, "row")
		o, m := drawCounts(t, "other")
		tab := Table{s, n, o, m}
		p := FisherMidP(tab)
		if !(p >= 0 && p <= 1) {
			t.Fatalf("p = %v", p)
		}
		if want := exactMidP(tab); math.Abs(p-want) > 1e-6*want+1e-15 {
			t.Fatalf("p = %v, want %v", p, want)
		}
		for _, mirror := range []Table{{o, m, s, n}, {n - s, n, m - o, m}} {
			if math.Abs(FisherMidP(mirror)-p) > 1e-9 {
				t.Fatalf("%v gives %v, its mirror %v gives %v", tab, p, mirror, FisherMidP(mirror))
			}
		}
		if least := SmallestMidP(n, m, s+o); least > p {
			t.Fatalf("p = %v is less than the least, %v", p, least)
		}
	})
}

func TestSmallestMidP(t *testing.T) {
	for n := 0; n <= 8; n++ {
		for m := 0; m <= 8; m++ {
			for total := 0; total <= n+m; total++ {
				want := math.Inf(1)
				for s := max(0, total-m); s <= min(n, total); s++ {
					want = math.Min(want, exactMidP(Table{s, n, total - s, m}))
				}
				if got := SmallestMidP(n, m, total); math.Abs(got-want) > 1e-9 {
					t.Fatalf("rows %d and %d, %d successes: %v, want %v", n, m, total, got, want)
				}
			}
		}
	}
}

// With thousands of trials nothing overflows and nothing is lost.
func TestFisherLarge(t *testing.T) {
	near(t, "p", FisherMidP(Table{900, 1000, 6000, 9000}), exactMidP(Table{900, 1000, 6000, 9000}), 12)
	if p := FisherMidP(Table{5000, 5000, 0, 5000}); !(p >= 0 && p < 1e-300) {
		t.Errorf("p = %v", p)
	}
}
