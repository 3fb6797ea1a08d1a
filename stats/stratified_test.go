package stats

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// enumerate is the definition in whole numbers: all ways in which the successes
// of each stratum can fall, by their sum.
func enumerate(tables []Table) (ways map[int]*big.Int, seen int) {
	ways = map[int]*big.Int{0: big.NewInt(1)}
	for _, t := range tables {
		m := t.Successes + t.OtherSuccesses
		next := map[int]*big.Int{}
		for sum, w := range ways {
			for a := max(0, m-t.OtherN); a <= min(m, t.N); a++ {
				x := new(big.Int).Binomial(int64(t.N), int64(a))
				x.Mul(x, new(big.Int).Binomial(int64(t.OtherN), int64(m-a)))
				x.Mul(x, w)
				if next[sum+a] == nil {
					next[sum+a] = new(big.Int)
				}
				next[sum+a].Add(next[sum+a], x)
			}
		}
		ways, seen = next, seen+t.Successes
	}
	return ways, seen
}

func exactStratified(tables []Table) float64 {
	ways, seen := enumerate(tables)
	all := new(big.Int)
	for _, w := range ways {
		all.Add(all, w)
	}
	value := func(at int) float64 {
		sum := new(big.Int)
		for _, w := range ways {
			if w.Cmp(ways[at]) <= 0 {
				sum.Add(sum, w)
			}
		}
		x, _ := new(big.Rat).SetFrac(sum, all).Float64()
		half, _ := new(big.Rat).SetFrac(ways[at], all).Float64()
		return math.Min(1, x-half/2)
	}
	if len(ways) == 1 {
		return 1
	}
	return value(seen)
}

func drawTables(t *rapid.T) (out []Table) {
	for range rapid.IntRange(0, 4).Draw(t, "strata") {
		s, n := drawCounts(t, "row")
		o, m := drawCounts(t, "other")
		out = append(out, Table{s, n, o, m})
	}
	return out
}

func TestStratifiedMidPExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tables []Table
		for range rapid.IntRange(1, 4).Draw(t, "strata") {
			n, m := rapid.IntRange(0, 8).Draw(t, "n"), rapid.IntRange(0, 8).Draw(t, "m")
			tables = append(tables, Table{rapid.IntRange(0, n).Draw(t, "s"), n, rapid.IntRange(0, m).Draw(t, "o"), m})
		}
		p := exactStratified(tables)
		if got := StratifiedMidP(tables); math.Abs(got-p) > 1e-9 {
			t.Fatalf("%v: p %v, want %v", tables, got, p)
		}
	})
}

// Mantel and Haenszel's example from Agresti, Categorical Data Analysis
// (2nd ed., table 6.9): eight centres, a drug against a control. The book gives a
// CMH statistic of 6.38 (P = .012) and a common odds ratio of 2.13.
func TestStratifiedPublished(t *testing.T) {
	centres := []Table{{11, 36, 10, 37}, {16, 20, 22, 32}, {14, 19, 7, 19}, {2, 16, 1, 17}, {6, 17, 0, 12}, {1, 11, 0, 10}, {1, 5, 1, 9}, {4, 6, 6, 7}}
	z := cochranMantelHaenszel(centres)
	near(t, "normal p", z, .0115, 3)
	if x := math.Sqrt2 * math.Erfinv(1-z); math.Abs(x*x-6.38) > .01 {
		t.Errorf("CMH statistic %.3f, want 6.38", x*x)
	}
	if p := StratifiedMidP(centres); math.Abs(p-z) > .003 {
		t.Errorf("exact mid-p %.4f is far from the normal %.4f", p, z)
	}
	rd, ok := MantelHaenszel(centres)
	p1, p0, w := Standardised(centres)
	if !ok || math.Abs(rd-(p1-p0)) > 1e-12 || w <= 0 {
		t.Errorf("difference %v, standardised %v and %v", rd, p1, p0)
	}
	near(t, "pooled difference", rd, .1300, 3)
}

// With huge counts the normal approximation takes over, close to the exact test.
func TestStratifiedLarge(t *testing.T) {
	tables := make([]Table, 5)
	for i := range tables {
		tables[i] = Table{500 + i, 1000, 470, 1000}
	}
	p, q := StratifiedMidP(tables), cochranMantelHaenszel(tables)
	if p != q || !(p > 0 && p < .01) {
		t.Errorf("p %v, normal %v", p, q)
	}
	exact := exactStratified(tables[:1])
	if p := StratifiedMidP(tables[:1]); math.Abs(p-exact) > 1e-9 {
		t.Errorf("one table: %v, exact %v", p, exact)
	}
}

func TestMantelHaenszelProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tables := drawTables(t)
		rd, ok := MantelHaenszel(tables)
		p1, p0, w := Standardised(tables)
		if ok != (w > 0) {
			t.Fatalf("%v: ok %v, weight %v", tables, ok, w)
		}
		if !ok {
			return
		}
		if math.Abs(rd-(p1-p0)) > 1e-9 || math.Abs(rd) > 1+1e-9 {
			t.Fatalf("%v: %v, standardised %v and %v", tables, rd, p1, p0)
		}
		var swapped []Table
		for _, x := range tables {
			swapped = append(swapped, Table{x.OtherSuccesses, x.OtherN, x.Successes, x.N})
		}
		if back, _ := MantelHaenszel(swapped); math.Abs(back+rd) > 1e-9 {
			t.Fatalf("%v: %+v, rows swapped %+v", tables, rd, back)
		}
		if a, b := StratifiedMidP(tables), StratifiedMidP(swapped); math.Abs(a-b) > 1e-6 {
			t.Fatalf("%v: p %v, rows swapped %v", tables, a, b)
		}
		if rows := Sum(tables); Sum(swapped) != (Table{rows.OtherSuccesses, rows.OtherN, rows.Successes, rows.N}) {
			t.Fatal("sums differ")
		}
	})
}

// The score is what the count exceeds its mean by, and the information its variance,
// both by the probabilities of all tables with the margins.
func TestPetoScore(t *testing.T) {
	for _, x := range []Table{{3, 5, 2, 9}, {0, 4, 3, 4}, {7, 7, 1, 12}, {10, 40, 22, 35}, {0, 3, 0, 5}} {
		low, p := hypergeometric(x.N, x.OtherN, x.Successes+x.OtherSuccesses)
		mean, square := 0.0, 0.0
		for i, q := range p {
			k := float64(low + i)
			mean, square = mean+q*k, square+q*k*k
		}
		u, v := PetoScore(x)
		if math.Abs(u-(float64(x.Successes)-mean)) > 1e-9 || math.Abs(v-(square-mean*mean)) > 1e-9 {
			t.Errorf("%+v: score %v, information %v; want %v and %v", x, u, v, float64(x.Successes)-mean, square-mean*mean)
		}
	}
	if u, v := PetoScore(Table{1, 1, 0, 0}); u != 0 || v != 0 {
		t.Errorf("score %v and information %v of one trial", u, v)
	}
}
