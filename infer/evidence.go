package infer

import (
	"cmp"
	"math"
	"slices"

	"episodes/stats"
)

// The prior of the effects of events seen before a decision, and its thresholds.
const (
	priorShare    = .2  // probability that it influences the outcome
	priorEvents   = 5   // weight of that prior, in events
	shareRounds   = 20  // of learning the share at a point
	mainDeviation = 1   // of its common effect, in logits
	ownDeviation  = 1.5 // and of its separate effect on each option
	minProbable   = .1  // least probability at which predictions adjust for it
	probable      = .5  // and at which claims adjust for it
)

// chooseEvidence chooses the events before the decision to adjust for, the most
// probable influence on the outcome first, and returns how many of them influence it
// more probably than not. The adjustment set is what is known before a choice and
// influences its result (the disjunctive-cause criterion: VanderWeele 2019, Eur. J.
// Epidemiol. 34:211); what comes after the decision is never in it.
//
// Adjusting a prediction for an event with little probability does no harm, since the
// prior keeps its coefficients small. Claims adjust for the events of the median
// probability model only (Barbieri and Berger 2004, Ann. Stat. 32:870). The share of
// events that matter is learned at each point from all its events, which controls for
// their number (Scott and Berger 2010, Ann. Stat. 38:2587).
func (m *model) chooseEvidence() (events []int, likely int) {
	type candidate struct {
		event  int
		factor float64
	}
	var all []candidate
	for _, e := range m.common() {
		all = append(all, candidate{e, m.bayesFactor(e)})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.factor, a.factor) })
	share := priorShare
	probability := func(c candidate) float64 {
		odds := share / (1 - share) * c.factor
		return odds / (1 + odds)
	}
	for range shareRounds {
		sum := priorShare * priorEvents
		for _, c := range all {
			sum += probability(c)
		}
		share = sum / float64(priorEvents+len(all))
	}
	for _, c := range all[:min(len(all), maxEvidence)] {
		if p := probability(c); p >= minProbable {
			events = append(events, c.event)
			likely += stats.Indicator(p >= probable)
		}
	}
	return events, likely
}

// common returns the events that enough trials saw before the decision, and enough did
// not.
func (m *model) common() (events []int) {
	n := map[int]int{}
	for _, t := range m.trials {
		for _, e := range t.before {
			n[e]++
		}
	}
	for e, k := range n {
		if k >= minEvidence && k <= len(m.trials)-minEvidence {
			events = append(events, e)
		}
	}
	slices.Sort(events)
	return events
}

// maxBayesFactor keeps odds finite.
const maxBayesFactor = 1e12

// bayesFactor is the Bayes factor for an effect of an event on the outcome, given task
// and option, against no effect: the mean of those for a common effect on all options
// and for separate effects on each besides. Both priors are normal on the logit scale,
// and so is the likelihood of an option's effect: by its efficient score u and
// information v given the margins, summed over tasks.
//
// Source: Yusuf, Peto, Lewis, Collins and Sleight 1985, Prog. Cardiovasc. Dis.
// 27:335, statistical appendix (u and v); Wakefield 2009, Genet. Epidemiol. 33:79
// (Bayes factors from estimates that are normal).
func (m *model) bayesFactor(event int) float64 {
	var us, vs []float64
	for _, tables := range m.byOption(event) {
		u, v := 0.0, 0.0
		for _, t := range tables {
			du, dv := stats.PetoScore(t)
			u, v = u+du, v+dv
		}
		if v > 0 {
			us, vs = append(us, u), append(vs, v)
		}
	}
	alike := normalFactor(us, vs, mainDeviation, 0)
	apart := normalFactor(us, vs, mainDeviation/2, ownDeviation)
	return math.Min(maxBayesFactor, (alike+apart)/2)
}

// normalFactor is the Bayes factor for effects b that are normal with standard deviation
// own around a mean that is itself normal with standard deviation main, against b = 0,
// where each score u is normal with mean v·b and variance v.
func normalFactor(us, vs []float64, main, own float64) float64 {
	log, precision, sum := 0.0, 0.0, 0.0
	for i, u := range us {
		d := 1 + own*own*vs[i]
		log += (own*own*u*u/d - math.Log(d)) / 2
		precision += vs[i] / d
		sum += u / d
	}
	d := 1 + main*main*precision
	return math.Exp(math.Min(math.Log(maxBayesFactor), log+(main*main*sum*sum/d-math.Log(d))/2))
}

// byOption counts the trials that saw an event before the decision and those that
// did not, for every option by task.
func (m *model) byOption(event int) [][]stats.Table {
	type key struct{ option, task int }
	tables := map[key]*stats.Table{}
	for _, t := range m.trials {
		k := key{t.option, m.stratum(t.task)}
		if tables[k] == nil {
			tables[k] = &stats.Table{}
		}
		_, seen := slices.BinarySearch(t.before, event)
		count(tables[k], seen, t.success)
	}
	out := make([][]stats.Table, len(m.options))
	for i, o := range m.options {
		for _, t := range append([]int{unknownTask}, m.tasks...) {
			if tab := tables[key{o, t}]; tab != nil {
				out[i] = append(out[i], *tab)
			}
		}
	}
	return out
}
