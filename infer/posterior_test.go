package infer

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"episodes/internal/testing/few"
	"episodes/stats"
)

// moments integrates over a function of one logit by brute force.
func moments(x normal, s, n int) (mean, variance, rate float64) {
	var sum, first, second, p float64
	wide := math.Sqrt(x.variance)
	for i := -40000; i <= 40000; i++ {
		y := x.mean + wide*float64(i)/4000
		w := math.Exp(float64(s)*y - float64(n)*softplus(y) - (y-x.mean)*(y-x.mean)/(2*x.variance))
		sum, first, second, p = sum+w, first+w*y, second+w*y*y, p+w*expit(y)
	}
	mean = first / sum
	return mean, second/sum - mean*mean, p / sum
}

// The quadrature gives the moments of a logit after successes and failures.
func TestMomentsAfterTrials(t *testing.T) {
	few.Checks(t, 40)
	rapid.Check(t, func(t *rapid.T) {
		x := normal{rapid.Float64Range(-3, 3).Draw(t, "mean"), rapid.Float64Range(.05, 6).Draw(t, "variance")}
		n := rapid.IntRange(0, 12).Draw(t, "trials")
		s := rapid.IntRange(0, n).Draw(t, "successes")
		mean, variance, _ := moments(x, s, n)
		if got := x.given(s, n); math.Abs(got.mean-mean) > 2e-3 || math.Abs(got.variance-variance) > 5e-3*(1+variance) {
			t.Fatalf("%d of %d on %+v: %+v, want %v and %v", s, n, x, got, mean, variance)
		}
		_, _, p := moments(x, 0, 0)
		if got, _ := x.rate(); math.Abs(got-p) > 1e-3 {
			t.Fatalf("rate of %+v: %v, want %v", x, got, p)
		}
	})
}

// With two cells that share a task the exact posterior is an integral over two logits.
func TestTwoCellsAgainstIntegration(t *testing.T) {
	past := []trial{}
	for i := range 16 {
		past = append(past, trial{row: i, option: i / 8, success: i%8 < 1+5*(i/8), instance: noInstance})
	}
	m := newModelFrom(0, 0, past)
	m.solve(startPenalty, maxSweeps)
	shared := 1/startPenalty[pointEffect] + 1/startPenalty[taskEffect]
	if m.taskTrials[0] >= kindTrials {
		shared = 1/startPenalty[pointEffect] + 1/startPenalty[kindEffect]
	}
	own := 1/startPenalty[optionEffect] + 1/startPenalty[taskOption]
	// The two logits have covariance [[shared+own, shared], [shared, shared+own]].
	a, b := shared+own, shared
	det := a*a - b*b
	var sum, p float64
	const step = .05
	for x := -9.0; x <= 9; x += step {
		for y := -9.0; y <= 9; y += step {
			w := math.Exp(-(a*x*x-2*b*x*y+a*y*y)/(2*det) + 1*x - 8*softplus(x) + 6*y - 8*softplus(y))
			sum, p = sum+w, p+w*expit(x)
		}
	}
	got := m.average([]term{{cellKey{task: 0, option: 0, instance: noInstance}, 1}}, startPenalty).mean
	if math.Abs(got-p/sum) > .003 {
		t.Errorf("rate %v, by integration %v", got, p/sum)
	}
}

// A penalty stays within its bounds, and a fit is the same from wherever it starts.
func TestFitsAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(idle(seeded(uint64(rapid.IntRange(1, 500).Draw(t, "seed"))), rapid.IntRange(20, 120).Draw(t, "sessions")))
		f := s.fitted()
		for g, x := range f.penalty {
			if x < minPenalty[g] || x > maxPenalty {
				t.Fatalf("penalty %d is %v", g, x)
			}
		}
		for _, m := range f.models {
			want := slices.Clone(m.mean)
			m.solve(f.penalty, maxSweeps)
			for i := range want {
				if math.Abs(m.mean[i]-want[i]) > 1e-4 {
					t.Fatalf("coefficient %+v moves from %v to %v", m.features[i], want[i], m.mean[i])
				}
			}
		}
	})
}

// A task that nobody had has the spread between tasks in its interval.
func TestAnUnknownTaskHoldsTheSpread(t *testing.T) {
	r := seeded(31)
	var records []Record
	for task := range 40 {
		p := expit(2.5 * r.NormFloat64())
		for range 4 {
			records = append(records, session(len(records), string(rune('a'+task%26))+string(rune('a'+task/26))+" thing").choose("which way", pick(r, "left", "right")).ends(chance(r, p)))
		}
	}
	s := New(records)
	width := func(a Answer) float64 { return a.Interval.High - a.Interval.Low }
	all, unknown := s.WhatIf(Question{Point: "which way", Option: "left"}), s.WhatIf(Question{Point: "which way", Option: "left", Task: "new"})
	if width(all) > .35 || width(unknown) < 2*width(all) || width(unknown) < .6 {
		t.Errorf("the average %v, a new task %v", all.Interval, unknown.Interval)
	}
	var quantile stats.Interval = unknown.Interval
	if !quantile.Contains(unknown.P) {
		t.Errorf("%v not in %v", unknown.P, quantile)
	}
}
