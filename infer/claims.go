package infer

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"episodes/stats"
)

// Thresholds of claims.
const (
	ClaimQ   = .10 // false-discovery level
	minClaim = 3   // least sessions with the option in the context, and without
)

// Claim compares one option in one context with the other options taken there, in
// their observed proportions.
type Claim struct {
	Point, Option Name
	Task          *Name // the context is this task
	Seen          *Name // the context is this event, seen before the decision
	SeenNode      string

	// Effect is the difference of the two probabilities by the outcome model. It ranks
	// the claims and determines advice, asserted or not.
	Effect float64
	// Difference is that of the observed rates, standardised over the strata, and
	// Interval its 90 % interval: Newcombe's where there is one stratum, else the
	// Mantel–Haenszel difference with Sato's standard error.
	Difference float64
	Interval   stats.Interval
	Rates      stats.Table // the option's trials, and those of the others
	P, Q       float64     // exact stratified mid-p; its q-value among all candidates
	// Asserted: there are sessions enough, and the q-value is at most ClaimQ.
	Asserted bool
	Episodes []string // that took the option in the context, with a measured result
	Days     int      // distinct days of these; those without a date are one
	// OneDay: an asserted claim that would not be asserted without the DaySessions
	// trials of the day Day.
	OneDay           bool
	Day, DaySessions int
	Adjusted         []Name // events seen before the choice that are adjusted for, beside the task
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
	var tables [][]stats.Table
	var at []claimAt
	for p := range s.points {
		if !s.comparable(p) {
			continue
		}
		m := s.model(p)
		for _, o := range m.options {
			for _, c := range m.contexts() {
				tabs, ids := m.contrast(o, c, noDay)
				sum := stats.Sum(tabs)
				if sum.N < minClaim || sum.OtherN < minClaim {
					continue
				}
				cl, ok := s.claim(p, o, c, tabs)
				if !ok {
					continue
				}
				for _, i := range ids {
					cl.Episodes = append(cl.Episodes, m.trials[i].id)
				}
				slices.Sort(cl.Episodes)
				for _, e := range m.evidence[:m.likely] {
					if !slices.Contains(c.seen, e) {
						cl.Adjusted = append(cl.Adjusted, s.fact(e).Event)
					}
				}
				out = append(out, cl)
				tables = append(tables, tabs)
				at = append(at, claimAt{m, o, c})
			}
		}
	}
	s.assert(out, tables)
	for i := range out {
		if out[i].Asserted {
			out[i].findDays(at[i])
		}
	}
	slices.SortFunc(out, func(a, b Claim) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)), strings.Compare(a.Point.Key, b.Point.Key), strings.Compare(a.Option.Key, b.Option.Key), strings.Compare(a.contextKey(), b.contextKey()))
	})
	return out
}

// Asserted returns the asserted claims, and the number of claims considered.
func (s *Study) Asserted() (claims []Claim, considered int) {
	if s.asserted == nil {
		all := s.Claims()
		s.asserted = &assertedClaims{Considered: len(all), Claims: []Claim{}}
		for _, c := range all {
			if c.Asserted {
				s.asserted.Claims = append(s.asserted.Claims, c)
			}
		}
	}
	return s.asserted.Claims, s.asserted.Considered
}

type assertedClaims struct {
	Claims     []Claim `cbor:"1,keyasint"`
	Considered int     `cbor:"2,keyasint"`
}

// comparable reports whether a point can have a claim: it has two options, and enough
// sessions for both.
func (s *Study) comparable(p int) bool {
	return len(s.points[p].options) > 1 && (s.trials != nil || len(s.points[p].decided) >= 2*minClaim)
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

func (s *Study) assert(claims []Claim, tables [][]stats.Table) {
	var at []int
	var ps []float64
	for i := range claims {
		claims[i].P, claims[i].Q = stats.StratifiedMidP(tables[i]), 1
		at, ps = append(at, i), append(ps, claims[i].P)
	}
	for j, q := range stats.BenjaminiHochberg(ps) {
		c := &claims[at[j]]
		c.Q = q
		c.Asserted = s.enough() && q <= ClaimQ
	}
}

// contexts returns the contexts in which options of the point are compared.
func (m *model) contexts() []context {
	out := []context{{task: anyTask}}
	if len(m.tasks) > 1 {
		for _, t := range m.tasks {
			if t != pooled {
				out = append(out, context{task: t})
			}
		}
	}
	for _, e := range m.evidence[:m.likely] {
		out = append(out, context{task: anyTask, seen: []int{e}})
	}
	return out
}

// contrast counts the trials of an option and of the others in a context, by task and
// evidence, without those of a day, and returns the trials of the option. Where choices
// made at random decide, only they count.
func (m *model) contrast(option int, c context, without int) (out []stats.Table, taken []int) {
	tables := map[cellKey]*stats.Table{}
	for i, t := range m.trials {
		if t.day == without || !c.fits(t) || m.randomOnly && !t.explore {
			continue
		}
		k := cellKey{task: t.task, seen: m.seen(t) & m.claimed()}
		tab := tables[k]
		if tab == nil {
			tab = &stats.Table{}
			tables[k] = tab
		}
		count(tab, t.option == option, t.success)
		if t.option == option {
			taken = append(taken, i)
		}
	}
	keys := make([]cellKey, 0, len(tables))
	for k := range tables {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, cellKey.compare)
	for _, k := range keys {
		out = append(out, *tables[k])
	}
	return out, taken
}

// claim compares one option with the others in one context; ok is false where no
// stratum has both.
func (s *Study) claim(p, o int, c context, tables []stats.Table) (Claim, bool) {
	rd, ok := stats.MantelHaenszel(tables)
	if !ok {
		return Claim{}, false
	}
	cl := Claim{Point: s.pointName(p), Option: s.optionName(o), Difference: rd.Difference, Rates: stats.Sum(tables)}
	cl.Interval = stats.Interval{Low: math.Max(-1, rd.Difference-z90*rd.SE), High: math.Min(1, rd.Difference+z90*rd.SE)}
	if len(tables) == 1 {
		t := tables[0]
		cl.Interval = stats.Newcombe(t.Successes, t.N, t.OtherSuccesses, t.OtherN, Level)
	}
	if c.task != anyTask {
		n := s.taskName(c.task)
		cl.Task = &n
	}
	if len(c.seen) > 0 {
		f := s.fact(c.seen[0])
		cl.Seen, cl.SeenNode = &f.Event, f.Node
	}
	cl.Effect = s.estimate(p, o, c).P - s.others(p, o, c)
	return cl, true
}

// z90 is the normal quantile of a two-sided 90 % interval.
const z90 = 1.6448536269514722

// others is the probability of success of the other options, in the proportions in
// which they were taken in the context.
func (s *Study) others(p, o int, c context) float64 {
	m := s.model(p)
	n := map[int]int{}
	all := 0
	for _, t := range m.trials {
		if t.option != o && c.fits(t) {
			n[t.option]++
			all++
		}
	}
	sum := 0.0
	for _, x := range m.options {
		if n[x] > 0 {
			sum += float64(n[x]) / float64(all) * s.estimate(p, x, c).P
		}
	}
	return sum
}
