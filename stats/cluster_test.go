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
