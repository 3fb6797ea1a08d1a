package infer

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"episodes/stats"
)

// network is a Bayesian network of yes-or-no variables, causes before effects.
type network []variable

type variable struct {
	name string
	p    func(v map[string]bool) float64 // probability of yes, given the variables before it
}

func always(p float64) func(map[string]bool) float64 {
	return func(map[string]bool) float64 { return p }
}

// given is a table over one or two causes; two: yes-yes, yes-no, no-yes, no-no.
func given(a string, yes, no float64) func(map[string]bool) float64 {
	return func(v map[string]bool) float64 {
		if v[a] {
			return yes
		}
		return no
	}
}

func given2(a, b string, p ...float64) func(map[string]bool) float64 {
	return func(v map[string]bool) float64 { return p[2*stats.Indicator(!v[a])+stats.Indicator(!v[b])] }
}

// Cloudy, sprinkler, rain: Pearl 1988, in the numbers of Russell and Norvig 2010,
// figure 14.12.
var sprinkler = network{
	{"cloudy", always(.5)}, {"sprinkler", given("cloudy", .1, .5)}, {"rain", given("cloudy", .8, .2)},
	{"wet", given2("sprinkler", "rain", .99, .90, .90, 0)},
}

// each yields every state of the variables with its probability, when some of them
// are set from outside (the truncated factorisation: Pearl 2009, Causality, 2nd ed.,
// equation 3.10).
func (n network) each(do map[string]bool, yield func(v map[string]bool, p float64)) {
	v := map[string]bool{}
	var walk func(i int, p float64)
	walk = func(i int, p float64) {
		if p == 0 {
			return
		}
		if i == len(n) {
			yield(v, p)
			return
		}
		x := n[i]
		for _, yes := range []bool{true, false} {
			q := x.p(v)
			if set, ok := do[x.name]; ok {
				q = float64(stats.Indicator(set))
			}
			if !yes {
				q = 1 - q
			}
			v[x.name] = yes
			walk(i+1, p*q)
		}
		delete(v, x.name)
	}
	walk(0, 1)
}

// chance is the probability of a variable when others are set, and when others are seen.
func (n network) chance(of string, do, seen map[string]bool) float64 {
	sum, all := 0.0, 0.0
	n.each(do, func(v map[string]bool, p float64) {
		for k, want := range seen {
			if v[k] != want {
				return
			}
		}
		all += p
		if v[of] {
			sum += p
		}
	})
	return sum / all
}

// sessions are total sessions in the very proportions of the network, rounded by
// largest remainder: an agent that sees the variables before, decides one, and ends
// well where another is yes.
func (n network) sessions(total int, before []string, decided, outcome string) (out []Record) {
	type share struct {
		seen         []string
		choice, well bool
		n            int
		rest         float64
	}
	var shares []share
	index := map[string]int{}
	mass := map[string]float64{}
	n.each(nil, func(v map[string]bool, p float64) {
		s := share{choice: v[decided], well: v[outcome]}
		key := ""
		for _, b := range before {
			if v[b] {
				s.seen = append(s.seen, b)
				key += b + " "
			}
		}
		key += []string{"no", "yes"}[stats.Indicator(s.choice)] + []string{"-", "+"}[stats.Indicator(s.well)]
		if _, ok := index[key]; !ok {
			index[key] = len(shares)
			shares = append(shares, s)
		}
		mass[key] += p
	})
	left := total
	for key, i := range index {
		exact := mass[key] * float64(total)
		shares[i].n = int(exact)
		shares[i].rest = exact - math.Floor(exact)
		left -= shares[i].n
	}
	order := make([]int, len(shares))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(shares[b].rest, shares[a].rest), a-b) })
	for _, i := range order[:left] {
		shares[i].n++
	}
	for _, s := range shares {
		for range s.n {
			d := session(len(out), "task")
			d.Day = 1
			for _, e := range s.seen {
				d.event(e)
			}
			out = append(out, d.choose(decided, []string{"no", "yes"}[stats.Indicator(s.choice)]).ends(s.well))
		}
	}
	return out
}

// From sessions in the proportions of a network, in which what affects the choice
// was seen before it, the answer is P(outcome | do(choice)) of the network, by
// enumeration, and not what is seen with the choice.
func TestWhatIfOfAPublishedNetwork(t *testing.T) {
	const outcome, tolerance = "wet", .004
	for _, decided := range []string{"sprinkler", "rain"} {
		s := New(sprinkler.sessions(20_000, []string{"cloudy"}, decided, outcome))
		differ, adjusted := false, false
		for _, yes := range []bool{true, false} {
			set := map[string]bool{decided: yes}
			done, seen := sprinkler.chance(outcome, set, nil), sprinkler.chance(outcome, nil, set)
			differ = differ || math.Abs(done-seen) > 2*tolerance
			a := s.WhatIf(Question{Point: decided, Option: []string{"no", "yes"}[stats.Indicator(yes)]})
			if math.Abs(a.P-done) > tolerance {
				t.Errorf("%s = %v: %.4f in %v from %d, want %.4f (seen: %.4f)", decided, yes, a.P, a.Interval, a.N, done, seen)
			}
			m := s.model(0)
			adjusted = adjusted || m.likely > 0
			// Also after what was seen before, where that affects the outcome.
			for _, e := range m.evidence[:m.likely] {
				b := s.nodes[e].key
				want := sprinkler.chance(outcome, set, map[string]bool{b: true})
				at := s.WhatIf(Question{Point: decided, Option: []string{"no", "yes"}[stats.Indicator(yes)], Seen: []string{b}})
				if math.Abs(at.P-want) > .02 && !at.Interval.Contains(want) {
					t.Errorf("%s = %v after %s: %.4f in %v, want %.4f", decided, yes, b, at.P, at.Interval, want)
				}
			}
		}
		if !differ || !adjusted {
			t.Errorf("%s: seeing and doing differ: %v, adjusted: %v", decided, differ, adjusted)
		}
	}
}
