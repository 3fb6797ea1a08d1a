package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"episodes/stats"
)

// Values of Student's t distribution from tables: two-sided 10 %.
func TestStudent(t *testing.T) {
	for _, c := range []struct{ freedom, value float64 }{{1, 6.3138}, {4, 2.1318}, {10, 1.8125}, {30, 1.6973}, {1000, 1.6464}} {
		if p := stats.StudentP(c.value, c.freedom); math.Abs(p-.1) > 1e-4 {
			t.Errorf("%v degrees: p of %v is %v", c.freedom, c.value, p)
		}
		if q := stats.StudentQuantile(.1, c.freedom); math.Abs(q-c.value) > 1e-3 {
			t.Errorf("%v degrees: quantile %v, want %v", c.freedom, q, c.value)
		}
	}
}

func TestDesignEffect(t *testing.T) {
	for _, c := range []struct {
		clusters [][]float64
		want     float64
	}{
		{nil, 1},
		{[][]float64{{1}, {-1}, {2}}, 1}, // each a cluster of its own
		{[][]float64{{1, 1, 1}, {-1, -1, -1}}, 3}, // three that say the same
		{[][]float64{{1, -1}, {2, -2}}, 1},        // what cancels out makes nothing more certain
	} {
		if got := stats.DesignEffect(c.clusters); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.clusters, got, c.want)
		}
	}
}

func TestDeflated(t *testing.T) {
	// A deviate of 2.576 over the square root of 4 is 1.288, of which the normal p is .1977.
	if p := stats.Deflated(.01, 4, 1e6); math.Abs(p-.1977) > 1e-3 {
		t.Errorf("with an effect of 4: %v", p)
	}
	if p := stats.Deflated(.01, 1, 1); p != 1 {
		t.Errorf("one cluster: %v", p)
	}
	rapid.Check(t, func(t *rapid.T) {
		p, n := rapid.Float64Range(1e-12, 1).Draw(t, "p"), rapid.IntRange(2, 200).Draw(t, "clusters")
		a, b := rapid.Float64Range(1, 9).Draw(t, "effect"), rapid.Float64Range(0, 9).Draw(t, "more")
		x, y := stats.Deflated(p, a, n), stats.Deflated(p, a+b, n)
		if x < p || y < x || y > 1 {
			t.Fatalf("%v, %v, of %v", x, y, p)
		}
	})
}

// Where the sessions of an instance all end alike, the plain test of an option that is chosen
// by instance claims far too often, and the corrected one does not.
func TestDeflatedHoldsItsLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 21))
	const worlds, level = 1500, .1
	plain, corrected := 0, 0
	for range worlds {
		var tab stats.Table
		var rows [][3]float64
		clusters := 16 + r.IntN(20)
		for range clusters {
			x, y := float64(r.IntN(2)), float64(r.IntN(2))
			for range 1 + r.IntN(5) {
				rows = append(rows, [3]float64{x, y, 0})
			}
			rows[len(rows)-1][2] = 1 // the last of its cluster
		}
		mx, my := 0.0, 0.0
		for _, w := range rows {
			mx, my = mx+w[0]/float64(len(rows)), my+w[1]/float64(len(rows))
			if w[0] == 1 {
				tab.N, tab.Successes = tab.N+1, tab.Successes+int(w[1])
			} else {
				tab.OtherN, tab.OtherSuccesses = tab.OtherN+1, tab.OtherSuccesses+int(w[1])
			}
		}
		scores := [][]float64{nil}
		for _, w := range rows {
			scores[len(scores)-1] = append(scores[len(scores)-1], (w[0]-mx)*(w[1]-my))
			if w[2] == 1 {
				scores = append(scores, nil)
			}
		}
		p := stats.FisherMidP(tab)
		if p <= level {
			plain++
		}
		if stats.Deflated(p, stats.DesignEffect(scores), clusters) <= level {
			corrected++
		}
	}
	if float64(plain)/worlds < .2 || float64(corrected)/worlds > 1.3*level {
		t.Errorf("claimed by the plain test in %d, by the corrected one in %d of %d worlds without an effect", plain, corrected, worlds)
	}
}

// Pearson's test of a table from a textbook.
func TestAssociation(t *testing.T) {
	table := [][]int{{20, 30}, {30, 20}} // chi-square 4
	p, phi := stats.Association(table)
	if math.Abs(p-.0455) > 1e-4 || math.Abs(phi-math.Sqrt(.04-1./99)) > 1e-9 {
		t.Errorf("p %v, phi %v", p, phi)
	}
	for _, none := range [][][]int{nil, {{5, 0}, {7, 0}}, {{5, 7}}} {
		if p, phi := stats.Association(none); p != 1 || phi != 0 {
			t.Errorf("%v: p %v, phi %v", none, p, phi)
		}
	}
}

// With one stratum it is the difference of two means; and a value that a stratum has in
// common makes no difference.
func TestWithin(t *testing.T) {
	var list []stats.Observation
	for i, y := range []float64{1, 2, 3, 4, 7, 9} {
		list = append(list, stats.Observation{Value: y, First: i >= 3, Cluster: i})
	}
	c, ok := stats.Within(list, .9)
	if !ok || math.Abs(c.Difference-(20./3-2)) > 1e-12 || c.Clusters != 6 || !c.Interval.Contains(c.Difference) {
		t.Errorf("%+v, %v", c, ok)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var list, moved []stats.Observation
		for i := range 40 {
			o := stats.Observation{Value: r.NormFloat64(), First: r.IntN(2) == 0, Stratum: r.IntN(3), Cluster: i / 2}
			list = append(list, o)
			o.Value += 100 * float64(o.Stratum)
			moved = append(moved, o)
		}
		a, _ := stats.Within(list, .9)
		b, _ := stats.Within(moved, .9)
		if math.Abs(a.Difference-b.Difference) > 1e-9 || math.Abs(a.Interval.High-b.Interval.High) > 1e-9 {
			t.Fatalf("%+v and %+v", a, b)
		}
	})
	if _, ok := stats.Within(list[:3], .9); ok {
		t.Error("one group alone has a difference")
	}
}

// Nine of ten intervals hold the truth, also where those of a cluster have much in common.
func TestWithinCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 21))
	in, n := 0, 1500
	for range n {
		var list []stats.Observation
		for cluster := range 24 {
			first, common := cluster%2 == 0, r.NormFloat64()
			for range 4 {
				y := common + .5*r.NormFloat64()
				if first {
					y += .7
				}
				list = append(list, stats.Observation{Value: y, First: first, Cluster: cluster, Stratum: cluster % 3})
			}
		}
		if c, ok := stats.Within(list, .9); ok && c.Interval.Contains(.7) {
			in++
		}
	}
	if share := float64(in) / float64(n); share < .86 || share > .94 {
		t.Errorf("%.3f of the intervals hold the truth", share)
	}
}
