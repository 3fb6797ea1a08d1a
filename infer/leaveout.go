package infer

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"episodes/stats"
)

// A conclusion hangs on one day when it would not be drawn without the sessions of that
// day. Days are left out one at a time: the few that bear most on the difference.

// mostDays is how many days are left out in turn.
const mostDays = 5

// ByDay are the counts of a comparison, by day of the sessions.
type ByDay map[int]stats.Table

// Add counts one trial: of the first side or of the other.
func (b ByDay) Add(day int, first, success bool) {
	t := b[day]
	count(&t, first, success)
	b[day] = t
}

// Without is the sum of the counts but for those of a day.
func (b ByDay) Without(day int) (sum stats.Table) {
	for d, t := range b {
		if d != day {
			sum = stats.Sum([]stats.Table{sum, t})
		}
	}
	return sum
}

// Several is how many trials a day must have, for a conclusion to hang on it: a
// conclusion from few sessions hangs on each of them, which its interval says already.
const Several = 2

// MostInfluential returns the days that bear most on the difference of the two rates, of
// those with at least so many trials; at most mostDays, the most influential first.
func (b ByDay) MostInfluential(least int) []int {
	rates := func(t stats.Table) float64 { // with half a success and half a failure added to each
		return (float64(t.Successes)+.5)/(float64(t.N)+1) - (float64(t.OtherSuccesses)+.5)/(float64(t.OtherN)+1)
	}
	all := stats.Sum(slices.Collect(maps.Values(b)))
	shift := make(map[int]float64, len(b))
	for d, t := range b {
		if t.N+t.OtherN < least {
			continue
		}
		left := stats.Table{Successes: all.Successes - t.Successes, N: all.N - t.N,
			OtherSuccesses: all.OtherSuccesses - t.OtherSuccesses, OtherN: all.OtherN - t.OtherN}
		shift[d] = math.Abs(rates(left) - rates(all))
	}
	list := slices.SortedFunc(maps.Keys(shift), func(x, y int) int {
		return cmp.Or(cmp.Compare(shift[y], shift[x]), b[y].N+b[y].OtherN-b[x].N-b[x].OtherN, x-y)
	})
	return list[:min(len(list), mostDays)]
}

// Short reports whether a side of a comparison has too few trials left without a day, but
// not because most of them were of that day. Then the day decides nothing: else every
// conclusion from the fewest possible sessions would hang on each of its days.
func Short(left, of, least int) bool { return left < least && 2*left >= of }

// LeavingOut calls ask while the sessions of one day are left out of what is known of a
// decision point. What all points share, the penalties and the overall rate, stays.
func (s *Study) LeavingOut(point string, day int, ask func()) {
	p, ok := s.pointOf[s.leader(pointKind, point)]
	if !ok {
		ask()
		return
	}
	f, whole := s.fitted(), s.model(p)
	rest := slices.DeleteFunc(slices.Clone(whole.past), func(t trial) bool { return t.day == day })
	m := newModelFrom(p, logit(s.base()), rest)
	f.fit(m)
	f.models[p] = m
	defer func() { f.models[p] = whole }()
	ask()
}

// claimAt is what a claim is about.
type claimAt struct {
	model   *model
	option  int
	context context
}

// findDays fills in over how many days the claim is spread, and on which it hangs.
func (c *Claim) findDays(at claimAt) {
	m, days := at.model, ByDay{}
	for _, t := range m.trials {
		if m.counts(t, at.context) {
			days.Add(t.day, t.option == at.option, t.success)
		}
	}
	for _, t := range days {
		c.Days += stats.Indicator(t.N > 0)
	}
	limit := Limit(c.P, c.Q)
	for _, day := range days.MostInfluential(Several) {
		rest := slices.DeleteFunc(slices.Clone(m.trials), func(t trial) bool { return t.day == day })
		tables, sessions := m.contrastsOf(rest, at.context)[at.option], m.clustersIn(rest, at.option, at.context)
		t := stats.Sum(tables)
		if Short(t.N, c.Rates.N, LeastInstances) || Short(t.OtherN, c.Rates.OtherN, LeastInstances) {
			continue
		}
		rd, ok := stats.MantelHaenszel(tables)
		if min(t.N, t.OtherN) < LeastInstances || !ok || (rd.Difference > 0) != c.Raises() ||
			sessions.deflate(stats.StratifiedMidP(tables)) > limit {
			c.OneDay, c.Day, c.DaySessions = true, day, days[day].N+days[day].OtherN
			return
		}
	}
}

// Limit is about the largest p-value that a claim with this p-value and q-value could have
// and still be asserted among the same candidates.
func Limit(p, q float64) float64 {
	if q <= 0 {
		return ClaimQ
	}
	return math.Min(ClaimQ, p*ClaimQ/q)
}

// findDays fills in over how many days an edge is spread, and whether it hangs on one.
func (e *Edge) findDays(s *Study, h *hypothesis) {
	days, in, target := ByDay{}, s.scope(h.a, h.b), s.target(h.b)
	for i := range s.rows {
		if in.has(i) {
			days.Add(s.rows[i].day, s.nodes[h.a].has.has(i), target.has(i))
		}
	}
	for _, t := range days {
		e.Days += stats.Indicator(t.N > 0)
	}
	limit := Limit(e.P, e.Q)
	defer func() { s.left = nil }()
	for _, day := range days.MostInfluential(Several) {
		s.left = s.newBits()
		for i := range s.rows {
			if s.rows[i].day == day {
				s.left.set(i)
			}
		}
		tables := s.tables(h.a, h.b, nil)
		t := stats.Sum(tables)
		if Short(t.N, e.N, minFact) || Short(t.OtherN, e.OtherN, minFact) {
			continue
		}
		rd, ok := stats.MantelHaenszel(tables)
		if min(t.N, t.OtherN) < minFact || !ok || (rd.Difference > 0) != (e.With > e.Without) ||
			s.clustersOf(h).deflate(stats.StratifiedMidP(tables)) > limit {
			e.OneDay = true
			return
		}
	}
}
