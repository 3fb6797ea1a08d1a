package infer

import (
	"cmp"
	"math"
	"slices"

	"episodes/stats"
)

// What is believed of an event seen before a decision until the data speak.
const (
	priorShare    = .2  // that it bears on the outcome
	priorEvents   = 5   // events' worth of that belief
	shareRounds   = 20  // of learning the share at a point
	mainDeviation = 1   // of the logit by which it shifts all options alike
	ownDeviation  = 1.5 // of the logits by which it shifts each option for itself
	leastProbable = .1  // from this probability on an event is adjusted for
	probable      = .5  // and from this one on claims rest on it
)

// choose picks the events before the decision to adjust for, the likeliest to
// bear on the outcome first, and says how many of them do more probably than not.
// What is known before a choice and bears on its result is what must be held equal
// (the disjunctive-cause criterion: VanderWeele 2019, Eur. J. Epidemiol. 34:211);
// what comes after the decision is never among them.
//
// An event that may matter helps the prediction even where it probably does not,
// since the prior of its coefficients keeps what it can do small. A claim needs
// more: the events that are in the median probability model (Barbieri and Berger
// 2004, Ann. Stat. 32:870). The share of events that matter is learned at each point
// from all its events, so that chance has no more to choose from where there are many
// (Scott and Berger 2010, Ann. Stat. 38:2587).
func (m *model) choose() (events []int, likely int) {
	type candidate struct {
		event  int
		factor float64
	}
	var all []candidate
	for _, e := range m.common() {
		all = append(all, candidate{e, m.bears(e)})
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
	for _, c := range all[:min(len(all), mostEvidence)] {
		if p := probability(c); p >= leastProbable {
			events = append(events, c.event)
			likely += boolInt(p >= probable)
		}
	}
	return events, likely
}

// common returns the events that enough trials saw before the decision, and did not.
func (m *model) common() (events []int) {
	n := map[int]int{}
	for _, t := range m.trials {
		for _, e := range t.before {
			n[e]++
		}
	}
	for e, k := range n {
		if k >= leastEvidence && k <= len(m.trials)-leastEvidence {
			events = append(events, e)
		}
	}
	slices.Sort(events)
	return events
}

// mostFactor keeps odds finite.
const mostFactor = 1e12

// bears is the Bayes factor for an event bearing on the outcome given task and
// option, against its not doing so: half of it for a shift of all options alike,
// half for a shift of each for itself besides. Both are normal on the logit scale,
// and what the trials say of the shift of an option is taken as normal too: its
// efficient score u and information v given the margins, summed over tasks.
//
// Source: Yusuf, Peto, Lewis, Collins and Sleight 1985, Prog. Cardiovasc. Dis.
// 27:335, statistical appendix (u and v); Wakefield 2009, Genet. Epidemiol. 33:79
// (Bayes factors from estimates that are normal).
func (m *model) bears(event int) float64 {
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
	return math.Min(mostFactor, (alike+apart)/2)
}

// normalFactor is the Bayes factor for shifts b with a mean that is normal with
// deviation main, and that differ from it with deviation own, against b = 0, where
// each score u is normal with mean v·b and variance v.
func normalFactor(us, vs []float64, main, own float64) float64 {
	log, precision, sum := 0.0, 0.0, 0.0
	for i, u := range us {
		d := 1 + own*own*vs[i]
		log += (own*own*u*u/d - math.Log(d)) / 2
		precision += vs[i] / d
		sum += u / d
	}
	d := 1 + main*main*precision
	return math.Exp(math.Min(math.Log(mostFactor), log+(main*main*sum*sum/d-math.Log(d))/2))
}

// byOption counts the trials that saw an event before the decision and those that
// did not, for every option by task.
func (m *model) byOption(event int) [][]stats.Table {
	type key struct{ option, task int }
	tables := map[key]*stats.Table{}
	for _, t := range m.trials {
		k := key{t.option, t.task}
		if tables[k] == nil {
			tables[k] = &stats.Table{}
		}
		_, seen := slices.BinarySearch(t.before, event)
		count(tables[k], seen, t.success)
	}
	out := make([][]stats.Table, len(m.options))
	for i, o := range m.options {
		for _, t := range m.tasks {
			if tab := tables[key{o, t}]; tab != nil {
				out[i] = append(out[i], *tab)
			}
		}
	}
	return out
}
