package infer

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"episodes/stats"
)

// Thresholds of claims.
const (
	ClaimQ       = .10 // false-discovery level
	sameSign     = .90 // probability that the difference has its sign
	minDecided   = 6   // sessions that decided at a point, for it to be compared
	minCandidate = 3   // least sessions with and without the option
)

// Claim compares one option in one context with the other options taken there, in
// their observed proportions.
type Claim struct {
	Point, Option Name
	Task          *Name // the context is this task
	Seen          *Name // the context is this event, seen before the decision

	// Effect is the difference of the two probabilities by the outcome model. It ranks
	// the claims, asserted or not.
	Effect float64
	// Difference is that of the observed rates, standardised over the strata.
	Difference float64
	Rates      stats.Table // the option's trials, and those of the others
	P, Q       float64     // exact stratified mid-p; its q-value among all candidates
	// Asserted is true if there are enough instances, the q-value is at most ClaimQ, and the
	// difference has the same sign in similar sessions with a probability of at least sameSign,
	// allowing for unobserved confounders.
	Asserted bool
	// TheseTasks: an asserted claim about several tasks that on a task which was never worked on
	// does not have its sign with that probability.
	TheseTasks bool
	Episodes   []string // with the option, and a measured result
	// Instances is on how many instances these worked; one that names none is one of its own.
	Instances, OtherInstances int // the others of those that took another option
	Days                      int // distinct days of these; those without a date are one
	// OneDay: one day has more than half of the trials of either side.
	OneDay bool
}

// Raises reports whether the option is better than the others there.
func (c *Claim) Raises() bool { return c.Difference > 0 }

// Claims returns a claim for every option in every context that occurs often enough,
// the largest effect first. A context is: all sessions, a task, or an event that the
// outcome depends on at that point. The test is stratified over everything else that
// the point is adjusted for, so that options are compared under like conditions.
//
// Below LeastSessions measured sessions, or with outcomes of one kind only, nothing
// is asserted.
func (s *Study) Claims() []Claim {
	var out []Claim
	var at []claimAt
	for p := range s.points {
		if len(s.points[p].options) < 2 || len(s.points[p].decided) < minDecided {
			continue
		}
		m := s.model(p)
		for _, c := range m.contexts() {
			contrasts := m.contrastsOf(c)
			for _, o := range m.options {
				tabs := contrasts[o]
				if sum := stats.Sum(tabs); min(sum.N, sum.OtherN) < minCandidate {
					continue
				}
				cl, ok := s.claim(p, o, c, tabs)
				if !ok {
					continue
				}
				sessions := m.clustersIn(o, c)
				cl.Instances, cl.OtherInstances = sessions.instances()
				cl.P = sessions.deflate(stats.StratifiedMidP(tabs))
				cl.Effect = m.gainOn(o, c, s.fitted().penalty)
				for _, t := range m.trials {
					if t.option == o && m.counts(t, c) {
						cl.Episodes = append(cl.Episodes, t.id)
					}
				}
				slices.Sort(cl.Episodes)
				out = append(out, cl)
				at = append(at, claimAt{m, o, c})
			}
		}
	}
	s.assert(out, at)
	slices.SortFunc(out, func(a, b Claim) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)),
			strings.Compare(a.Point.Key, b.Point.Key), strings.Compare(a.Option.Key, b.Option.Key),
			strings.Compare(a.contextKey(), b.contextKey()))
	})
	return out
}

// contextKey identifies the context; "" for all sessions.
func (c *Claim) contextKey() string {
	switch {
	case c.Task != nil:
		return taskKind + c.Task.Key
	case c.Seen != nil:
		return eventKind + c.Seen.Key
	}
	return ""
}

func (s *Study) assert(claims []Claim, at []claimAt) {
	var ps []float64
	for i := range claims {
		ps = append(ps, claims[i].P)
	}
	for i, q := range stats.BenjaminiHochberg(ps) {
		c := &claims[i]
		c.Q = q
		if !s.Enough() || q > ClaimQ || min(c.Instances, c.OtherInstances) < LeastInstances {
			continue
		}
		if c.Asserted = c.holds(at[i], s.fitted().penalty); !c.Asserted {
			continue
		}
		if elsewhere := at[i]; elsewhere.context.task == anyTask && len(elsewhere.model.tasks) > 1 {
			elsewhere.context.task = unknownTask
			c.TheseTasks = !c.holds(elsewhere, s.fitted().penalty)
		}
		c.Days, c.OneDay = at[i].byDay().Spread()
	}
}

// claimAt is what a claim is about.
type claimAt struct {
	model   *model
	option  int
	context context
}

func (at claimAt) byDay() ByDay {
	days := ByDay{}
	for _, t := range at.model.trials {
		if at.model.counts(t, at.context) {
			days.Add(t.day, t.option == at.option, t.success)
		}
	}
	return days
}

// holds reports whether the difference has its sign in a context with a probability of at least
// sameSign.
func (c *Claim) holds(at claimAt, penalty [groups]float64) bool {
	p := at.model.better(at.option, at.context, penalty)
	return p >= sameSign && c.Raises() || p <= 1-sameSign && !c.Raises()
}

// contexts returns the contexts in which options of the point are compared.
func (m *model) contexts() []context {
	out := []context{{task: anyTask, instance: noInstance}}
	if len(m.tasks) > 1 {
		n := m.taskTrials
		for _, t := range m.tasks {
			if n[t] >= minStratum {
				out = append(out, context{task: t, instance: noInstance})
			}
		}
	}
	for _, e := range m.evidence[:m.likely] {
		out = append(out, context{task: anyTask, instance: noInstance, seen: []int{e}})
	}
	return out
}

// counts reports whether a trial counts for claims in a context. Where choices made at
// random decide, only they do.
func (m *model) counts(t trial, c context) bool { return c.fits(t) && (!m.randomOnly || t.explore) }

// contrastsOf counts, for every option with coefficients of its own, its trials in a
// context and those of all others, by task and evidence.
func (m *model) contrastsOf(c context) map[int][]stats.Table {
	type sum struct{ n, successes int }
	whole, own := map[cellKey]sum{}, map[cellKey]sum{} // by stratum; by stratum and option
	add := func(to map[cellKey]sum, k cellKey, success bool) {
		x := to[k]
		to[k] = sum{x.n + 1, x.successes + stats.Indicator(success)}
	}
	for _, t := range m.trials {
		if m.counts(t, c) {
			k := cellKey{task: m.stratum(t.task), seen: m.seen(t) & m.claimed()}
			add(whole, k, t.success)
			k.option = t.option
			add(own, k, t.success)
		}
	}
	strata := slices.SortedFunc(maps.Keys(whole), cellKey.compare)
	out := make(map[int][]stats.Table, len(m.options))
	for _, o := range m.options {
		for _, k := range strata {
			all := whole[k]
			k.option = o
			x := own[k]
			out[o] = append(out[o],
				stats.Table{Successes: x.successes, N: x.n, OtherSuccesses: all.successes - x.successes, OtherN: all.n - x.n})
		}
	}
	return out
}

// claim compares one option with the others in one context; ok is false where no
// stratum has both.
func (s *Study) claim(p, o int, c context, tables []stats.Table) (Claim, bool) {
	difference, ok := stats.MantelHaenszel(tables)
	if !ok {
		return Claim{}, false
	}
	cl := Claim{Point: s.pointName(p), Option: s.optionName(o), Difference: difference, Rates: stats.Sum(tables)}
	if c.task != anyTask {
		n := s.taskName(c.task)
		cl.Task = &n
	}
	if len(c.seen) > 0 {
		f := s.fact(c.seen[0])
		cl.Seen = &f.Event
	}
	return cl, true
}

// z90 is the normal quantile of a two-sided 90 % interval.
const z90 = 1.6448536269514722
