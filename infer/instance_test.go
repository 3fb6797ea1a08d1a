package infer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"episodes/stats"
)

// onInstances are sessions of instances, each with so many, whose success depends on the
// instance alone. Each instance is worked on one way.
func onInstances(r *rand.Rand, instances, each int) (out []Record) {
	for i := range instances {
		option, p := pick(r, "left", "right"), expit(3*r.NormFloat64())
		for range each {
			d := session(len(out), "one").choose("which way", option)
			d.Instance = fmt.Sprintf("#%d", i)
			out = append(out, d.ends(chance(r, p)))
		}
	}
	return out
}

// Ten sessions of one issue are not ten: where only the issue decides, next to nothing is
// claimed of the options.
func TestSessionsOfOneInstanceAreOne(t *testing.T) {
	worlds, claims, edges := 60, 0, 0
	for i := range worlds {
		s := New(onInstances(seeded(uint64(500+i)), 16, 8))
		claims += stats.Indicator(slices.ContainsFunc(s.Claims(), func(c Claim) bool { return c.Asserted }))
		edges += stats.Indicator(len(s.Edges()) > 0)
	}
	if claims > worlds/5 || edges > worlds/5 {
		t.Errorf("of %d worlds without an effect %d have a claim and %d an edge", worlds, claims, edges)
	}
}

// A claim takes LeastInstances on either side, however many sessions there are.
func TestAClaimTakesInstances(t *testing.T) {
	world := func(instances int) []Claim {
		var records []Record
		for i := range 60 {
			option := []string{"left", "right"}[i%2]
			d := session(i, "one").choose("which way", option)
			d.Instance = fmt.Sprintf("%s %d", option, i/2%instances)
			records = append(records, d.ends(option == "left" == (i%10 > 1)))
		}
		return New(records).Claims()
	}
	for instances, want := range map[int]bool{LeastInstances - 1: false, 30: true} {
		for _, c := range world(instances) {
			if c.Asserted != want || c.Instances != instances || c.OtherInstances != instances {
				t.Errorf("%d instances: asserted %v, counted %d and %d", instances, c.Asserted, c.Instances, c.OtherInstances)
			}
		}
	}
}

// The interval of an average holds the spread between instances, and that of one instance
// rests on its own sessions.
func TestIntervalsOfInstances(t *testing.T) {
	r := seeded(77)
	in, n, very, all := 0, 0, 0, 0
	for range 60 {
		// 15 issues with rates of their own; what is asked is the rate of issues at large.
		truth := 0.0
		for range 4000 {
			truth += expit(2*r.NormFloat64()) / 4000
		}
		var records []Record
		rates := make([]float64, 15)
		for i := range rates {
			rates[i] = expit(2 * r.NormFloat64())
			for range 6 {
				d := session(len(records), "one").choose("which way", pick(r, "left", "right"))
				d.Instance = fmt.Sprintf("#%d", i)
				records = append(records, d.ends(chance(r, rates[i])))
			}
		}
		s := New(records)
		a := s.WhatIf(Question{Point: "which way", Option: "left"})
		n++
		in += stats.Indicator(a.Interval.Contains(truth))
		for i, p := range rates {
			a := s.WhatIf(Question{Point: "which way", Option: "left", Instance: fmt.Sprintf("#%d", i)})
			all++
			very += stats.Indicator(a.Interval.Contains(p))
		}
	}
	if share := float64(in) / float64(n); share < .6 {
		t.Errorf("%.2f of the intervals hold the rate at large", share)
	}
	if share := float64(very) / float64(all); share < .82 || share > .98 {
		t.Errorf("%.2f of the intervals hold the rate of the very instance", share)
	}
}

// A question about an instance that nobody worked on holds the spread between instances.
func TestAnUnknownInstance(t *testing.T) {
	s := New(onInstances(seeded(3), 30, 6))
	wide := s.WhatIf(Question{Point: "which way", Option: "left", Instance: "#new"}).Interval
	mean := s.WhatIf(Question{Point: "which way", Option: "left"}).Interval
	if wide.High-wide.Low < 1.5*(mean.High-mean.Low) {
		t.Errorf("a new issue %v, the average %v", wide, mean)
	}
}

// Where choices follow the kind of task, but neither it nor anything else that is logged
// predicts the outcome, intervals hold what hidden causes may do and advice keeps to the
// habit; where choices are random they do not.
func TestHiddenCauses(t *testing.T) {
	world := func(seed uint64, follow float64) *Study {
		r := seeded(seed)
		var records []Record
		for i := range 300 {
			task, hidden := r.IntN(3), chance(r, .5)
			option := r.IntN(3)
			if chance(r, follow) {
				option = task
				if hidden {
					option = 0
				}
			}
			p := .75
			if hidden {
				p = .25
			}
			records = append(records, session(i, []string{"alpha", "beta", "gamma"}[task]).choose("which way", string(rune('x'+option))).ends(chance(r, p)))
		}
		return New(records)
	}
	seen, quiet := 0, 0
	for i := range uint64(20) {
		seen += stats.Indicator(world(900+i, .6).model(0).hidden > 0)
		quiet += stats.Indicator(world(900+i, 0).model(0).hidden == 0)
	}
	if seen < 12 || quiet < 12 {
		t.Errorf("hidden causes feared in %d of 20 worlds that have them, not feared in %d of 20 without", seen, quiet)
	}
}

// A claim that holds on average but whose option does harm on some tasks is told for these
// tasks; one that is alike on all of them is told at large.
func TestClaimsForTheseTasks(t *testing.T) {
	for _, spread := range []float64{0, .45} {
		r := seeded(99)
		var records []Record
		for i := range 960 {
			task, option := i%12, pick(r, "left", "right")
			gain := .25 + spread*float64(task%3-1) // a quarter on average
			rate := .4
			if option == "left" {
				rate += gain
			}
			records = append(records, session(i, fmt.Sprintf("task %c", 'a'+task)).choose("which way", option).ends(chance(r, math.Max(.02, math.Min(.98, rate)))))
		}
		claims := New(records).Claims()
		i := slices.IndexFunc(claims, func(c Claim) bool { return c.Option.Key == "left" && c.Task == nil })
		if c := claims[i]; !c.Asserted || c.TheseTasks != (spread > 0) {
			t.Errorf("spread %v: asserted %v, for these tasks only %v", spread, c.Asserted, c.TheseTasks)
		}
	}
}
