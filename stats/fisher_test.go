package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// exactMidP is the definition in whole numbers.
func exactMidP(t Table) float64 { return exactStratified([]Table{t}) }

// All tables with rows of up to eight, against whole-number enumeration.
func TestFisherMidPExhaustive(t *testing.T) {
	for n := 0; n <= 8; n++ {
		for m := 0; m <= 8; m++ {
			for total := 0; total <= n+m; total++ {
				for s := max(0, total-m); s <= min(n, total); s++ {
					tab := Table{s, n, total - s, m}
					p := exactMidP(tab)
					if got := FisherMidP(tab); math.Abs(got-p) > 1e-9 {
						t.Fatalf("%v: %v, want %v", tab, got, p)
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
	})
}
