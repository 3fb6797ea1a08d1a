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

// All tables with rows of up to eight, against whole-number enumeration.
func TestFisherMidPExhaustive(t *testing.T) {
	for n := 0; n <= 8; n++ {
		for m := 0; m <= 8; m++ {
			for total := 0; total <= n+m; total++ {
				want := math.Inf(1)
				for s := max(0, total-m); s <= min(n, total); s++ {
					tab := Table{s, n, total - s, m}
					p := exactMidP(tab)
					if got := FisherMidP(tab); math.Abs(got-p) > 1e-9 {
						t.Fatalf("%v: %v, want %v", tab, got, p)
					}
					want = math.Min(want, p)
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
