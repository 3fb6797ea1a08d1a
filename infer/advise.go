package infer

import (
	"math"
	"slices"
	"strings"

	"episodes/stats"
)

// Advice rates an option in the context asked about.
type Advice struct {
	Option string // key
	Answer Answer
	Tried  bool // ever, with a measured result
	// Score ranks the options: the posterior mean; for an untried option, the model's mean for
	// an unknown option there; for one untried since outcomes changed, the rate of all
	// sessions, so that it gets another chance if the others have become worse. Each is
	// lowered for failures on the current task.
	Score float64
	// Robust is true if the option is better than the habit, the distribution of choices in
	// similar sessions, even under plausible unobserved confounding.
	Robust bool
}

// Advise ranks options, best first; ties go to the first by key. failed counts how
// often each option has already failed on the current task: an option that failed f
// times scores P·k/(k+f), the predictive mean if the success rate on this task is
// Beta(kP, k(1-P)) distributed, k = 3. Never repeating an option would hurt where
// outcomes are noisy; forgetting the failure would hurt where a hidden cause persists.
//
// The ranking ignores significance: METHODS.md measured that gating advice by a test
// loses a seventh of what advice gains.
func (s *Study) Advise(q Question, options []string, failed map[string]int) []Advice {
	out := make([]Advice, 0, len(options))
	for _, o := range options {
		q.Option = o
		a := Advice{Option: o, Answer: s.WhatIf(q), Tried: s.everTried(q)}
		a.Robust = s.robust(q)
		switch {
		case a.Answer.Supported:
			a.Score = a.Answer.P
		case a.Tried:
			a.Score = s.base()
		default:
			a.Score = s.unknown(q)
		}
		a.Score *= retryPrior / float64(retryPrior+failed[o])
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b Advice) int {
		if d := b.Score - a.Score; d > 1e-12 {
			return 1
		} else if d < -1e-12 {
			return -1
		}
		return strings.Compare(a.Option, b.Option)
	})
	return out
}

// robust reports whether the expected gain of an option over the habit, see Advice.Robust, is
// larger than the effect of plausible unobserved confounders.
func (s *Study) robust(q Question) bool {
	p, ok := s.pointOf[q.Point]
	if !ok || s.model(p).hidden == 0 {
		return true
	}
	o, ok := s.optionNode(q.Point, q.Option)
	if !ok {
		return false
	}
	gain, hidden := s.model(p).gainOn(o, s.context(q), s.fitted().penalty, true)
	return gain >= robustGain*hidden
}

// gainOn is the expected gain of an option on the others in the proportions in which they
// were chosen in like sessions, itself included or not, and the standard deviation that causes
// which are not logged add.
func (m *model) gainOn(option int, c context, penalty [groups]float64, itself bool) (gain, hidden float64) {
	mix, _ := m.matching(c)
	x := m.average(m.against(option, c, mix, itself), penalty)
	return x.mean, math.Sqrt(x.hidden)
}

// against are the terms of gainOn over some cells.
func (m *model) against(option int, c context, mix []weighted, itself bool) []term {
	all := terms(mix, option, 1)
	n, of := map[int]int{}, 0
	for _, t := range m.trials {
		if (c.fits(t) || c.task == unknownTask && c.agrees(t)) && (itself || t.option != option) {
			n[m.optionAt(t.option)]++
			of++
		}
	}
	for _, x := range m.grouped() {
		if n[x] > 0 {
			all = append(all, terms(mix, x, -float64(n[x])/float64(of))...)
		}
	}
	return all
}

// better is the probability that an option is better than the others in a context.
func (m *model) better(option int, c context, penalty [groups]float64) float64 {
	mix, _ := m.matching(c)
	x := m.average(m.against(option, c, mix, false), penalty)
	return .5 * math.Erfc(-x.mean/math.Sqrt(2*(x.variance+x.hidden)))
}

// everTried reports whether an option was ever tried with a measured result.
func (s *Study) everTried(q Question) bool {
	o, ok := s.optionNode(q.Point, q.Option)
	return ok && slices.ContainsFunc(s.model(s.nodes[o].pointAt).past, func(t trial) bool { return t.option == o })
}

// unknown is the expected rate of an option that nobody tried: the model without an
// option effect, or the base rate where there is no such point.
func (s *Study) unknown(q Question) float64 {
	p, ok := s.pointOf[q.Point]
	if !ok || len(s.model(p).trials) == 0 {
		return s.base()
	}
	m := s.model(p)
	mix, _ := m.matching(s.context(q))
	return m.average(terms(mix, noOption, 1), s.fitted().penalty).mean
}

const noOption = -1

// robustGain is the gain that robust requires, in standard deviations of the effect of
// unobserved confounders: odds of about three to one.
const robustGain = .6

// Hindsight bounds the probability that a session that failed would have succeeded
// with another option at a point (stats.SingleCase, with the interval limits of both
// options that make the bounds widest). ok is false when the session did not decide
// there or an option has no support.
func (s *Study) Hindsight(episode, point, option string) (b stats.Interval, ok bool) {
	p, found := s.pointOf[point]
	if !found {
		return b, false
	}
	past := s.model(p).past
	i := slices.IndexFunc(past, func(t trial) bool { return t.id == episode })
	o, known := s.optionNode(point, option)
	if i < 0 || !known {
		return b, false
	}
	took := past[i]
	c := context{task: took.task, instance: took.instance}
	mine, other := s.estimate(p, took.option, c), s.estimate(p, o, c)
	if !mine.Supported || !other.Supported {
		return b, false
	}
	// Both bounds rise with the rate of the other option. With the rate of the option
	// taken the lower bound falls and the upper one rises.
	b.Low = stats.SingleCase(mine.Interval.High, other.Interval.Low).Low
	b.High = stats.SingleCase(mine.Interval.High, other.Interval.High).High
	return b, true
}
