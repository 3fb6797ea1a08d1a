package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// near fails unless got rounds to want at the given number of decimals.
func near(t *testing.T, what string, got, want float64, decimals int) {
	t.Helper()
	if math.Abs(got-want) > 0.5*math.Pow(10, -float64(decimals))+1e-12 {
		t.Errorf("%s = %.6f, want %.*f", what, got, decimals, want)
	}
}

func TestWilsonPublished(t *testing.T) {
	// Newcombe 1998, Stat. Med. 17:857, table I, method 3, level 0.95.
	for _, c := range []struct {
		s, n      int
		low, high float64
	}{
		{81, 263, .2553, .3662},
		{15, 148, .0624, .1605},
		{0, 20, 0, .1611},
		{1, 29, .0061, .1718},
	} {
		i := Wilson(c.s, c.n, .95)
		near(t, "low", i.Low, c.low, 4)
		near(t, "high", i.High, c.high, 4)
	}
}

func TestNewcombePublished(t *testing.T) {
	// Newcombe 1998, Stat. Med. 17:873, table II, method 10, level 0.95.
	for _, c := range []struct {
		s1, n1, s2, n2 int
		low, high      float64
	}{
		{56, 70, 48, 80, .0524, .3339},
		{5, 56, 0, 29, -.0381, .1926},
		{0, 10, 0, 10, -.2775, .2775},
		{10, 10, 0, 20, .6791, 1},
	} {
		i := Newcombe(c.s1, c.n1, c.s2, c.n2, .95)
		near(t, "low", i.Low, c.low, 4)
		near(t, "high", i.High, c.high, 4)
	}
}

func TestNoTrials(t *testing.T) {
	if got := Wilson(0, 0, .9); got != (Interval{0, 1}) {
		t.Errorf("Wilson = %v", got)
	}
	if got := Newcombe(3, 4, 0, 0, .9); got != (Interval{-1, 1}) {
		t.Errorf("Newcombe = %v", got)
	}
	if got := WilsonCentre(0, 0, .9); got != .5 {
		t.Errorf("WilsonCentre = %v", got)
	}
}

func drawCounts(t *rapid.T, label string) (s, n int) {
	n = rapid.IntRange(1, 400).Draw(t, "n "+label)
	return rapid.IntRange(0, n).Draw(t, "s "+label), n
}

func TestIntervalProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := drawCounts(t, "")
		level := rapid.Float64Range(.5, .99).Draw(t, "level")
		i := Wilson(s, n, level)
		if i.Low < 0 || i.High > 1 || !i.Contains(float64(s)/float64(n)) {
			t.Fatalf("Wilson(%d, %d) = %v", s, n, i)
		}
		if s < n {
			if j := Wilson(s+1, n, level); j.Low < i.Low || j.High < i.High {
				t.Fatalf("Wilson falls from %v to %v with one more success", i, j)
			}
		}
		if j := Wilson(n-s, n, level); math.Abs(j.Low+i.High-1) > 1e-9 || math.Abs(j.High+i.Low-1) > 1e-9 {
			t.Fatalf("%v is not the mirror image of %v", j, i)
		}
		if j := Wilson(s, n, level+.005); j.Low > i.Low || j.High < i.High {
			t.Fatalf("a higher level gives a shorter interval than %v", i)
		}
		if c := WilsonCentre(s, n, level); !Wilson(s, n, level).Contains(c) {
			t.Fatalf("centre %v outside", c)
		}
	})
}

func TestNewcombeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s1, n1 := drawCounts(t, "1")
		s2, n2 := drawCounts(t, "2")
		i := Newcombe(s1, n1, s2, n2, .9)
		if i.Low < -1 || i.High > 1 || !i.Contains(float64(s1)/float64(n1)-float64(s2)/float64(n2)) {
			t.Fatalf("%v", i)
		}
		// The difference of the shrunk rates lies inside too: what-if shows it with this interval.
		if d := WilsonCentre(s1, n1, .9) - WilsonCentre(s2, n2, .9); !i.Contains(d) {
			t.Fatalf("%v does not hold the shrunk difference %v", i, d)
		}
		if j := Newcombe(s2, n2, s1, n1, .9); math.Abs(i.Low+j.High) > 1e-12 || math.Abs(i.High+j.Low) > 1e-12 {
			t.Fatalf("%v and %v are no mirror images", i, j)
		}
	})
}

// The shortest interval holds its share, is no wider than the equal-tailed one, and reaches the
// end at which the density is highest.
func TestShortest(t *testing.T) {
	for _, d := range []Beta{{.3, 4}, {1, 9}, {1.3, 20}, {3, 3}, {40, 12}, {9, .7}, {.4, .4}} {
		got, equal := d.Shortest(.9), d.Interval(.9)
		if share := d.CDF(got.High) - d.CDF(got.Low); math.Abs(share-.9) > 1e-6 {
			t.Errorf("%v: %v holds %v", d, got, share)
		}
		if got.High-got.Low > equal.High-equal.Low+1e-6 {
			t.Errorf("%v: %v is wider than %v", d, got, equal)
		}
		if d.A <= 1 && d.B > 1 && got.Low != 0 || d.B <= 1 && d.A > 1 && got.High != 1 {
			t.Errorf("%v: %v does not reach the end", d, got)
		}
	}
	if got := (Beta{3, 3}).Shortest(.9); math.Abs(got.Low+got.High-1) > 1e-4 {
		t.Errorf("the interval of a symmetric distribution is %v", got)
	}
}
