package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// The signed-rank test counts the signs that give a sum at most as large, and is the sign test
// where all differences have one size.
func TestSignedRank(t *testing.T) {
	for _, tt := range []struct {
		ds   []float64
		want float64
	}{
		{nil, 1},
		{[]float64{1, 2, 3, 4, 5, 6, 0}, 2.0 / 64},
		{[]float64{-1, 2, 3, 4, 5, 6}, 4.0 / 64},  // sums of 0 and 1
		{[]float64{-3, 2, 1, 4, 5, 6}, 10.0 / 64}, // of 0, 1, 2, 3 and 1+2
		{[]float64{-1, 1, 2, 2, 3}, 6.0 / 32},     // ranks 1.5, 1.5, 3.5, 3.5, 5
		{[]float64{.5, .5, .5, -.5}, 10.0 / 16},
	} {
		if got := SignedRank(tt.ds); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", tt.ds, got, tt.want)
		}
	}
	rng := rand.New(rand.NewPCG(37, 1))
	many := make([]float64, maxExact)
	for i := range many {
		many[i] = rng.NormFloat64() + 0.1
	}
	if exact, near := SignedRank(many), SignedRank(append(many, many[0])); math.Abs(exact-near) > 0.02 {
		t.Errorf("%v by counting, %v by the normal distribution", exact, near)
	}
}

// Between yes and no the interval covers at least as often as it says.
func TestMeanDifference(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 20))
	held, rounds := 0, 4000
	for range rounds {
		var ds []float64
		for range 25 {
			ds = append(ds, max(0, 1-rng.Float64()*1.5)-rng.Float64())
		}
		if MeanDifference(ds, 0.95).Contains(-1.0 / 6) { // E max(0, 1−1.5u) = 1/3
			held++
		}
	}
	if c := float64(held) / float64(rounds); c < 0.935 {
		t.Errorf("coverage %.3f", c)
	}
	rapid.Check(t, func(t *rapid.T) {
		ds := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 50).Draw(t, "differences")
		i := MeanDifference(ds, 0.95)
		if !(i.Low >= -1 && i.Low <= i.High && i.High <= 1) || math.IsNaN(i.Low) {
			t.Fatalf("%v", i)
		}
	})
}
